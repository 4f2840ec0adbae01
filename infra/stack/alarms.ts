import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import {
  Alarm,
  AlarmRule,
  type CfnAlarm,
  ComparisonOperator,
  CompositeAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { DAY } from '../../lib/values/durations.ts';
import type { Settings } from './settings.ts';
import type { Symptom } from './symptoms.ts';

interface Topics {
  /** For a pager: one message per incident. The operator subscribes it, so that its address is in no template. */
  page: Topic;
  /** Every alarm when it is raised and when it is over, the budget, and reminders. `alarmEmail` is subscribed. */
  mail: Topic;
}

/**
 * Alarms on symptoms that users notice, not on causes, and the budget's notices; none without an address. Alarms that page
 * feed one of two composite alarms, so that an incident with several symptoms is one page, and a long one of the data does not
 * silence one of the availability.
 */
export function watch(scope: Construct, settings: Settings, symptoms: Symptom[]) {
  if (!settings.alarmEmail) return undefined;
  const topics = createTopics(scope, settings.alarmEmail);
  const mail = new SnsAction(topics.mail);
  const paging = { Down: [] as Alarm[], Lost: [] as Alarm[] };
  for (const symptom of symptoms) {
    const alarm = createAlarm(scope, symptom);
    alarm.addAlarmAction(mail);
    alarm.addOkAction(mail);
    if (symptom.page) paging[symptom.page].push(alarm);
  }
  for (const [id, alarms] of Object.entries(paging)) {
    const alarmDescription = 'The e-mails of the alarms that are raised say what to do.';
    const pager = new CompositeAlarm(scope, id, { alarmDescription, alarmRule: AlarmRule.anyOf(...alarms) });
    pager.addAlarmAction(new SnsAction(topics.page));
  }
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

function createTopics(scope: Construct, alarmEmail: string): Topics {
  // Without a key: AWS's own for SNS does not allow CloudWatch and Budgets to use it, another one costs a dollar a month,
  // and alarms, which leave by e-mail, contain nothing confidential.
  const page = new Topic(scope, 'UrgentAlarms', { enforceSSL: true });
  const mail = new Topic(scope, 'Alarms', { enforceSSL: true });
  mail.addSubscription(new EmailSubscription(alarmEmail));
  for (const topic of [page, mail]) admit(topic, 'cloudwatch', `cloudwatch:${Stack.of(scope).region}`, 'alarm:*');
  admit(mail, 'budgets', 'budgets:', '*');
  return { page, mail };
}

/**
 * Lets a service publish to a topic, with a source (its service and region, and its name) only for that one in this account. An
 * explicit policy, even that of `enforceSSL`, replaces the default one.
 */
function admit(topic: Topic, service: string, source?: string, name?: string): void {
  const { partition, account } = Stack.of(topic);
  const conditions = {
    StringEquals: { 'aws:SourceAccount': account },
    ArnLike: { 'aws:SourceArn': `arn:${partition}:${source}:${account}:${name}` },
  };
  const principals = [new ServicePrincipal(`${service}.amazonaws.com`)];
  const statement = {
    principals,
    actions: ['sns:Publish'],
    resources: [topic.topicArn],
    ...(source && { conditions }),
  };
  topic.addToResourcePolicy(new PolicyStatement(statement));
}

/** Percentages of the budget: AWS counts costs hours late, so the first ones arrive in time to act. */
const NOTICES = [...[25, 50, 100].map((percent) => ['ACTUAL', percent] as const), ['FORECASTED', 100] as const];

function watchSpending(scope: Construct, topic: Topic, { stage, budget }: Settings): void {
  new CfnBudget(scope, 'Budget', {
    budget: {
      // Budget names are unique per account.
      budgetName: `staking-data-${stage}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      // For the whole account: costs can be filtered by a tag only from when it is activated for billing, by hand.
      budgetLimit: { amount: budget, unit: 'USD' },
      // The costs without the credits that new accounts often have, and that end one day.
      costTypes: { includeCredit: false, includeRefund: false },
    },
    notificationsWithSubscribers: NOTICES.map(([notificationType, threshold]) => ({
      notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  }).node.addDependency(topic);
}

/** Days from the end on which the operator is reminded. Once more after it, because nothing stops by itself. */
const REMINDER_DAYS = [-30, -7, 1];

/** Reminders of the past, which would never come, are left out. */
function remindOfEnd(scope: Construct, topic: Topic, { stage, endsOn }: Settings): void {
  if (!endsOn) return;
  const text = `The service staking-data-${stage} ends on ${endsOn}. Nothing stops by itself, and it costs as before. Follow docs/operations.md#end.`;
  const target = { bind: () => ({ arn: topic.topicArn, input: RuleTargetInput.fromText(text) }) };
  const dates = REMINDER_DAYS.map((days) => new Date(Date.parse(endsOn) + days * DAY * 1_000));
  for (const date of dates.filter((each) => each.getTime() > Date.now())) {
    const text = date.toISOString().slice(0, 10);
    const [year, month, day] = text.split('-').map(Number);
    new Rule(scope, `EndReminder${text}`, {
      description: 'Reminds of the end of the service',
      schedule: Schedule.expression(`cron(0 9 ${day} ${month} ? ${year})`),
      targets: [target],
    });
  }
  // "You can't use Condition blocks in Amazon SNS topic policies for EventBridge", and a target of this kind should have no
  // role: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html. Others could only send a mail.
  admit(topic, 'events');
}
