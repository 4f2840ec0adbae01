import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  type CfnAlarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type Metrics, metricsOf, type Watched } from './metrics.ts';

interface Symptom {
  id: string;
  /** The symptom and its likely cause, for operators who read the e-mail. */
  description: string;
  metric: IMetric;
  threshold: number;
  /** How many periods must be above the threshold, and of how many. */
  periods: [number, number];
  comparison?: ComparisonOperator;
  missing?: TreatMissingData;
  /** For a percentile: the alarm keeps its state while there are too few samples for one. */
  fewSamples?: 'ignore';
}

/** Alarms on symptoms that users notice, not on causes. docs/operations.md says what to do about each one. */
export function watch(scope: Construct, topic: Topic, watched: Watched): void {
  const metrics = metricsOf(scope, watched);
  for (const symptom of symptomsOf(metrics)) addAlarm(scope, topic, symptom);
  // Failures in front of the API do not show in the API's metrics.
  if (metrics.edgeErrors) addAlarm(scope, topic, edgeSymptom(metrics.edgeErrors));
  addDashboard(scope, watched.service, metrics);
}

/**
 * The alarm that rolls back a release of functions or flags. It must be raised within the five minutes in which a tenth
 * of the requests get the new version. It therefore looks at single minutes, and its threshold is reached if half of
 * that tenth fails.
 */
export function watchRelease(scope: Construct, topic: Topic, api: RestApi): Alarm {
  return addAlarm(scope, topic, {
    id: 'ReleaseErrors',
    description:
      'More than 5 % of the requests in a minute got a 5xx. A release or flag version being rolled out is rolled back.',
    metric: api.metricServerError({ statistic: Stats.AVERAGE, period: Duration.minutes(1) }),
    threshold: 0.05,
    periods: [2, 3],
  });
}

function edgeSymptom(metric: IMetric): Symptom {
  return {
    id: 'EdgeErrors',
    description: 'More than 5 % of the responses of CloudFront, pages included, are 5xx.',
    metric,
    threshold: 5,
    periods: [2, 3],
  };
}

function symptomsOf(metrics: Metrics): Symptom[] {
  return [
    {
      id: 'ServerErrors',
      description: 'More than 1 % of the requests to the API got a 5xx.',
      metric: metrics.errorRate,
      threshold: 0.01,
      periods: [2, 3],
    },
    {
      id: 'Latency',
      description: 'One API request in ten takes more than 2 seconds.',
      metric: metrics.latency,
      threshold: 2_000,
      periods: [3, 3],
      // At night, three cold starts can be one request in ten.
      fewSamples: 'ignore',
    },
    {
      id: 'NothingAnswers',
      description: 'A source cannot be read and no cached answer is left: clients get a 503.',
      metric: metrics.unanswered,
      threshold: 5,
      periods: [2, 3],
    },
    {
      id: 'OldAnswers',
      description: 'Answers more than 30 minutes old are served, because their source cannot be read.',
      metric: metrics.servedAge,
      threshold: 1_800,
      periods: [2, 3],
    },
    {
      id: 'OldHead',
      description:
        'Even the newest block read is more than 10 minutes old: RPC endpoints lag, or the chain has stopped.',
      metric: metrics.headAge,
      threshold: 600,
      periods: [2, 3],
    },
    {
      id: 'TableErrors',
      description:
        'The cache table fails or is slow. Answers are correct, but every container reads the chain for itself.',
      metric: metrics.tableErrors,
      threshold: 20,
      periods: [2, 3],
    },
    {
      id: 'Throttles',
      description: "Lambda throttles functions: the region's concurrent executions are used up.",
      metric: metrics.throttles,
      threshold: 10,
      periods: [2, 3],
    },
    {
      id: 'RateLimited',
      description:
        "Many requests get a 429 from the API: one client sends too much, or all together reach an endpoint's limit.",
      metric: metrics.limited,
      threshold: 500,
      periods: [2, 3],
    },
    {
      id: 'Blocked',
      description: 'The firewalls block more than three requests a second: a flood, or a probe for weaknesses.',
      metric: metrics.blocked,
      threshold: 1_000,
      periods: [2, 3],
    },
    {
      id: 'RecorderMissing',
      description:
        'The recorder has not succeeded for two hours: history has gaps, of which those of validators stay for good.',
      metric: metrics.recorded,
      threshold: 1,
      periods: [2, 2],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      // Before the first run, no alarm is due. If the data ends later, INSUFFICIENT_DATA is notified, too.
      missing: TreatMissingData.MISSING,
    },
    {
      id: 'HistoryLag',
      description: 'The recorder runs, but the newest point of history is more than three hours old.',
      metric: metrics.historyLag,
      threshold: 3 * 3_600,
      periods: [2, 2],
    },
    {
      id: 'LedgerLag',
      description:
        'The ledger is more than 5,000 blocks behind the chain or, if data is insufficient, its recorder fails.',
      metric: metrics.ledgerLag,
      threshold: 5_000,
      periods: [3, 3],
      missing: TreatMissingData.MISSING,
    },
  ];
}

function addAlarm(scope: Construct, topic: Topic, { id, description, metric, threshold, ...symptom }: Symptom): Alarm {
  const [datapointsToAlarm, evaluationPeriods] = symptom.periods;
  const alarm = new Alarm(scope, `${id}Alarm`, {
    alarmDescription: `${description} What to do: docs/operations.md#${id.toLowerCase()}`,
    metric,
    threshold,
    datapointsToAlarm,
    evaluationPeriods,
    comparisonOperator: symptom.comparison ?? ComparisonOperator.GREATER_THAN_THRESHOLD,
    // Without requests, no user is affected.
    treatMissingData: symptom.missing ?? TreatMissingData.NOT_BREACHING,
  });
  if (symptom.fewSamples) (alarm.node.defaultChild as CfnAlarm).evaluateLowSampleCountPercentile = symptom.fewSamples;
  const action = new SnsAction(topic);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  if (symptom.missing === TreatMissingData.MISSING) alarm.addInsufficientDataAction(action);
  return alarm;
}

function addDashboard(scope: Construct, service: string, metrics: Metrics): void {
  const graphs: [string, IMetric[]][] = [
    ['Requests to the API', [metrics.requests]],
    ['5xx of the API (share of requests)', [metrics.errorRate]],
    ['5xx of CloudFront (%)', metrics.edgeErrors ? [metrics.edgeErrors] : []],
    ['Latency and time of sources, p90 (ms)', [metrics.latency, metrics.upstream]],
    ['Answers: hit, stale, miss, none', [metrics.hits, metrics.stale, metrics.misses, metrics.unanswered]],
    ['Age of stale answers and of the newest block (s)', [metrics.servedAge, metrics.headAge]],
    ['Lost leases, cache table errors, throttles', [metrics.leasesLost, metrics.tableErrors, metrics.throttles]],
    ['Rate-limited (429) and blocked requests', [metrics.limited, metrics.blocked]],
    ['Successful runs of the recorder', [metrics.recorded]],
    ['History lag (s)', [metrics.historyLag]],
    ['Ledger lag (blocks)', [metrics.ledgerLag]],
  ];
  // Dashboard names are unique per account, not per region.
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName: `${service}-${Stack.of(scope).region}` });
  const withMetrics = graphs.filter(([, left]) => left.length > 0);
  dashboard.addWidgets(...withMetrics.map(([title, left]) => new GraphWidget({ title, width: 8, left })));
}
