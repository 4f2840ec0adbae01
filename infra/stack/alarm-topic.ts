import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
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

/** The topics, with `alarmEmail` subscribed to `mail`. Only CloudWatch and Budgets of this account may publish. */
export function createTopics(scope: Construct, alarmEmail: string): Topics {
  const topics = { page: createTopic(scope, 'UrgentAlarms'), mail: createTopic(scope, 'Alarms') };
  topics.mail.addSubscription(new EmailSubscription(alarmEmail));
  return topics;
}

function createTopic(scope: Construct, id: string): Topic {
  // Without a key: AWS's own for SNS does not allow CloudWatch and Budgets to use it, another one costs a dollar a month,
  // and alarms, which leave by e-mail, contain nothing confidential.
  const topic = new Topic(scope, id, { enforceSSL: true });
  for (const { service, source } of createPublishers(Stack.of(scope))) {
    const principals = [new ServicePrincipal(service)];
    const conditions = {
      StringEquals: { 'aws:SourceAccount': Stack.of(scope).account },
      ArnLike: { 'aws:SourceArn': source },
    };
    // An explicit policy, even that of `enforceSSL`, replaces the default one, which lets the account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({ principals, conditions, actions: ['sns:Publish'], resources: [topic.topicArn] }),
    );
  }
  return topic;
}

function createPublishers(stack: Stack) {
  return [
    { service: 'cloudwatch.amazonaws.com', source: stack.formatArn({ service: 'cloudwatch', resource: 'alarm:*' }) },
    { service: 'budgets.amazonaws.com', source: stack.formatArn({ service: 'budgets', region: '', resource: '*' }) },
  ];
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

const REMINDER_DAYS = [30, 7];

/** Reminds the operator of the day on which the service ends: nothing stops by itself then. */
export function remindOfEnd(scope: Construct, topic: Topic, { stage, endsOn }: Settings): void {
  if (!endsOn) return;
  for (const days of REMINDER_DAYS) {
    const date = new Date(Date.parse(endsOn) - days * DAY * 1_000);
    new Rule(scope, `EndReminder${days}`, {
      description: `Reminds of the end of the service, ${days} days before`,
      schedule: Schedule.cron({
        minute: '0',
        hour: '9',
        day: String(date.getUTCDate()),
        month: String(date.getUTCMonth() + 1),
        year: String(date.getUTCFullYear()),
      }),
      targets: [
        new SnsTopic(topic, {
          message: RuleTargetInput.fromText(
            `The service staking-data-${stage} ends on ${endsOn}, in ${days} days. Follow docs/operations.md#after-the-end.`,
          ),
        }),
      ],
    });
  }
}
