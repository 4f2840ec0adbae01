/**
 * `lib/ledger`: the events of the protocol's contracts, searched once and kept in a table. `ledgerOf(context)` reads
 * pages of them. Functions that do list `ledger` in their `reads`; only its recorder writes.
 */

import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { perProcess } from '../runtime/context.ts';
import { putAll } from '../tables/batches.ts';
import { durableClient } from '../tables/durable.ts';
import { HolderSums } from './holder-sums.ts';
import { type Entry, type EntryType, subjectOf, subjectsOf } from './ledger-entry.ts';
import { keyOf, type LedgerTable, positionOf, type Row, toEntry, toRow } from './rows.ts';
import { type Coverage, orUnavailable, Searched } from './searched.ts';
import { Times } from './times.ts';
import { putIfAbsent } from './writer.ts';

/**
 * The ledger in DynamoDB: a copy of each entry for every subject that it concerns, sorted by block and log index, and
 * one row with the coverage, the blocks that have been searched. Entries outside it are never shown. It grows only once
 * all rows of the new blocks are written; after that, a row is only written if it is absent. An entry and its key
 * follow from the chain alone: two recorders at once, or one that dies at any moment and is run again, write the same.
 */

/**
 * Maximum of rows read for a page if few of them match: the page is then short, and its cursor continues from there.
 */
const MAX_ROWS_OF_A_PAGE = 6_000;
/** Rows per query, fewer than DynamoDB's page of 1 MB holds: of several subjects merged, none may be cut short. */
const ROWS_OF_A_READ = 2_000;
/** Minimum of rows in the first read if only some types are wanted. */
const ROWS_WITH_TYPES = 200;
/** Up to this many types are read one by one; more of them would select most entries anyway. */
const FEW_TYPES = 5;

/** Which of a subject's entries are wanted. */
export interface PageQuery {
  /** Unix seconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
  type?: readonly EntryType[] | undefined;
  limit: number;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export interface Page {
  /** The newest first. */
  entries: Entry[];
  /** Where the next page begins; missing on the last one. If few entries match, a short page need not be the last. */
  nextCursor?: string;
  coverage: Coverage;
}

/** The process's ledger. */
export const ledgerOf = perProcess(
  'ledger',
  ({ config }) => new LedgerStore(durableClient(), config.ledgerTable, config.network.name),
);

