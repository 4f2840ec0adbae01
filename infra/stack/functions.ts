import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { ENDPOINTS } from '../../functions/index.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import type { Route } from './api.ts';
import { pascalCase } from './names.ts';
import { functionRole, ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

export interface FunctionInputs {
  environment: Record<string, string>;
  tables: { cache: ITable; history: ITable; ledger: ITable };
  /** The secret with more environment variables, if there is one. */
  secret: ISecret | undefined;
  logGroup: LogGroup;
}

/** A function for each endpoint, and the paths that it serves. */
export function createEndpoints(scope: Construct, inputs: FunctionInputs): Route[] {
  const roles = new Map<string, ReturnType<typeof functionRole>>();
  return Object.entries(ENDPOINTS).flatMap(([file, { path, summary, reads = [] }]) => {
    // Endpoints that read the same tables share a role: one for each would be a quarter more resources.
    const id = pascalCase(['cache', ...[...reads].sort(), 'role'].join('-'));
    const role = roles.get(id) ?? createRole(scope, id, reads, inputs);
    roles.set(id, role);
    const fn = new ServiceFunction(scope, pascalCase(file), {
      source: `functions/${file}`,
      description: summary,
      environment: inputs.environment,
      role,
      logGroup: inputs.logGroup,
    });
    // The root also answers all other paths, with a 404.
    return [path, ...(path === '/' ? [OTHER_PATHS] : [])].map((each) => ({ path: each, fn }));
  });
}

function createRole(scope: Construct, id: string, reads: readonly string[], { tables, secret }: FunctionInputs) {
  const role = functionRole(scope, id);
  tables.cache.grant(role, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
  if (reads.includes('history')) tables.history.grant(role, 'dynamodb:Query');
  // Flags are an item of the history's table.
  if (reads.includes('flags')) tables.history.grant(role, 'dynamodb:GetItem');
  if (reads.includes('ledger')) tables.ledger.grant(role, 'dynamodb:GetItem', 'dynamodb:Query');
  secret?.grantRead(role);
  return role;
}

/** Creates the recorders of history and of the ledger, each on its schedule. Returns the one of history. */
export function createRecorders(scope: Construct, inputs: FunctionInputs): ServiceFunction {
  const { history, ledger } = inputs.tables;
  // One minute after each full hour, when the block of that hour is known.
  const recorder = createRecorder(scope, inputs, Schedule.cron({ minute: '1' }), 'Recorder', {
    source: 'functions/history-recorder',
    description: 'Records the points of the history endpoints',
    // A boundary takes about a second. A run records at most 500, so filling 90 days takes several runs.
    timeout: Duration.minutes(5),
    retry: { retryAttempts: 2, maxEventAge: Duration.minutes(30) },
  });
  history.grant(recorder, 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:BatchWriteItem');
  // When rewards cycles started, and what was claimed; shares that are left out are named in its state.
  ledger.grant(recorder, 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem');
  const ledgerRecorder = createRecorder(scope, inputs, Schedule.rate(Duration.minutes(1)), 'LedgerRecorder', {
    source: 'functions/ledger-recorder',
    description: "Records the protocol's events",
    timeout: Duration.minutes(2),
    // It waits for most of its time. With 0.3 CPUs, 100,000 events are decoded in 15 of the 60 s of a comparison (calculated).
    memorySize: 512,
    // None: the next run, a minute later, makes up for a failed one.
    retry: { retryAttempts: 0, maxEventAge: Duration.minutes(1) },
  });
  ledger.grant(ledgerRecorder, ...['GetItem', 'Query', 'PutItem', 'BatchWriteItem'].map((name) => `dynamodb:${name}`));
  return recorder;
}

function createRecorder(
  scope: Construct,
  { environment, secret, logGroup }: FunctionInputs,
  schedule: Schedule,
  id: string,
  props: Omit<ServiceFunctionProps, 'environment' | 'logGroup'>,
): ServiceFunction {
  const recorder = new ServiceFunction(scope, id, { ...props, environment, logGroup });
  secret?.grantRead(recorder);
  new Rule(scope, `${id}Schedule`, {
    description: `Runs the function: ${props.description}`,
    schedule,
    // EventBridge delivers an event to Lambda, and Lambda queues it until it has run, so both get these limits.
    targets: [new LambdaFunction(recorder, props.retry)],
  });
  return recorder;
}
