import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Settings } from './settings.ts';
import { TABLES } from './tables.ts';

/**
 * The data that outlives the stack: history and ledger. Providers may stop serving old states, and indexing years of blocks
 * takes hours. The tables are retained, unless the very deployment that creates them fails. Their names
 * are fixed, so that a new stack can take them over: `cdk deploy --import-existing-resources`. They are protected from
 * deletion by hand, after the first deployment (docs/operations.md): with a protection of the template, CloudFormation
 * could not undo a first deployment that fails. Updates leave it on.
 */
export class DurableData extends Construct {
  readonly history: ITable;
  readonly ledger: ITable;

  constructor(scope: Construct, { stage, historyTable, ledgerTable }: Settings) {
    super(scope, 'Durable');
    this.history = durableTable(this, 'HistoryTable', historyTable, {
      tableName: `staking-data-${stage}-history`,
      partitionKey: { name: TABLES.history.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLES.history.sortKey.name, type: AttributeType.NUMBER },
      maxReadRequestUnits: 1_000,
      maxWriteRequestUnits: 200,
    });
    this.ledger = durableTable(this, 'LedgerTable', ledgerTable, {
      tableName: `staking-data-${stage}-ledger`,
      partitionKey: { name: TABLES.ledger.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLES.ledger.sortKey.name, type: AttributeType.STRING },
      maxReadRequestUnits: 1_000,
      maxWriteRequestUnits: 1_000,
    });
  }
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
