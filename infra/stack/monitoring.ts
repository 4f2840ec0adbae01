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
import type { Construct } from 'constructs';
import type { Topics } from './alarm-topic.ts';
import { type Metrics, metricsOf, type Watched } from './metrics.ts';
import type { Settings } from './settings.ts';
import { type Symptom, symptomsOf } from './symptoms.ts';

/** The symptoms that a frozen stage can have: it has no source that could fail. */
const IF_FROZEN: readonly string[] = ['ServerErrors', 'EdgeRequests', 'EdgeBytes'];

/**
 * Alarms on symptoms that users notice, not on causes. docs/alarms.md says what to do about each one. Either each sends
 * e-mails, or they only feed a single one, which does.
 */
export function watch(
  scope: Construct,
  topics: Topics,
  { alarms, dashboard, archive, budget }: Settings,
  watched: Watched,
): void {
  const metrics = metricsOf(scope, watched);
  const symptoms = symptomsOf(metrics, budget).filter(({ id }) => !archive || IF_FROZEN.includes(id));
  const watching = symptoms.map((symptom) => ({ symptom, alarm: createAlarm(scope, symptom) }));
  if (alarms === 'one' && !archive) notifyOfAny(scope, topics, watching);
  else for (const { symptom, alarm } of watching) notifyOf(topics, symptom, alarm);
  const bytes = watching.find(({ symptom: { id } }) => id === 'EdgeBytes');
  if (bytes) watched.archives?.closeOn(bytes.alarm);
  if (dashboard) addDashboard(scope, watched.service, metrics);
}

interface Watching {
  symptom: Symptom;
  alarm: Alarm;
}

function notifyOf({ page, mail }: Topics, { missing, wakes }: Symptom, alarm: Alarm): void {
  const notify = new SnsAction(wakes ? page : mail);
  alarm.addAlarmAction(notify);
  alarm.addOkAction(notify);
  if (missing !== TreatMissingData.MISSING) return;
  // Then the recorder is gone.
  alarm.addInsufficientDataAction(new SnsAction(page));
  if (!wakes) alarm.addOkAction(new SnsAction(page));
}

/** One alarm for all symptoms. It is raised in the first hour of a stage, before its recorder has run. */
function notifyOfAny(scope: Construct, { mail }: Topics, watching: readonly Watching[]): void {
  const causes = watching.flatMap(({ symptom: { missing }, alarm }) => [
    AlarmRule.fromAlarm(alarm, AlarmState.ALARM),
    ...(missing === TreatMissingData.MISSING ? [AlarmRule.fromAlarm(alarm, AlarmState.INSUFFICIENT_DATA)] : []),
  ]);
  const any = new CompositeAlarm(scope, 'AnyAlarm', {
    alarmDescription: 'At least one of the other alarms is raised; the e-mail says which. What to do: docs/alarms.md',
    alarmRule: AlarmRule.anyOf(...causes),
  });
  any.addAlarmAction(new SnsAction(mail));
  any.addOkAction(new SnsAction(mail));
}

function createAlarm(scope: Construct, { id, description, metric, threshold, ...symptom }: Symptom): Alarm {
  const [datapointsToAlarm, evaluationPeriods] = symptom.periods ?? [2, 3];
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
    ['Requests to CloudFront', [metrics.edgeRequests]],
    ['Bytes sent by CloudFront', [metrics.edgeBytes]],
    ['Throttled and blocked requests', [metrics.limited, metrics.blocked]],
    ['Successful runs of the recorder', [metrics.recorded]],
    ['History lag (s)', [metrics.historyLag]],
    ['Ledger lag (blocks)', [metrics.ledgerLag]],
    ['Ledger stuck in its past (1: yes), and its mismatches', [metrics.ledgerStuck, metrics.ledgerMismatch]],
    ['Age of the newest archive (s)', [metrics.archiveAge]],
  ];
  // Dashboard names are unique per account, not per region.
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName: `${service}-${Stack.of(scope).region}` });
  const shown = graphs.map(([title, metrics]) => ({ title, left: metrics.filter((metric) => metric !== undefined) }));
  const widgets = shown.filter(({ left }) => left.length > 0);
  dashboard.addWidgets(...widgets.map((graph) => new GraphWidget({ ...graph, width: 8 })));
}
