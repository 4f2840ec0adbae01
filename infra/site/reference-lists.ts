/** Lists of fields or parameters. Rows that many sections have are printed once, in a section of their own. */

import { anchorOf } from './markdown.ts';
import type { Row } from './reference-fields.ts';

/** Rows that at least this many sections share are in a section of their own. */
const COMMON = 4;

/** The lists of sections. Of the rows that many sections have, a list has only the names. */
export function createLists(
  kind: 'Parameter' | 'Field',
  sections: readonly (readonly [title: string, rows: readonly Row[]])[],
) {
  const title = `Common ${kind.toLowerCase()}s`;
  const common = commonRows(sections.map(([, rows]) => rows));
  const meanings = new Set(common.map(meaningOf));
  const textOf = (rows: readonly Row[]) => {
    const repeated = rows.filter((row) => meanings.has(meaningOf(row)));
    const isWithin = ({ name }: Row) => repeated.some((outer) => name.startsWith(`${outer.name.replace('?', '')}.`));
    const own = rows.filter((row) => !repeated.includes(row) && !isWithin(row));
    const names = repeated.filter((row) => !isWithin(row)).map(({ name }) => `\`${name}\``);
    return [
      own.length > 0 && `${kind}s:\n\n${list(own)}`,
      names.length > 0 && `[${title}](#${anchorOf(title)}): ${names.join(', ')}.`,
    ]
      .filter(Boolean)
      .join('\n\n');
  };
  const texts = new Map(sections.map(([name, rows]) => [name, textOf(rows)]));
  return { of: (name: string) => texts.get(name) as string, common: list(common) };
}

/** The rows that many sections have: of each name, the one of most sections. */
function commonRows(lists: readonly (readonly Row[])[]): Row[] {
  const uses = [...Map.groupBy(lists.flat(), meaningOf).values()].filter(
    (rows) => rows.length >= COMMON && rows[0]?.description,
  );
  const mostUsed = uses
    .sort((a, b) => b.length - a.length)
    .map(([row, ...others]) => {
      const isSame = others.every(({ values }) => values === row?.values);
      return { ...(row as Row), ...(!isSame && { values: '' }) };
    });
  return [...Map.groupBy(mostUsed, leafOf).values()].map(([row]) => row as Row);
}

function list(rows: readonly Row[]): string {
  return rows
    .map(({ name, type, description, values }) => {
      const meaning = `${description} ${values}`.trim().replace(/\s+/g, ' ');
      return `- \`${name}\` ${type}${meaning && `: ${meaning}`}`;
    })
    .join('\n');
}

/** The name of a field without those of the objects and lists that it is in. */
function leafOf({ name }: Row): string {
  return name.split('.').at(-1) as string;
}

function meaningOf(row: Row): string {
  return JSON.stringify([leafOf(row), row.type, row.description]);
}
