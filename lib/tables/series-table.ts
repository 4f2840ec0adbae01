/** The value of an attribute. Integers beyond 2^53 are read back as bigints, all others as numbers. */
export type Value =
  | string
  | number
  | bigint
  | ReadonlySet<string>
  | readonly Value[]
  | { readonly [name: string]: Value };

/** The attributes of a row, its series and position among them. Undefined is like missing. */
export type Row = Readonly<Record<string, Value | undefined>>;

/** The position of a row: of one type in a table. Texts are ASCII, so that all stores sort them alike. */
export type Position = string | number;

export interface RangeOptions {
  limit?: number | undefined;
  reverse?: boolean;
  /** True if the rows need no attribute but their position. */
  positionsOnly?: boolean;
}

/** Reads throw UPSTREAM_UNAVAILABLE if the table does not answer; writes throw what the table throws. */
export interface SeriesTable {
  get(series: string, position: Position): Promise<Row | undefined>;
  /** The rows of a series from one position to another, both included, in order. Fewer than `limit` are all. */
  range(series: string, from: Position, to: Position, options?: RangeOptions): Promise<Row[]>;
  /** Writes a row. Returns false if there is one already; that row stays. */
  putIfAbsent(row: Row): Promise<boolean>;
  /** Writes rows, and replaces existing ones. No two of them may have the same key. */
  putAll(rows: readonly Row[]): Promise<void>;
  /**
   * Sets the attributes that `change` returns for a row (`{}` if there is none), removes those that are undefined, and
   * leaves the others. `change` is called again if another process has changed the row meanwhile. Returns false if
   * `change` returns undefined.
   */
  update(series: string, position: Position, change: (row: Row) => Row | undefined): Promise<boolean>;
}
