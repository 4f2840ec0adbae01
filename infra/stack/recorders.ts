/** The functions that record the history and the ledger, each on its schedule. */

import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { ServiceFunction } from './service-function.ts';

/** The inputs that all functions of the service share. */
export interface FunctionInputs {
  environment: Record<string, string>;
  tables: { cache: ITable; history: ITable; ledger: ITable };
  /** The secret with more environment variables, if there is one. */
  secret: ISecret | undefined;
  logGroup: LogGroup;
}

interface Schedules {
  id: string;
  source: string;
  description: string;
  timeout: Duration;
  schedule: Schedule;
  /**
   * EventBridge delivers an event to Lambda, and Lambda queues it until it has run, so both get these limits. Lambda's
   * default is to retry twice, and to keep throttled events for six hours.
   */
  retry: { retryAttempts: number; maxEventAge: Duration };
}

/** Creates the recorders of history and of the ledger. Returns the one of history. */
export function createRecorders(scope: Construct, inputs: FunctionInputs): ServiceFunction {
  const { cache, history, ledger } = inputs.tables;
  const recorder = createRecorder(scope, inputs, {
    id: 'Recorder',
    source: 'functions/history-recorder',
    description: 'Records the points of the history endpoints',
    // A boundary takes about a second. A run records at most 500, so filling 90 days takes several runs.
    timeout: Duration.minutes(5),
    // One minute after each full hour, when the block of that hour is known.
    schedule: Schedule.cron({ minute: '1' }),
    retry: { retryAttempts: 2, maxEventAge: Duration.minutes(30) },
  });
  history.grant(recorder, 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:BatchWriteItem');
  // When rewards cycles started, and what was claimed; shares that are left out are named in its state.
  ledger.grant(recorder, 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem');
  // Addresses are cached.
  cache.grant(recorder, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
  const ledgerRecorder = createRecorder(scope, inputs, {
    id: 'LedgerRecorder',
    source: 'functions/ledger-recorder',
    description: "Records the protocol's events",
    // Just a safeguard: it stops by itself before its next run.
    timeout: Duration.minutes(2),
    schedule: Schedule.rate(Duration.minutes(1)),
    // None: the next run, a minute later, makes up for a failed one.
    retry: { retryAttempts: 0, maxEventAge: Duration.minutes(1) },
  });
  ledger.grant(
    ledgerRecorder,
    ...['GetItem', 'Query', 'PutItem', 'DeleteItem', 'BatchWriteItem'].map((name) => `dynamodb:${name}`),
  );
  return recorder;
}

function createRecorder(
  scope: Construct,
  { environment, secret, logGroup }: FunctionInputs,
  { id, schedule, ...props }: Schedules,
): ServiceFunction {
  const recorder = new ServiceFunction(scope, id, { ...props, environment, logGroup });
  secret?.grantRead(recorder);
  new Rule(scope, `${id}Schedule`, {
    description: `Runs the function: ${props.description}`,
    schedule,
    targets: [new LambdaFunction(recorder, props.retry)],
  });
  return recorder;
}
