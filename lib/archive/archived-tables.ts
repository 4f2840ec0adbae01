/**
 * Tables that are read from memory instead of DynamoDB, by the same stores: what they ask for is the range of a
 * partition. Nothing can be written.
 */

import {
  type AttributeValue,
  DynamoDBClient,
  GetItemCommand,
  type GetItemCommandOutput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;

/** The items of a partition, in the order of their sort keys. */
export interface Partition {
  length: number;
  sortKey(place: number): string | number;
  item(place: number): Item;
}

export interface ArchivedTable {
  /** The name of the sort key. */
  sortKey: string;
  /** The partition with a key, if there is one. Rejects if it cannot be read. */
  partition(key: string): Promise<Partition | undefined>;
  /** The item that has the partition to itself. */
  single?(key: string): Item | undefined;
}

/** A client of one table. */
export function clientOf(table: ArchivedTable): DynamoDBClient {
  const send = async (command: unknown) => {
    if (command instanceof QueryCommand) return query(table, command.input);
    if (command instanceof GetItemCommand) return get(table, command.input.Key ?? {});
    throw new Error('an archive cannot be written, and has no other index');
  };
  // The SDK's paginators take nothing that is no client of theirs.
  return Object.assign(Object.create(DynamoDBClient.prototype), { send });
}

function get({ single }: ArchivedTable, key: Item): Pick<GetItemCommandOutput, 'Item'> {
  return { Item: single?.(key.subject?.S ?? '') };
}

async function query(
  { sortKey, partition: partitionOf }: ArchivedTable,
  { ExpressionAttributeValues: values = {}, ExclusiveStartKey, ScanIndexForward = true, Limit }: QueryCommandInput,
): Promise<Pick<QueryCommandOutput, 'Items' | 'LastEvaluatedKey'>> {
  const { ':from': from, ':to': to, ...others } = values;
  const [key] = Object.values(others);
  const partition = await partitionOf(key?.S ?? '');
  if (!partition) return { Items: [] };
  const start = ExclusiveStartKey?.[sortKey];
  let first = placeOf(partition, (sortKey) => sortKey >= comparable(from));
  let end = placeOf(partition, (sortKey) => sortKey > comparable(to));
  if (start && ScanIndexForward)
    first = Math.max(
      first,
      placeOf(partition, (sortKey) => sortKey > comparable(start)),
    );
  if (start && !ScanIndexForward)
    end = Math.min(
      end,
      placeOf(partition, (sortKey) => sortKey >= comparable(start)),
    );
  const all = Math.max(0, end - first);
  const count = Math.min(all, Limit ?? all);
  const Items = Array.from({ length: count }, (_, index) =>
    partition.item(ScanIndexForward ? first + index : end - 1 - index),
  );
  const last = Items.at(-1);
  return { Items, ...(count < all && last && { LastEvaluatedKey: { [sortKey]: last[sortKey] as AttributeValue } }) };
}

function comparable(attribute: AttributeValue | undefined): string | number {
  return attribute?.N === undefined ? (attribute?.S ?? '') : Number(attribute.N);
}

/** The first place from which on the sort keys are as wanted. */
function placeOf({ length, sortKey }: Partition, isWanted: (key: string | number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isWanted(sortKey(middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
