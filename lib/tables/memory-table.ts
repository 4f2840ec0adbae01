import type { Position, RangeOptions, Row, SeriesTable } from './series-table.ts';
import type { TableSchema } from './table-schemas.ts';

/** The rows of each series, in order. */
export type SeriesRows = Map<string, Row[]>;

/** Appends a row to its series. */
export function addRow(loaded: SeriesRows, series: string, row: Row): void {
  const known = loaded.get(series);
  if (known) known.push(row);
  else loaded.set(series, [row]);
}

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
    const rows = this.#rows.get(series) ?? [];
    const first = this.#placeFrom(rows, (position) => position >= from);
    const end = this.#placeFrom(rows, (position) => position > to);
    return reverse
      ? rows.slice(Math.max(first, end - limit), Math.max(first, end)).reverse()
      : rows.slice(first, Math.min(end, first + limit));
  }

  async series(): Promise<string[]> {
    return [...this.#rows.keys()];
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

  async deleteAll(rows: readonly Row[]): Promise<void> {
    for (const row of rows) await this.#replace(row, () => null);
  }

  /** Replaces the row with this key, if any, by the result of `make`: null deletes it. Returns false for undefined. */
  async #replace(key: Row, make: (known: Row | undefined) => Row | null | undefined): Promise<boolean> {
    const series = key[this.#form.series] as string;
    const rows = this.#rows.get(series) ?? [];
    const place = this.#placeFrom(rows, (position) => position >= this.#positionOf(key));
    const at = rows[place];
    const known = at && this.#positionOf(at) === this.#positionOf(key) ? at : undefined;
    const made = make(known);
    if (made === undefined) return false;
    rows.splice(place, known ? 1 : 0, ...(made ? [made] : []));
    this.#rows.set(series, rows);
    return true;
  }

  /** The first index from which on positions are as wanted. */
  #placeFrom(rows: readonly Row[], isWanted: (position: Position) => boolean): number {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (isWanted(this.#positionOf(rows[middle] as Row))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #positionOf(row: Row): Position {
    return row[this.#form.position] as Position;
  }
}
