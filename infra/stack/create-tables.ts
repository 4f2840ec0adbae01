import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { accept } from './nag.ts';
import type { Settings } from './settings.ts';
import { TABLES } from './tables.ts';

export function createTables(scope: Construct, settings: Settings): Record<keyof typeof TABLES, ITable> {
  return { ...createDurableTables(scope, settings), cache: createCacheTable(scope) };
}

/**
 * History and ledger outlive the stack: they are retained, unless the very deployment that creates them fails. Under fixed names,
 * a new stack can take them over (`cdk deploy --import-existing-resources`). They are protected from deletion by hand, after
 * the first deployment (docs/operations.md): CloudFormation could not undo one that fails with a protection of the template.
 */
function createDurableTables(parent: Construct, { stage, historyTable, ledgerTable }: Settings) {
  const scope = new Construct(parent, 'Durable');
  /** The stack's own table or, if one is `named`, that one, which stays as it is. */
  const create = (name: 'history' | 'ledger', id: string, named: string | undefined, maxWriteRequestUnits: number) => {
    if (named) return Table.fromTableName(scope, id, named);
    const { partitionKey, sortKey } = TABLES[name];
    return new Table(scope, id, {
      tableName: `staking-data-${stage}-${name}`,
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: { name: sortKey.name, type: sortKey.type as AttributeType },
      maxReadRequestUnits: 1_000,
      maxWriteRequestUnits,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  };
  return {
    history: create('history', 'HistoryTable', historyTable, 200),
    ledger: create('ledger', 'LedgerTable', ledgerTable, 1_000),
  };
}

/**
 * The cache of responses and datasets. On demand, because traffic comes in bursts and an idle table costs nothing. The ceilings
 * are about ten times the usual use (docs/costs.md). Table rather than TableV2, which emulators do not support.
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
