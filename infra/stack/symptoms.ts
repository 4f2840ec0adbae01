/**
 * The symptoms for which alarms are raised. Each one's description is the operator's runbook: the meaning, the first
 * command and what to do.
 */

import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { ComparisonOperator, type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { METRICS_NAMESPACE } from '../../lib/runtime/telemetry.ts';
import { edgeLogName, serviceName } from './names.ts';
import type { Settings } from './settings.ts';

export interface Symptom {
  id: string;
  meaning: string;
  first: string;
  /** The steps to take, by the output of the command. */
  remedy: string;
  metric: IMetric;
  threshold: number;
  /** The number of periods that must be above the threshold, and of those evaluated; by default two of three. */
  periods?: [number, number];
  comparison?: ComparisonOperator;
  /** Raised also while there is no data: its recorder does not run. */
  ifMissing?: true;
  /** Somebody has to act at once: the service does not answer (periods of minutes), or data is lost (hours). */
  page?: 'Down' | 'Lost';
  /** For a percentile: the alarm keeps its state while there are too few samples for one. */
  fewSamples?: 'ignore';
}

const MINUTES = Duration.minutes(5);
const HOUR = Duration.hours(1);

/** Fewer failures in five minutes than these are no rate. */
const LEAST_EDGE_ERRORS = 20;
const LEAST_CLIENT_ERRORS = 100;

/** The time in which a flood may cost as much as a month. */
const BUDGET_HOURS = 48;
/** Dollars per million. A request that reaches the API: the mean of all endpoints' misses (`npm run cost`). A hit costs 5.2. */
const API_REQUESTS = 20;
/** Dollars per million. CloudFront with its function and the firewall: requests, and bytes below 10 TB a month (infra/bench/prices.ts). */
const EDGE_REQUESTS = 1.7;
const EDGE_BYTES = 0.000085;
/** CloudWatch knows no exponents. A metric without data would leave the whole sum without. */
const SPENT = `(FILL(api, 0) * ${API_REQUESTS} + FILL(requests, 0) * ${EDGE_REQUESTS} + FILL(bytes, 0) * ${EDGE_BYTES}) / 1000000`;

const PROVIDERS =
  'Lines name provider and outcome. http_429, rpc_429: its quota is used up. http_401, http_403: its key is refused. ' +
  'timeout, network, http_5xx: it is slow or down. no_state: no archive node. wrong_chain: correct its URL. ' +
  'Add or replace providers in the secret, which functions read every five minutes.';

/** The symptoms of a stage, which page first. `recorder` is that of history. */
export function createSymptoms(
  settings: Settings,
  api: RestApi,
  distribution: Distribution,
  recorder: IFunction,
): Symptom[] {
  const service = serviceName(settings);
  const own = (metricName: string, statistic: string, period = MINUTES) =>
    new Metric({ namespace: METRICS_NAMESPACE, metricName, statistic, period, dimensionsMap: { service } });
  // One of CloudFront's free metrics. The CDK's own lack the dimension `Region` and therefore have no data.
  const ofEdge = (metricName: string, statistic: string) =>
    new Metric({
      ...{ namespace: 'AWS/CloudFront', metricName, statistic, period: MINUTES },
      dimensionsMap: { DistributionId: distribution.distributionId, Region: 'Global' },
    });
  const expression = (text: string, label: string, usingMetrics: Record<string, IMetric>, period = MINUTES) =>
    new MathExpression({ expression: text, label, period, usingMetrics });
  const edgeRate = (name: string, least: number) =>
    expression(`IF(requests * rate / 100 >= ${least}, rate, 0)`, `${name}, percent`, {
      requests: ofEdge('Requests', Stats.SUM),
      rate: ofEdge(name, Stats.AVERAGE),
    });
  const failures = `aws logs tail ${service} --since 1h --filter-pattern '?ERROR ?WARN ?"Task timed out" ?"Runtime exited"'`;
  const attempts = `aws logs tail ${service} --since 1h --filter-pattern '"upstream attempt failed"'`;
  const edgeLog = `aws logs tail ${edgeLogName(settings)} --since 15m`;
  const health = 'curl <BaseUrl>health';
  return [
    {
      id: 'EdgeErrors',
      page: 'Down',
      meaning: 'More than 5 % of the answers of CloudFront, pages included, are 5xx.',
      first: failures,
      remedy:
        'After a deployment, roll back. ERROR is a defect of a function, "request failed" names a source that failed, and ' +
        '"Task timed out" or "Runtime exited" is time or memory used up. If the log is quiet, compare <BaseUrl>prices ' +
        "(the API) with <BaseUrl>dashboard (the pages' bucket): if only the API fails, Lambda's concurrent executions are " +
        'used up. Look at Spending, or raise the quota of the account.',
      metric: edgeRate('5xxErrorRate', LEAST_EDGE_ERRORS),
      threshold: 5,
    },
    {
      id: 'NothingAnswers',
      page: 'Down',
      meaning: 'A source cannot be read and no cached answer is left: clients get a 503.',
      first: attempts,
      remedy: PROVIDERS,
      metric: own('CacheError', Stats.SUM),
      threshold: 5,
    },
    {
      id: 'RecorderMissing',
      page: 'Lost',
      meaning: 'The recorder of history has not succeeded for two hours: history has gaps.',
      first: failures,
      remedy:
        '"run failed" names the cause, usually no_state: no RPC provider has the state of old blocks. Add one. Without runs, ' +
        'enable the rule RecorderSchedule. Later runs fill gaps; npm run backfill is faster.',
      metric: expression(
        'runs - errors',
        'successful runs of the recorder',
        { runs: recorder.metricInvocations({ period: HOUR }), errors: recorder.metricErrors({ period: HOUR }) },
        HOUR,
      ),
      threshold: 1,
      periods: [2, 2],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      ifMissing: true,
    },
    {
      id: 'LedgerMismatch',
      page: 'Lost',
      meaning:
        'For an hour, events and contracts have differed, or providers have disagreed, or a share has been refused.',
      first: health,
      remedy:
        'Its ledger names the block and the providers, or the figures. Disagreement: add a third provider to RPC_URLS, or ' +
        'replace the wrong one. Mismatch or impossible share: with two providers that keep the states of old blocks, run npm run ' +
        'backfill -- --again; if it stays, report it. Answers about the keys that it names are marked.',
      // The minimum: an hour in which each run found a mismatch.
      metric: own('LedgerMismatch', Stats.MINIMUM, HOUR),
      threshold: 0,
      periods: [1, 1],
    },
    {
      id: 'ClientErrors',
      meaning: 'More than 50 % of the answers of CloudFront are 4xx.',
      first: edgeLog,
      remedy:
        '400 or 404 after a deployment: it refuses what clients send, roll back. 429: the limits in infra/stack/limits.ts are ' +
        "too low, or a flood. 403: CloudFront's key is not the API's, deploy again. 404 of unknown paths: a scanner, ignore it.",
      metric: edgeRate('4xxErrorRate', LEAST_CLIENT_ERRORS),
      threshold: 50,
      periods: [3, 3],
    },
    {
      id: 'OldAnswers',
      meaning: 'A source cannot be read: answers more than 30 minutes old are served, and after 24 hours 503s.',
      first: attempts,
      remedy: PROVIDERS,
      metric: own('ServedAge', Stats.MAXIMUM),
      threshold: 1_800,
      // On a quiet stage, a run of `verify` meets answers an hour old for as long as others read the sources.
      periods: [3, 3],
    },
    {
      id: 'OldHead',
      meaning: 'The newest block that any provider has is more than 10 minutes old.',
      first: health,
      remedy: 'Compare with a block explorer. If the chain has stopped, wait. Otherwise replace the RPC providers.',
      metric: own('HeadAge', Stats.MINIMUM),
      threshold: 600,
    },
    {
      id: 'Latency',
      meaning: 'One API request in ten takes more than 2 seconds.',
      first: `aws logs tail ${service} --since 15m --filter-pattern '?REPORT ?"upstream attempt failed"'`,
      remedy:
        'Failed attempts: put a faster RPC provider first. Init Duration in REPORT lines: cold starts, which pass.',
      metric: api.metricLatency({ statistic: Stats.p(90), period: MINUTES }),
      threshold: 2_000,
      periods: [3, 3],
      // At night, three cold starts can be one request in ten.
      fewSamples: 'ignore',
    },
    {
      id: 'TableErrors',
      meaning: 'The cache table fails or takes more than 150 ms: every container reads the chain for itself.',
      first: failures,
      remedy:
        'Throttling: the ceiling in infra/stack/create-tables.ts is reached. Answers stay correct; watch the quota of the RPC providers.',
      metric: own('TableError', Stats.SUM),
      threshold: 20,
    },
    {
      id: 'Spending',
      meaning: `Requests and bytes would use up the month's budget in ${BUDGET_HOURS} hours.`,
      first: edgeLog,
      remedy:
        'One address, or many URLs of one path: a flood. Lower the limits in infra/stack/limits.ts and deploy, or disable the ' +
        'distribution. After a release: an answer is no longer cached, roll back. Real demand: raise budget.',
      metric: expression(SPENT, 'dollars', {
        api: api.metricCount({ statistic: Stats.SUM, period: MINUTES }),
        requests: ofEdge('Requests', Stats.SUM),
        bytes: ofEdge('BytesDownloaded', Stats.SUM),
      }),
      threshold: (settings.budget * MINUTES.toHours({ integral: false })) / BUDGET_HOURS,
      periods: [3, 3],
    },
    {
      id: 'LedgerLag',
      meaning: 'The ledger ends more than 5,000 blocks before the newest block, or its recorder does not run.',
      first: failures,
      remedy:
        'Two providers must serve eth_getLogs; replace those that do not. Without runs, enable the rule LedgerRecorderSchedule. It ' +
        'catches up by itself; npm run backfill -- --ledger is faster.',
      metric: own('LedgerLag', Stats.MAXIMUM),
      threshold: 5_000,
      periods: [3, 3],
      ifMissing: true,
    },
    {
      id: 'LedgerStuck',
      meaning: 'History is incomplete, and the recorder of the ledger has indexed nothing for three hours.',
      first: failures,
      remedy: 'Usually no two RPC providers serve eth_getLogs for old blocks: add one.',
      metric: own('LedgerStuck', Stats.MINIMUM, HOUR),
      threshold: 0,
      periods: [3, 3],
    },
  ];
}
