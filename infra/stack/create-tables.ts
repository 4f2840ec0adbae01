import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { accept } from './nag.ts';
import type { Settings } from './settings.ts';
import { TABLES } from './tables.ts';

export function createTables(scope: Construct, settings: Settings): Record<keyof typeof TABLES, ITable> {
  return { ...createDurableTables(scope, settings), cache: createCacheTable(scope) };
}

/**
 * The data that outlives the stack: history and ledger. Providers may stop serving old states, and indexing years of blocks
 * takes hours. The tables are retained, unless the very deployment that creates them fails. Their names
 * are fixed, so that a new stack can take them over: `cdk deploy --import-existing-resources`. They are protected from
 * deletion by hand, after the first deployment (docs/operations.md): with a protection of the template, CloudFormation
 * could not undo a first deployment that fails. Updates leave it on.
 */
function createDurableTables(parent: Construct, { stage, historyTable, ledgerTable }: Settings) {
  const scope = new Construct(parent, 'Durable');
  return {
    history: durableTable(scope, 'HistoryTable', historyTable, {
      tableName: `staking-data-${stage}-history`,
      partitionKey: { name: TABLES.history.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLES.history.sortKey.name, type: AttributeType.NUMBER },
      maxReadRequestUnits: 1_000,
      maxWriteRequestUnits: 200,
    }),
    ledger: durableTable(scope, 'LedgerTable', ledgerTable, {
      tableName: `staking-data-${stage}-ledger`,
      partitionKey: { name: TABLES.ledger.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLES.ledger.sortKey.name, type: AttributeType.STRING },
      maxReadRequestUnits: 1_000,
      maxWriteRequestUnits: 1_000,
    }),
  };
}

/** The stack's own table or, if one is named, that one, which stays as it is. */
function durableTable(scope: Construct, id: string, named: string | undefined, props: TableProps): ITable {
  if (named) return Table.fromTableName(scope, id, named);
  return new Table(scope, id, {
    ...props,
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
}

/**
 * The cache of responses and datasets. On demand, because traffic comes in bursts and an idle table costs nothing. Public
 * data needs no key of its own, and requests with DynamoDB's key are free. Table rather than TableV2, which is meant for
 * replicas and not supported by emulators and importers. The maximum units per second are about ten times the usual use,
 * and cap the bill (docs/costs.md).
 */
function createCacheTable(scope: Construct): Table {
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
