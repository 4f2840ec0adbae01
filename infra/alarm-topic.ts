import { Annotations, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** AWS keeps a key that is to go for at least this long. */
const KEY_PENDING = Duration.days(7);

/** Where alarms go, and the budget's mails: a topic to which AWS may write for this account, and nobody else. */
export function createTopic(scope: Construct, email: string | undefined): Topic {
  // AWS's own key for SNS lets neither CloudWatch nor Budgets publish.
  const masterKey = new Key(scope, 'AlarmKey', {
    enableKeyRotation: true,
    description: 'Encrypts the alarms of the staking data service',
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: KEY_PENDING,
  });
  const topic = new Topic(scope, 'Alarms', { masterKey, enforceSSL: true });
  for (const { service, source } of publishersOf(Stack.of(scope))) {
    const principals = [new ServicePrincipal(service)];
    const conditions = {
      StringEquals: { 'aws:SourceAccount': Stack.of(scope).account },
      ArnLike: { 'aws:SourceArn': source },
    };
    // A policy of one's own takes the place of the one that lets the account publish: with `enforceSSL` alone nobody may.
    topic.addToResourcePolicy(
      new PolicyStatement({ principals, conditions, actions: ['sns:Publish'], resources: [topic.topicArn] }),
    );
    masterKey.addToResourcePolicy(
      new PolicyStatement({
        principals,
        conditions,
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
      }),
    );
  }
  if (email) topic.addSubscription(new EmailSubscription(email));
  else
    Annotations.of(scope).addWarningV2(
      'staking-data:alarmEmail',
      'Nobody is told of alarms: set the option alarmEmail.',
    );
  return topic;
}

function publishersOf(stack: Stack) {
  return [
    { service: 'cloudwatch.amazonaws.com', source: stack.formatArn({ service: 'cloudwatch', resource: 'alarm:*' }) },
    { service: 'budgets.amazonaws.com', source: stack.formatArn({ service: 'budgets', region: '', resource: '*' }) },
  ];
}

/** Tells when the account has spent the month's budget, and when it looks as if it will. */
export function watchSpending(scope: Construct, topic: Topic, { stage, budget }: Settings): void {
  new CfnBudget(scope, 'Budget', {
    budget: {
      // An account has one list of names for all its regions, and a stage that moves is in two for a while.
      budgetName: `staking-data-${stage}-${Stack.of(scope).region}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      // Of the whole account: a tag counts only from the day on which somebody turns it on for billing.
      budgetLimit: { amount: budget, unit: 'USD' },
    },
    notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
      notification: {
        notificationType,
        comparisonOperator: 'GREATER_THAN',
        threshold: 100,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  }).node.addDependency(topic);
}
