/** The functions that record the history and the ledger, each on its schedule. */

import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { ServiceFunction } from './service-function.ts';

/** A boundary takes about a second. A run records at most 500, so filling 90 days takes several runs. */
const RECORDER_TIMEOUT = Duration.minutes(5);
/** Just a safeguard: it stops by itself before its next run. */
const LEDGER_RECORDER_TIMEOUT = Duration.minutes(2);
/**
 * EventBridge delivers an event to Lambda, and Lambda queues it until it has run, so both get these limits. Lambda's
 * default is to retry twice, and to keep throttled events for six hours.
 */
const RECORDER_RETRY = { retryAttempts: 2, maxEventAge: Duration.minutes(30) };
/** No retries: the next run, a minute later, makes up for a failed one. */
export const NO_RETRY = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };

/** The inputs that all functions of the service share. */
export interface FunctionInputs {
  environment: Record<string, string>;
  tables: { cache: ITable; history: ITable; ledger: ITable };
  /** The secret with more environment variables, if there is one. */
  secret: ISecret | undefined;
}

/** The recorder of history, once an hour. */
export function createRecorder(scope: Construct, { environment, tables, secret }: FunctionInputs): ServiceFunction {
  const recorder = new ServiceFunction(scope, 'Recorder', {
    source: 'functions/history-recorder',
    description: 'Records the points of the history endpoints',
    environment,
    timeout: RECORDER_TIMEOUT,
    retry: RECORDER_RETRY,
  });
  // Distributions of blocks that were indexed again are deleted and recorded again.
  tables.history.grant(recorder, 'dynamodb:Query', 'dynamodb:Scan', 'dynamodb:PutItem', 'dynamodb:DeleteItem');
  // When rewards cycles started, and what was claimed.
  tables.ledger.grant(recorder, 'dynamodb:GetItem', 'dynamodb:Query');
  // Addresses, validators and minipools are cached.
  tables.cache.grant(recorder, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
  secret?.grantRead(recorder);
  new Rule(scope, 'RecorderSchedule', {
    description: 'Runs the history recorder one minute after each full hour, when the block of that hour is known',
    schedule: Schedule.cron({ minute: '1' }),
    targets: [new LambdaFunction(recorder, RECORDER_RETRY)],
  });
  return recorder;
}

/** The recorder of the ledger, once a minute. */
export function createLedgerRecorder(scope: Construct, { environment, tables, secret }: FunctionInputs): void {
  const ledgerRecorder = new ServiceFunction(scope, 'LedgerRecorder', {
    source: 'functions/ledger-recorder',
    description: "Records the protocol's events",
    environment,
    timeout: LEDGER_RECORDER_TIMEOUT,
    retry: NO_RETRY,
  });
  tables.ledger.grant(
    ledgerRecorder,
    'dynamodb:GetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
    'dynamodb:BatchWriteItem',
  );
  secret?.grantRead(ledgerRecorder);
  new Rule(scope, 'LedgerSchedule', {
    description: 'Runs the ledger recorder every minute',
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaFunction(ledgerRecorder, NO_RETRY)],
  });
}
