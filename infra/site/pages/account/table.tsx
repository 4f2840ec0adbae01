import type { ComponentChildren } from 'preact';

/** A column: its name, its cell for a row, and `number` for numbers, `wide` for text that needs a phone's width. False: none. */
type Column<Row> = false | readonly [name: string, cellOf: (row: Row) => ComponentChildren, kind?: 'number' | 'wide'];

/** Tables with more columns become lists on narrow screens. */
const MOST_COLUMNS = 4;

interface TableProps<Row> {
  /** For screen readers. */
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  empty?: string;
}

export function Table<Row>({ caption, rows, columns, empty }: TableProps<Row>) {
  const shown = columns.filter((column) => column !== false);
  if (empty !== undefined && rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table class={shown.length > MOST_COLUMNS ? 'rows' : undefined}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {shown.map(([name, , kind]) => (
            <th key={name} scope="col" class={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {shown.map(([name, cellOf, kind]) => (
              <td key={name} data-label={name} class={kind}>
                {cellOf(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
