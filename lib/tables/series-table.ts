/**
 * What points and events are kept in: rows by series, and in each by position. Everything that is kept is read and
 * written through this interface: from DynamoDB, or from memory (website of an archive, tests).
 */

/** What an attribute can be. Integers beyond 2^53 are read back as bigints, all others as numbers. */
export type Value =
  | string
  | number
  | bigint
  | ReadonlySet<string>
  | readonly Value[]
  | { readonly [name: string]: Value };

/** The attributes of a row, its series and position among them. Undefined is like missing. */
export type Row = Readonly<Record<string, Value | undefined>>;

/** All positions of a table are of one kind. Texts are ASCII, so that all sort them alike. */
export type Position = string | number;

export interface RangeOptions {
  /** The most rows that are read; by default all. */
  limit?: number | undefined;
  /** The last ones first. */
  reverse?: boolean;
  /** The rows need no attribute but their position. */
  positionsOnly?: boolean;
}

/** Reads throw UPSTREAM_UNAVAILABLE if the table does not answer; writes throw what the table throws. */
export interface SeriesTable {
  get(series: string, position: Position): Promise<Row | undefined>;
  /** The rows of a series from one position to another, both included, in order. Fewer than `limit` are all. */
  range(series: string, from: Position, to: Position, options?: RangeOptions): Promise<Row[]>;
  /** The names of all series, in no particular order. `end` is behind all positions. It costs a request for each. */
  series(end: Position): Promise<string[]>;
  /** Writes a row. False if there is one already, which then stays. */
  putIfAbsent(row: Row): Promise<boolean>;
  /** Writes rows, whether or not they exist. No two of them may have the same key. */
  putAll(rows: readonly Row[]): Promise<void>;
  /**
   * Sets the attributes that `change` makes of a row (of none: `{}`), removes those that are undefined, and leaves the
   * others. It is asked again if somebody else has changed the row meanwhile. False if it makes nothing of it.
   */
  update(series: string, position: Position, change: (row: Row) => Row | undefined): Promise<boolean>;
  /** Deletes rows, whether or not they exist. Only their keys are used. */
  deleteAll(rows: readonly Row[]): Promise<void>;
}
