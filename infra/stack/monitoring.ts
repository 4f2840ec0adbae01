import {
  Alarm,
  AlarmRule,
  type CfnAlarm,
  ComparisonOperator,
  CompositeAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import { createTopics, remindOfEnd, type Topics, watchSpending } from './alarm-topic.ts';
import type { Settings } from './settings.ts';
import { createSymptoms, type Symptom, type Watched } from './symptoms.ts';

/**
 * Alarms on symptoms that users notice, not on causes, and the budget's notices. Every alarm sends an e-mail when it is
 * raised and when it is over. Those that page feed one of two composite alarms, so that an incident with several symptoms
 * is one page, and a long one of the data does not silence one of the availability. Without an address there are none of
 * these, and no topics.
 */
export function watch(scope: Construct, settings: Settings, watched: Watched): Topics | undefined {
  if (!settings.alarmEmail) return undefined;
  const topics = createTopics(scope, settings.alarmEmail);
  const mail = new SnsAction(topics.mail);
  const paging = { Down: [] as Alarm[], Lost: [] as Alarm[] };
  for (const symptom of createSymptoms(watched, settings)) {
    const alarm = createAlarm(scope, symptom);
    alarm.addAlarmAction(mail);
    alarm.addOkAction(mail);
    if (symptom.page) paging[symptom.page].push(alarm);
  }
  for (const [id, alarms] of Object.entries(paging))
    new CompositeAlarm(scope, id, {
      alarmDescription: 'The e-mails of the alarms that are raised say what to do.',
      alarmRule: AlarmRule.anyOf(...alarms),
    }).addAlarmAction(new SnsAction(topics.page));
  watchSpending(scope, topics.mail, settings);
  remindOfEnd(scope, topics.mail, settings);
  return topics;
}

function createAlarm(scope: Construct, { id, meaning, first, remedy, metric, threshold, ...symptom }: Symptom): Alarm {
  const [datapointsToAlarm, evaluationPeriods] = symptom.periods ?? [2, 3];
  const alarm = new Alarm(scope, `${id}Alarm`, {
    alarmDescription: `${meaning}\nFirst: ${first}\n${remedy}`,
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
