import type { Column } from './column.ts';

/**
 * A kind of data that an archive holds: one list of columns, from which the files, their description and the import are
 * derived.
 */
export interface Kind {
  /** The name of its files: `events.parquet`, `events.csv`. */
  name: string;
  /** What a row is, and how the rows are sorted. */
  meaning: string;
  columns: readonly Column[];
  /** The column whose year decides the file that a row is in; all rows are in one file without it. */
  yearOf?: string;
}
