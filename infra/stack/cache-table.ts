import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { accept } from './nag.ts';
import { TABLES } from './tables.ts';

/**
 * The cache of responses and datasets. On demand, because traffic comes in bursts and an idle table costs nothing. Public
 * data needs no key of its own, and requests with DynamoDB's key are free. Table rather than TableV2, which is meant for
 * replicas and not supported by emulators and importers. The maximum units per second are about ten times the usual use,
 * and cap the bill (docs/costs.md).
 */
export function createCacheTable(scope: Construct): Table {
  const cache = new Table(scope, 'CacheTable', {
    billingMode: BillingMode.PAY_PER_REQUEST,
    partitionKey: { name: TABLES.cache.partitionKey, type: AttributeType.STRING },
    timeToLiveAttribute: TABLES.cache.ttlAttribute,
    maxReadRequestUnits: 2_000,
    maxWriteRequestUnits: 1_000,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  accept(cache, 'DDB3', 'A cache needs no point-in-time recovery: its sources can be read again.');
  return cache;
}
