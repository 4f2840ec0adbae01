import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
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
  /** What people notice, and what to look at: operators read it in the e-mail. */
  description: string;
  metric: IMetric;
  threshold: number;
  /** So many of the last so many periods. */
  periods: [number, number];
  comparison?: ComparisonOperator;
  missing?: TreatMissingData;
}

/** Alarms on what users notice, not on causes; docs/operations.md says what to do on each. */
export function watch(scope: Construct, topic: Topic, watched: Watched): void {
  const metrics = metricsOf(scope, watched);
  for (const symptom of symptomsOf(metrics)) addAlarm(scope, topic, symptom);
  // What fails in front of the API is in no figure of the API.
  if (metrics.edgeErrors) addAlarm(scope, topic, edgeSymptom(metrics.edgeErrors));
  addDashboard(scope, watched.service, metrics);
}

/**
 * The alarm that takes a release back, of functions or of flags. In the five minutes in which a tenth of the requests get the new
 * version it has to rise: it looks at single minutes, and at a part that is reached when half of that tenth fails.
 */
export function watchRelease(scope: Construct, topic: Topic, api: RestApi): Alarm {
  return addAlarm(scope, topic, {
    id: 'ReleaseErrors',
    description:
      'More than 5 % of the requests of a minute are answered with a 5xx: a release that is under way is taken back.',
    metric: api.metricServerError({ statistic: Stats.AVERAGE, period: Duration.minutes(1) }),
    threshold: 0.05,
    periods: [2, 3],
  });
}

function edgeSymptom(metric: IMetric): Symptom {
  return {
    id: 'EdgeErrors',
    description: 'More than 5 % of what CloudFront answers, pages included, is a 5xx.',
    metric,
    threshold: 5,
    periods: [2, 3],
  };
}

function symptomsOf(metrics: Metrics): Symptom[] {
  return [
    {
      id: 'ServerErrors',
      description: 'More than 1 % of the requests are answered with a 5xx.',
      metric: metrics.errorRate,
      threshold: 0.01,
      periods: [2, 3],
    },
    {
      id: 'Latency',
      description: 'One request in ten takes longer than 2 s.',
      metric: metrics.latency,
      threshold: 2_000,
      periods: [3, 3],
    },
    {
      id: 'NothingAnswers',
      description: 'All upstream endpoints fail and nothing is left to serve: requests get a 503.',
      metric: metrics.unanswered,
      threshold: 5,
      periods: [2, 3],
    },
    {
      id: 'OldAnswers',
      description: 'Answers older than half an hour go out: their source cannot be read.',
      metric: metrics.servedAge,
      threshold: 1_800,
      periods: [2, 3],
    },
    {
      id: 'OldHead',
      description: 'Even the newest block that is read is ten minutes old: endpoints lag, or the chain stands still.',
      metric: metrics.headAge,
      threshold: 600,
      periods: [2, 3],
    },
    {
      id: 'TableErrors',
      description:
        'The cache table fails or is too slow: answers are right, but each container asks the chain for itself.',
      metric: metrics.tableErrors,
      threshold: 20,
      periods: [2, 3],
    },
    {
      id: 'Throttles',
      description: "Functions are throttled: the region's concurrent executions are used up.",
      metric: metrics.throttles,
      threshold: 10,
      periods: [2, 3],
    },
    {
      id: 'RateLimited',
      description:
        'Clients get a 429 from the API: one of them sends too much, or all together reach the limit of the stage.',
      metric: metrics.limited,
      threshold: 500,
      periods: [2, 3],
    },
    {
      id: 'Blocked',
      description:
        'The firewalls block more than three requests a second: somebody floods the service or looks for holes.',
      metric: metrics.blocked,
      threshold: 1_000,
      periods: [2, 3],
    },
    {
      id: 'RecorderMissing',
      description: 'No run of the recorder has succeeded for two hours: history gets holes that later runs must fill.',
      metric: metrics.recorded,
      threshold: 1,
      periods: [2, 2],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      // Before the first run nothing is missing. When data end the state becomes INSUFFICIENT_DATA, and that is told, too.
      missing: TreatMissingData.MISSING,
    },
    {
      id: 'HistoryLag',
      description: 'The newest point of history is three hours old, although the recorder runs.',
      metric: metrics.historyLag,
      threshold: 3 * 3_600,
      periods: [2, 2],
    },
    {
      id: 'LedgerLag',
      description: 'The ledger ends more than 5,000 blocks before the newest one, or nobody looks how far it is.',
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
    alarmDescription: description,
    metric,
    threshold,
    datapointsToAlarm,
    evaluationPeriods,
    comparisonOperator: symptom.comparison ?? ComparisonOperator.GREATER_THAN_THRESHOLD,
    // Without requests there is nobody to notice.
    treatMissingData: symptom.missing ?? TreatMissingData.NOT_BREACHING,
  });
  const action = new SnsAction(topic);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  if (symptom.missing === TreatMissingData.MISSING) alarm.addInsufficientDataAction(action);
  return alarm;
}

function addDashboard(scope: Construct, service: string, metrics: Metrics): void {
  const graphs: [string, IMetric[]][] = [
    ['Requests that reach the API', [metrics.requests]],
    ['5xx, part of all', [metrics.errorRate]],
    ['5xx of CloudFront (%)', metrics.edgeErrors ? [metrics.edgeErrors] : []],
    ['Latency, p90 (ms)', [metrics.latency, metrics.upstream]],
    ['Where answers came from', [metrics.hits, metrics.stale, metrics.misses, metrics.unanswered]],
    ['Age of stale answers, and of the newest blocks (s)', [metrics.servedAge, metrics.headAge]],
    ['Leases lost, failures of the table, throttles', [metrics.leasesLost, metrics.tableErrors, metrics.throttles]],
    ['Limited (429) and blocked', [metrics.limited, metrics.blocked]],
    ['Runs of the recorder', [metrics.recorded]],
    ['Lag of history (s)', [metrics.historyLag]],
    ['Lag of the ledger (blocks)', [metrics.ledgerLag]],
  ];
  // Dashboards belong to no region: two of one name are one.
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName: `${service}-${Stack.of(scope).region}` });
  const drawn = graphs.filter(([, left]) => left.length > 0);
  dashboard.addWidgets(...drawn.map(([title, left]) => new GraphWidget({ title, width: 8, left })));
}
