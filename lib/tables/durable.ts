import type { Context } from '../runtime/context.ts';
import { DynamoTable } from './dynamo-table.ts';
import { dynamoDB } from './dynamodb.ts';
import type { TableSchema } from './table-schemas.ts';

/** A table that is the only source of its data: its client waits longer than the cache's. */
export function durableTable(
  name: string,
  form: TableSchema,
  { limits, clock }: Pick<Context, 'limits' | 'clock'>,
): DynamoTable {
  return new DynamoTable(dynamoDB(limits.durableTableMs), name, form, clock);
}
