import type { TableForm } from './forms.ts';
import type { Position, RangeOptions, Row, SeriesTable } from './series-table.ts';

/** The rows of each series, in order. */
export type SeriesRows = Map<string, Row[]>;

/** Adds a row behind those of its series. */
export function addRow(loaded: SeriesRows, series: string, row: Row): void {
  const known = loaded.get(series);
  if (known) known.push(row);
  else loaded.set(series, [row]);
}

type Loaded = SeriesRows | Promise<SeriesRows>;

/** Series in memory. */
export class MemoryTable implements SeriesTable {
  readonly #form: TableForm;
  readonly #parts: readonly Loaded[];
  readonly #first: Loaded;

  /** Parts may be on their way: a series is looked for in one after another. New ones are written into the first. */
  constructor(form: TableForm, first: Loaded = new Map(), ...others: readonly Loaded[]) {
    this.#form = form;
    this.#first = first;
    this.#parts = [first, ...others];
  }

  async get(series: string, position: Position): Promise<Row | undefined> {
    return (await this.range(series, position, position))[0];
  }

  async range(series: string, from: Position, to: Position, options: RangeOptions = {}): Promise<Row[]> {
    const { limit = Number.POSITIVE_INFINITY, reverse = false } = options;
    const rows = (await this.#find(series)) ?? [];
    const first = this.#placeFrom(rows, (position) => position >= from);
    const end = this.#placeFrom(rows, (position) => position > to);
    return reverse
      ? rows.slice(Math.max(first, end - limit), Math.max(first, end)).reverse()
      : rows.slice(first, Math.min(end, first + limit));
  }

  async series(): Promise<string[]> {
    return (await Promise.all(this.#parts)).flatMap((part) => [...part.keys()]);
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

  async #find(series: string): Promise<Row[] | undefined> {
    for (const part of this.#parts) {
      const rows = (await part).get(series);
      if (rows) return rows;
    }
    return undefined;
  }

  /** Replaces the row with this key, or the lack of it, by what `make` makes of it: null is none. False if that is undefined. */
  async #replace(key: Row, make: (known: Row | undefined) => Row | null | undefined): Promise<boolean> {
    const series = key[this.#form.series] as string;
    const [found, first] = [await this.#find(series), await this.#first];
    const rows = found ?? first.get(series) ?? [];
    const place = this.#placeFrom(rows, (position) => position >= this.#positionOf(key));
    const at = rows[place];
    const known = at && this.#positionOf(at) === this.#positionOf(key) ? at : undefined;
    const made = make(known);
    if (made === undefined) return false;
    rows.splice(place, known ? 1 : 0, ...(made ? [made] : []));
    if (!found) first.set(series, rows);
    return true;
  }

  /** The first place from which on positions are as wanted. */
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
