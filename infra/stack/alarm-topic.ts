import { Annotations, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Who hears of alarms. */
export interface Topics {
  /** What somebody has to look at now, at any hour. */
  page: Topic;
  /** What can wait until the morning. */
  mail: Topic;
}

/** The topics for alarms and budget notifications. Only CloudWatch and Budgets may publish to them, for this account. */
export function createTopics(scope: Construct, { alarmEmail, pageEmail = alarmEmail }: Settings): Topics {
  if (!alarmEmail)
    Annotations.of(scope).addWarningV2(
      'staking-data:alarmEmail',
      'Nobody is notified of alarms: set the option alarmEmail.',
    );
  return { page: createTopic(scope, 'UrgentAlarms', pageEmail), mail: createTopic(scope, 'Alarms', alarmEmail) };
}

function createTopic(scope: Construct, id: string, email: string | undefined): Topic {
  // Without a key: AWS's own for SNS does not allow CloudWatch and Budgets to use it, another one costs a dollar a month,
  // and alarms, which leave by e-mail, say nothing confidential.
  const topic = new Topic(scope, id, { enforceSSL: true });
  for (const { service, source } of publishersOf(Stack.of(scope))) {
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
  if (email) topic.addSubscription(new EmailSubscription(email));
  return topic;
}

function publishersOf(stack: Stack) {
  return [
    { service: 'cloudwatch.amazonaws.com', source: stack.formatArn({ service: 'cloudwatch', resource: 'alarm:*' }) },
    { service: 'budgets.amazonaws.com', source: stack.formatArn({ service: 'budgets', region: '', resource: '*' }) },
  ];
}

/** Percentages of the budget: AWS counts costs hours late, so the first ones come in time to do something. */
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
      // Budget names are unique per account, not per region, and a stage that moves is in two regions for a while.
      budgetName: `staking-data-${stage}-${Stack.of(scope).region}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      // For the whole account: costs can be filtered by a tag only from when it is activated for billing, by hand.
      budgetLimit: { amount: budget, unit: 'USD' },
      // What would have to be paid without the credits that new accounts often have, and that end one day.
      costTypes: { includeCredit: false, includeRefund: false },
    },
    notificationsWithSubscribers: NOTICES.map((notice) => ({
      notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  }).node.addDependency(topic);
}
