import {
  Alarm,
  AlarmRule,
  AlarmState,
  type CfnAlarm,
  ComparisonOperator,
  CompositeAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import { createTopics, remindOfEnd, type Topics, watchSpending } from './alarm-topic.ts';
import { createMetrics, type Watched } from './metrics.ts';
import type { Settings } from './settings.ts';
import { createSymptoms, type Symptom } from './symptoms.ts';

/**
 * Alarms on symptoms that users notice, not on causes, and the budget's notices. Every alarm sends an e-mail when it is
 * raised and when it is over. Those that page feed one alarm, so that an incident with several symptoms is one page.
 * Without an address there are none of these, and no topics.
 */
export function watch(scope: Construct, settings: Settings, watched: Watched): Topics | undefined {
  const { alarmEmail, budget } = settings;
  if (!alarmEmail) return undefined;
  const topics = createTopics(scope, alarmEmail);
  const mail = new SnsAction(topics.mail);
  const urgent: Alarm[] = [];
  for (const symptom of createSymptoms(createMetrics(watched), budget)) {
    const alarm = createAlarm(scope, symptom);
    alarm.addAlarmAction(mail);
    alarm.addOkAction(mail);
    if (symptom.pages) urgent.push(alarm);
  }
  new CompositeAlarm(scope, 'Urgent', {
    alarmDescription:
      'At least one alarm that cannot wait is raised. The e-mails name them. What to do: docs/alarms.md',
    alarmRule: AlarmRule.anyOf(...urgent.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
  }).addAlarmAction(new SnsAction(topics.page));
  watchSpending(scope, topics.mail, settings);
  remindOfEnd(scope, topics.mail, settings);
  return topics;
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
    treatMissingData: symptom.ifMissing ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  if (symptom.fewSamples) (alarm.node.defaultChild as CfnAlarm).evaluateLowSampleCountPercentile = symptom.fewSamples;
  return alarm;
}
