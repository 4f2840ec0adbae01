import type { ComponentChildren } from 'preact';
import { useMedia } from './media.ts';

/**
 * A column: its name, its cell for a row, and `number` for numbers, `wide` for text that needs the whole width of a phone.
 * False: no column.
 */
type Column<Row> =
  | false
  | readonly [name: string, cellOf: (row: Row) => ComponentChildren, kind?: 'number' | 'wide' | undefined];

/** Least width of the page for a table with few and with many columns, in the browser's font size. */
const ROOM = { few: '45em', many: '67.5em' };

/** A table with a caption for screen readers. On narrow screens, each row becomes a list of names and values. */
export function Table<Row>({
  caption,
  of: rows,
  keyOf,
  columns,
  empty,
}: {
  caption: string;
  of: readonly Row[];
  keyOf: (row: Row) => string | number;
  columns: readonly Column<Row>[];
  /** The text in place of a table without rows. */
  empty?: string;
}) {
  const shown = columns.filter((column) => column !== false);
  const hasRoom = useMedia(`(min-width: ${shown.length > 6 ? ROOM.many : ROOM.few})`);
  if (empty !== undefined && rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table class={hasRoom ? undefined : 'rows'}>
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
        {rows.map((row) => (
          <tr key={keyOf(row)}>
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
