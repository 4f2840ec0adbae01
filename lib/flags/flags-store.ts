/** What `npm run flags` has set: one item of the history's table, beside the points. */

import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { perProcess } from '../runtime/context.ts';
import { durableClient } from '../tables/durable.ts';
import { conditional } from '../tables/dynamodb.ts';
import { countIn, textIn } from '../tables/rows.ts';
import { type Flags, parseFlags } from './document.ts';

export interface StoredFlags {
  /** How often flags have been set. */
  version: number;
  /** When they were set last, unix seconds. */
  updatedAt: number;
  flags: Flags;
}

/** The process's store of flags. */
export const flagsStoreOf = perProcess(
  'flags',
  ({ config }) => new FlagsStore(durableClient(), config.historyTable, config.network.name),
);

export class FlagsStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #key;

  /** `network` separates networks that share a table. */
  constructor(client: DynamoDBClient, table: string, network: string) {
    this.#client = client;
    this.#table = table;
    this.#key = { series: { S: `${network}#flags` }, timestamp: { N: '0' } };
  }

  /** Undefined before any has been set. Throws if the table does not answer, or what it holds are no flags. */
  async read(): Promise<StoredFlags | undefined> {
    const { Item } = await this.#client.send(new GetItemCommand({ TableName: this.#table, Key: this.#key }));
    if (!Item) return undefined;
    return {
      version: countIn(Item.version),
      updatedAt: countIn(Item.updatedAt),
      flags: parseFlags(textIn(Item.flags)),
    };
  }

  /** Writes the version after those that have been read. False if somebody else has done so meanwhile. */
  write({ version, updatedAt, flags }: StoredFlags): Promise<boolean> {
    return conditional(
      this.#client.send(
        new PutItemCommand({
          TableName: this.#table,
          Item: {
            ...this.#key,
            version: { N: String(version) },
            updatedAt: { N: String(updatedAt) },
            flags: { S: JSON.stringify(flags) },
          },
          ConditionExpression: 'attribute_not_exists(version) OR version < :version',
          ExpressionAttributeValues: { ':version': { N: String(version) } },
        }),
      ),
    );
  }
}
