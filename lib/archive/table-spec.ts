import type { Interval } from '../history/series.ts';
import type { Column, Row } from './column.ts';
import type { PointColumns } from './point-row.ts';

/** A table of an archive: one list of columns, from which the files, their description and the import are derived. */
export interface TableSpec {
  /** The name of its files: `events.parquet`, `events.csv`. */
  name: string;
  /** Description of a row, and the order of the rows. */
  meaning: string;
  columns: readonly Column[];
  /** The column whose year decides the file that a row is in; all rows are in one file without it. */
  yearOf?: string;
}

/** A series of the history's table besides the protocol's own. */
export interface Series {
  name: string;
  interval: Interval;
}

/** A table that holds such series, point by point. */
export interface SeriesTableSpec extends TableSpec, PointColumns {
  intervals: readonly Interval[];
  /** True if a series of this name belongs in the table. */
  holds(name: string): boolean;
  /** The cells that name a series. `seriesOf` is the inverse. */
  cellsOf(series: Series): Row;
  seriesOf(row: Row): Series;
}
