import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { DAY } from '../../lib/values/durations.ts';
import type { Settings } from './settings.ts';

/** The topics to which alarms are published. */
export interface Topics {
  /** For a pager: one message per incident. The operator subscribes it, so that its address is in no template. */
  page: Topic;
  /** Every alarm when it is raised and when it is over, the budget, and reminders. */
  mail: Topic;
}

/** The topics, with `alarmEmail` subscribed to `mail`. */
export function createTopics(scope: Construct, alarmEmail: string): Topics {
  const topics = { page: createTopic(scope, 'UrgentAlarms'), mail: createTopic(scope, 'Alarms') };
  topics.mail.addSubscription(new EmailSubscription(alarmEmail));
  for (const topic of Object.values(topics))
    admit(topic, 'cloudwatch', Stack.of(scope).formatArn({ service: 'cloudwatch', resource: 'alarm:*' }));
  admit(topics.mail, 'budgets', Stack.of(scope).formatArn({ service: 'budgets', region: '', resource: '*' }));
  return topics;
}

function createTopic(scope: Construct, id: string): Topic {
  // Without a key: AWS's own for SNS does not allow CloudWatch and Budgets to use it, another one costs a dollar a month,
  // and alarms, which leave by e-mail, contain nothing confidential.
  return new Topic(scope, id, { enforceSSL: true });
}

/** Lets a service publish for these sources in this account. An explicit policy, even that of `enforceSSL`, replaces the default one. */
function admit(topic: Topic, service: string, source: string | string[]): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(`${service}.amazonaws.com`)],
      conditions: {
        StringEquals: { 'aws:SourceAccount': Stack.of(topic).account },
        ArnLike: { 'aws:SourceArn': source },
      },
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
    }),
  );
}

/** Percentages of the budget: AWS counts costs hours late, so the first ones arrive in time to act. */
const NOTICES = [
  { notificationType: 'ACTUAL', threshold: 25 },
  { notificationType: 'ACTUAL', threshold: 50 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
];

/** Notifies when the account has spent a quarter, half and all of its monthly budget, and when it is forecast to. */
export function watchSpending(scope: Construct, topic: Topic, { stage, budget }: Settings): void {
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
    notificationsWithSubscribers: NOTICES.map((notice) => ({
      notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  }).node.addDependency(topic);
}

/** Days from the end on which the operator is reminded. Once more after it, because nothing stops by itself. */
const REMINDER_DAYS = [-30, -7, 1];

/** Reminds the operator of the day on which the service ends. Reminders of the past, which would never come, are left out. */
export function remindOfEnd(scope: Construct, topic: Topic, { stage, endsOn }: Settings): void {
  if (!endsOn) return;
  const dates = REMINDER_DAYS.map((days) => new Date((Date.parse(endsOn) / 1_000 + days * DAY) * 1_000));
  const text = `The service staking-data-${stage} ends on ${endsOn}. Nothing stops by itself, and it costs as before. Follow docs/operations.md#end.`;
  // CDK's own target would let every rule of every account publish.
  const target = { bind: () => ({ arn: topic.topicArn, input: RuleTargetInput.fromText(text) }) };
  const rules = dates
    .filter((date) => date.getTime() > Date.now())
    .map(
      (date) =>
        new Rule(scope, `EndReminder${date.toISOString().slice(0, 10)}`, {
          description: 'Reminds of the end of the service',
          schedule: Schedule.cron({
            minute: '0',
            hour: '9',
            day: String(date.getUTCDate()),
            month: String(date.getUTCMonth() + 1),
            year: String(date.getUTCFullYear()),
          }),
          targets: [target],
        }),
    );
  if (rules.length > 0)
    admit(
      topic,
      'events',
      rules.map(({ ruleArn }) => ruleArn),
    );
}