export class LedgerStore {
  /** Which blocks have been searched. */
  readonly searched: Searched;
  /** What holders' entries are summed up to. */
  readonly sums: HolderSums;
  readonly #table: LedgerTable;
  readonly #times = new Times(
    (from, before, limit) => this.#readBefore(subjectOf.protocol, from, positionOf(before), limit),
    (coverage) => this.#readOldest(subjectOf.protocol, coverage),
  );
  #start: number | undefined;

  constructor(client: DynamoDBClient, table: string, network: string, clock: Clock = systemClock) {
    this.#table = { client, name: table, network, clock };
    this.searched = new Searched(this.#table);
    this.sums = new HolderSums(this.#table);
  }

  /** Time of the protocol's first entry, unix seconds; undefined until the coverage is complete. It is read once. */
  async start(): Promise<number | undefined> {
    if (this.#start !== undefined) return this.#start;
    const coverage = await this.searched.coverage();
    if (coverage.complete) this.#start = (await this.#times.oldest(coverage))?.timestamp;
    return this.#start;
  }

  /**
   * A page of a subject's entries in the searched blocks, the newest first. Throws UPSTREAM_UNAVAILABLE if the table
   * does not answer.
   */
  async page(subject: string, { from = 0, to, type: types, limit, cursor }: PageQuery): Promise<Page> {
    // The coverage first, then the rows: rows are written before they are covered.
    const coverage = await this.searched.coverage();
    if (limit === 0) return { entries: [], coverage };
    const end = positionOf(to === undefined ? coverage.to + 1 : await this.#times.blockAfter(to, coverage));
    let before = cursor !== undefined && cursor < end ? cursor : end;
    const subjects = subjectsFor(subject, types);
    let size = types && subjects[0] === subject ? Math.max(limit + 1, ROWS_WITH_TYPES) : limit + 1;
    const entries: Entry[] = [];
    for (let left = MAX_ROWS_OF_A_PAGE; left > 0; size = ROWS_OF_A_READ) {
      const { rows, more } = await this.#readNewest(subjects, coverage.from, before, size);
      left -= rows.length;
      for (const entry of rows) {
        if (entry.timestamp < from) return { entries, coverage };
        // An entry that was found late may be newer than the remembered times of its day.
        const isWanted = (to === undefined || entry.timestamp <= to) && (!types || types.includes(entry.type));
        if (isWanted) {
          if (entries.length === limit) return { entries, nextCursor: before, coverage };
          entries.push(entry);
        }
        before = positionOf(entry.block, entry.logIndex);
      }
      if (!more) return { entries, coverage };
    }
    return { entries, nextCursor: before, coverage };
  }

  /**
   * All entries of a subject in the searched blocks, oldest first. Throws UPSTREAM_UNAVAILABLE if the table is down.
   */
  async all(subject: string): Promise<{ entries: Entry[]; coverage: Coverage }> {
    const coverage = await this.searched.coverage();
    return { entries: await this.between(subject, coverage.from, coverage.to), coverage };
  }

  /** All entries of a subject in some blocks, both included, oldest first. Throws like {@link all}. */
  async between(subject: string, from: number, to: number): Promise<Entry[]> {
    const entries: Entry[] = [];
    for await (const page of this.pagesBetween(subject, from, to)) entries.push(...page);
    return entries;
  }

  /** The same, one page of the table after another. */
  async *pagesBetween(subject: string, from: number, to: number): AsyncGenerator<Entry[]> {
    if (from > to) return;
    let next: Row | undefined;
    do {
      const options = { ExclusiveStartKey: next };
      const { Items = [], LastEvaluatedKey } = await this.#query(
        subject,
        positionOf(from),
        positionOf(to + 1),
        options,
      );
      yield Items.map(toEntry);
      next = LastEvaluatedKey;
    } while (next);
  }

  /**
   * Writes entries, for every subject they concern, and returns how many of them are new. In searched blocks, existing
   * rows stay. Rows of other blocks are not shown yet, so they are written in batches, and all count as new. Throws
   * what the table throws.
   */
  async write(entries: readonly Entry[]): Promise<number> {
    if (entries.length === 0) return 0;
    const { blocks } = await this.searched.read();
    const isSearched = ({ block }: Entry) => blocks !== undefined && blocks.from <= block && block <= blocks.to;
    const { late = [], fresh = [] } = Object.groupBy(entries, (entry) => (isSearched(entry) ? 'late' : 'fresh'));
    const rowsOf = (entry: Entry): Row[] =>
      subjectsOf(entry).map((subject) => ({ subject: { S: keyOf(this.#table, subject) }, ...toRow(entry) }));
    const [isNew] = await Promise.all([
      putIfAbsent(this.#table, late.map(rowsOf)),
      putAll(this.#table, fresh.flatMap(rowsOf)),
    ]);
    return fresh.length + isNew.filter(Boolean).length;
  }

  /** The newest entries of several subjects that have none in common, before a position and down to a block. */
  async #readNewest(subjects: readonly string[], from: number, before: string, limit: number) {
    const pages = await Promise.all(subjects.map((subject) => this.#readBefore(subject, from, before, limit)));
    const rows = pages.flatMap(({ rows }) => rows).sort((a, b) => b.block - a.block || b.logIndex - a.logIndex);
    return { rows: rows.slice(0, limit), more: rows.length > limit || pages.some(({ more }) => more) };
  }

  /** The newest entries before a position and down to a block. */
  async #readBefore(subject: string, from: number, before: string, limit: number) {
    const first = positionOf(from);
    if (before <= first) return { rows: [], more: false };
    const { Items = [], LastEvaluatedKey } = await this.#query(subject, first, before, {
      Limit: limit,
      ScanIndexForward: false,
      ExclusiveStartKey: { subject: { S: keyOf(this.#table, subject) }, position: { S: before } },
    });
    return { rows: Items.map(toEntry), more: LastEvaluatedKey !== undefined };
  }

  async #readOldest(subject: string, { from, to }: Coverage): Promise<Entry | undefined> {
    const { Items = [] } = await this.#query(subject, positionOf(from), positionOf(to + 1), { Limit: 1 });
    return Items.map(toEntry)[0];
  }

  /** A subject's rows from one position to another, both included. */
  #query(subject: string, from: string, to: string, options: Partial<QueryCommandInput>) {
    const command = new QueryCommand({
      TableName: this.#table.name,
      // An eventually consistent read could lack rows that are covered.
      ConsistentRead: true,
      KeyConditionExpression: 'subject = :subject AND #position BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#position': 'position' },
      ExpressionAttributeValues: {
        ':subject': { S: keyOf(this.#table, subject) },
        ':from': { S: from },
        ':to': { S: to },
      },
      ...options,
    });
    return orUnavailable(this.#table.client.send(command));
  }
}

/** The subjects to read for a subject's entries of these types. */
function subjectsFor(subject: string, types: readonly EntryType[] | undefined): string[] {
  const isFew = subject === subjectOf.protocol && types && types.length <= FEW_TYPES;
  return isFew ? types.map(subjectOf.type) : [subject];
}
