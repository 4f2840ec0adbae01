import { Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  type CfnAlarm,
  ComparisonOperator,
  CompositeAlarm,
  Dashboard,
  GraphWidget,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type Metrics, metricsOf, type Watched } from './metrics.ts';
import type { Settings } from './settings.ts';

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

/** The symptoms that a frozen stage can have: it has no source that could fail. */
const IF_FROZEN: readonly string[] = ['ServerErrors'];

/**
 * Alarms on symptoms that users notice, not on causes. docs/alarms.md says what to do about each one. Either each sends
 * e-mails, or they only feed a single one, which does.
 */
export function watch(
  scope: Construct,
  topic: Topic,
  { alarms, dashboard, archive }: Settings,
  watched: Watched,
): void {
  const metrics = metricsOf(scope, watched);
  const notify = new SnsAction(topic);
  const symptoms = symptomsOf(metrics).filter(({ id }) => !archive || IF_FROZEN.includes(id));
  const watching = symptoms.map((symptom) => ({ symptom, alarm: createAlarm(scope, symptom) }));
  if (alarms === 'one' && !archive) notifyOfAny(scope, notify, watching);
  else for (const { symptom, alarm } of watching) notifyOf(notify, symptom, alarm);
  if (dashboard) addDashboard(scope, watched.service, metrics);
}

interface Watching {
  symptom: Symptom;
  alarm: Alarm;
}

function notifyOf(notify: SnsAction, { missing }: Symptom, alarm: Alarm): void {
  alarm.addAlarmAction(notify);
  alarm.addOkAction(notify);
  if (missing === TreatMissingData.MISSING) alarm.addInsufficientDataAction(notify);
}

/** One alarm for all symptoms. It is raised in the first hour of a stage, before its recorder has run. */
function notifyOfAny(scope: Construct, notify: SnsAction, watching: readonly Watching[]): void {
  const causes = watching.flatMap(({ symptom: { missing }, alarm }) => [
    AlarmRule.fromAlarm(alarm, AlarmState.ALARM),
    ...(missing === TreatMissingData.MISSING ? [AlarmRule.fromAlarm(alarm, AlarmState.INSUFFICIENT_DATA)] : []),
  ]);
  const any = new CompositeAlarm(scope, 'AnyAlarm', {
    alarmDescription: 'At least one of the other alarms is raised; the e-mail says which. What to do: docs/alarms.md',
    alarmRule: AlarmRule.anyOf(...causes),
  });
  any.addAlarmAction(notify);
  any.addOkAction(notify);
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
    // Failures in front of the API do not show in the API's metrics.
    ...symptomOf(metrics.edgeErrors, {
      id: 'EdgeErrors',
      description: 'More than 5 % of the responses of CloudFront, pages included, are 5xx.',
      threshold: 5,
      periods: [2, 3],
    }),
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
        'Even the newest block read is more than 10 minutes old: RPC providers lag, or the chain has stopped.',
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
    ...symptomOf(metrics.blocked, {
      id: 'Blocked',
      description: 'The firewall blocks more than three requests a second: a flood, or a probe for weaknesses.',
      threshold: 1_000,
      periods: [2, 3],
    }),
    ...symptomOf(metrics.recorded, {
      id: 'RecorderMissing',
      description:
        'The recorder has not succeeded for two hours: history has gaps, of which those of validators stay for good.',
      threshold: 1,
      periods: [2, 2],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      // Before the first run, no alarm is due. If the data ends later, INSUFFICIENT_DATA is notified, too.
      missing: TreatMissingData.MISSING,
    }),
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
    ...symptomOf(metrics.archiveAge, {
      id: 'ArchiveMissing',
      description:
        "The newest archive is more than 26 hours old: the day's is missing. If data is insufficient, its recorder fails.",
      threshold: 26 * 3_600,
      periods: [2, 2],
      missing: TreatMissingData.MISSING,
    }),
  ];
}

/** A symptom of something that not every stage has. */
function symptomOf(metric: IMetric | undefined, symptom: Omit<Symptom, 'metric'>): Symptom[] {
  return metric ? [{ ...symptom, metric }] : [];
}

function createAlarm(scope: Construct, { id, description, metric, threshold, ...symptom }: Symptom): Alarm {
  const [datapointsToAlarm, evaluationPeriods] = symptom.periods;
  const alarm = new Alarm(scope, `${id}Alarm`, {
    alarmDescription: `${description} What to do: docs/alarms.md#${id.toLowerCase()}`,
    metric,
    threshold,
    datapointsToAlarm,
    evaluationPeriods,
    comparisonOperator: symptom.comparison ?? ComparisonOperator.GREATER_THAN_THRESHOLD,
    // Without requests, no user is affected.
    treatMissingData: symptom.missing ?? TreatMissingData.NOT_BREACHING,
  });
  if (symptom.fewSamples) (alarm.node.defaultChild as CfnAlarm).evaluateLowSampleCountPercentile = symptom.fewSamples;
  return alarm;
}

function addDashboard(scope: Construct, service: string, metrics: Metrics): void {
  const graphs: [string, (IMetric | undefined)[]][] = [
    ['Requests to the API', [metrics.requests]],
    ['5xx of the API (share of requests)', [metrics.errorRate]],
    ['5xx of CloudFront (%)', [metrics.edgeErrors]],
    ['Latency and time of sources, p90 (ms)', [metrics.latency, metrics.upstream]],
    ['Answers: hit, stale, miss, none', [metrics.hits, metrics.stale, metrics.misses, metrics.unanswered]],
    ['Age of stale answers and of the newest block (s)', [metrics.servedAge, metrics.headAge]],
    ['Lost leases, cache table errors, throttles', [metrics.leasesLost, metrics.tableErrors, metrics.throttles]],
    ['Rate-limited (429) and blocked requests', [metrics.limited, metrics.blocked]],
    ['Successful runs of the recorder', [metrics.recorded]],
    ['History lag (s)', [metrics.historyLag]],
    ['Ledger lag (blocks)', [metrics.ledgerLag]],
    ['Age of the newest archive (s)', [metrics.archiveAge]],
  ];
  // Dashboard names are unique per account, not per region.
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName: `${service}-${Stack.of(scope).region}` });
  const shown = graphs.map(([title, metrics]) => ({ title, left: metrics.filter((metric) => metric !== undefined) }));
  const widgets = shown.filter(({ left }) => left.length > 0);
  dashboard.addWidgets(...widgets.map((graph) => new GraphWidget({ ...graph, width: 8 })));
}
