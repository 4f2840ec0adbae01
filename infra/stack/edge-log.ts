import { RemovalPolicy } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { edgeLogName } from './names.ts';

/** One line per request, without the client's address, user agent, referrer and query. */
const ACCESS_LOG = [
  'date',
  'time',
  'x-edge-location',
  'x-edge-request-id',
  'cs-method',
  'cs-uri-stem',
  'cs-protocol-version',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
];

/** Writes CloudFront's access log to a log group. */
export function logAccess(scope: Construct, distribution: Distribution, stage: string): void {
  const log = new LogGroup(scope, 'EdgeLogs', {
    logGroupName: edgeLogName({ stage }),
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const source = new CfnDeliverySource(scope, 'EdgeLogSource', {
    name: `staking-data-${stage}-edge`,
    logType: 'ACCESS_LOGS',
    resourceArn: distribution.distributionArn,
  });
  const destination = new CfnDeliveryDestination(scope, 'EdgeLogDestination', {
    name: `staking-data-${stage}-edge`,
    destinationResourceArn: log.logGroupArn,
    outputFormat: 'json',
  });
  const delivery = new CfnDelivery(scope, 'EdgeLogDelivery', {
    deliverySourceName: source.name,
    deliveryDestinationArn: destination.attrArn,
    recordFields: ACCESS_LOG,
  });
  delivery.addResourceDependency(source);
}
