import type { Position, RangeOptions, Row, SeriesTable } from '../../lib/tables/series-table.ts';
import type { TableSchema } from '../../lib/tables/table-schemas.ts';

/** The rows of each series, in order. */
export type SeriesRows = Map<string, Row[]>;

/** Series in memory. */
export class MemoryTable implements SeriesTable {
  readonly #form: TableSchema;
  readonly #rows: SeriesRows;

  constructor(form: TableSchema, rows: SeriesRows = new Map()) {
    this.#form = form;
    this.#rows = rows;
  }

  async get(series: string, position: Position): Promise<Row | undefined> {
    return (await this.range(series, position, position))[0];
  }

  async range(series: string, from: Position, to: Position, options: RangeOptions = {}): Promise<Row[]> {
    const { limit = Number.POSITIVE_INFINITY, reverse = false } = options;
    const rows = (this.#rows.get(series) ?? []).filter(
      (row) => from <= this.#positionOf(row) && this.#positionOf(row) <= to,
    );
    return (reverse ? rows.reverse() : rows).slice(0, limit);
  }

  putIfAbsent(row: Row): Promise<boolean> {
    return this.#replace(row, (known) => (known ? undefined : row));
  }

  async putAll(rows: readonly Row[]): Promise<void> {
    for (const row of rows) await this.#replace(row, () => row);
  }

  update(series: string, position: Position, change: (row: Row) => Row | undefined): Promise<boolean> {
    const key = { [this.#form.series]: series, [this.#form.position]: position };
    return this.#replace(key, (known = {}) => {
      const changed = change(known);
      return changed && { ...known, ...changed, ...key };
    });
  }

  /** Replaces the row with this key, if any, by the result of `make`. Returns false for undefined. */
  async #replace(key: Row, make: (known: Row | undefined) => Row | undefined): Promise<boolean> {
    const series = key[this.#form.series] as string;
    const position = this.#positionOf(key);
    const rows = this.#rows.get(series) ?? [];
    const made = make(rows.find((row) => this.#positionOf(row) === position));
    if (made === undefined) return false;
    const others = rows.filter((row) => this.#positionOf(row) !== position);
    const place = others.findIndex((row) => this.#positionOf(row) > position);
    others.splice(place < 0 ? others.length : place, 0, made);
    this.#rows.set(series, others);
    return true;
  }

  #positionOf(row: Row): Position {
    return row[this.#form.position] as Position;
  }
}
