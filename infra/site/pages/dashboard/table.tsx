import type { ComponentChildren } from 'preact';
import { useMedia } from './media.ts';

export interface Row {
  key: string | number;
  cells: readonly ComponentChildren[];
}

/** A column's name; `number` for numbers, `wide` for text that needs the whole width of a phone. */
export type Column = string | { number: string } | { wide: string };

/** How wide the page has to be for a table with few and with many columns, in the browser's font size. */
const ROOM = { few: '45em', many: '67.5em' };

/** A table with a caption for screen readers. On narrow screens, each row becomes a list of names and values. */
export function Table({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly Column[];
  rows: readonly Row[];
}) {
  const names = columns.map((column) => (typeof column === 'string' ? column : Object.values(column).join()));
  const hasRoom = useMedia(`(min-width: ${columns.length > 6 ? ROOM.many : ROOM.few})`);
  const classOf = (index: number) =>
    Object.keys(Object(columns[index])).find((kind) => kind === 'number' || kind === 'wide');
  return (
    <table class={hasRoom ? undefined : 'rows'}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {names.map((name, index) => (
            <th key={name} scope="col" class={classOf(index)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={names[index]} data-label={names[index]} class={classOf(index)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
