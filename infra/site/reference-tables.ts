/** Tables that print each row once. Where another table has the same row, it names the section that has it. */

import { anchorOf } from './markdown.ts';
import type { Row } from './reference-fields.ts';

/** Rows that at least this many tables share are in a table of their own. */
const COMMON = 4;
/** Number of words of repeated rows from which a reference to another section is worth following. */
const MIN_WORDS = 20;

interface Tables {
  /** The table of a section. */
  of: (title: string) => string;
  /** The table of the common rows. */
  common: string;
}

type Section = readonly [title: string, rows: readonly Row[]];

/** The tables of `sections`. Of several sections with the same rows, the first one prints them. */
export function createTables(kind: 'Parameter' | 'Field', sections: readonly Section[]): Tables {
  const commonTitle = `Common ${kind.toLowerCase()}s`;
  const common = commonRows(sections.map(([, rows]) => rows));
  const commonMeanings = new Set(common.map(meaningOf));
  const owners = new Map<string, string>();
  for (const [title, rows] of sections) {
    for (const row of rows) if (!owners.has(keyOf(row))) owners.set(keyOf(row), title);
  }
  const textOf = ([title, rows]: Section) => {
    const ownerOf = (row: Row) => (commonMeanings.has(meaningOf(row)) ? commonTitle : owners.get(keyOf(row)));
    const references = [...Map.groupBy(rows, ownerOf)].filter(
      ([owner, repeated]) => owner === commonTitle || (owner !== title && wordsIn(repeated) >= MIN_WORDS),
    );
    const repeated = references.flatMap(([, repeated]) => repeated);
    const isWithin = ({ name }: Row) => repeated.some((outer) => name.startsWith(`${outer.name.replace('?', '')}.`));
    const own = rows.filter((row) => !repeated.includes(row) && !isWithin(row));
    const lines = references.map(([owner = '', repeated]) => {
      const names = repeated.filter((row) => !isWithin(row)).map(({ name }) => `\`${name}\``);
      return `${linkTo(owner)}: ${names.join(', ')}.`;
    });
    return [table(kind, own), ...lines].filter(Boolean).join('\n\n');
  };
  const texts = new Map(sections.map((section) => [section[0], textOf(section)]));
  return { of: (title) => texts.get(title) as string, common: table(kind, common) };
}

/** The rows that many tables have: of each name, the one of most tables. */
function commonRows(tables: readonly (readonly Row[])[]): Row[] {
  const uses = [...Map.groupBy(tables.flat(), meaningOf).values()].filter(
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

function table(kind: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(
    ({ name, type, description, values }) =>
      `| ${[`\`${name}\``, type, `${description} ${values}`.trim()].map(toCell).join(' | ')} |`,
  );
  return `| ${kind} | Type | Meaning |\n| --- | --- | --- |\n${lines.join('\n')}`;
}

/** The name of a field without those of the objects and lists that it is in. */
function leafOf({ name }: Row): string {
  return name.split('.').at(-1) as string;
}

function meaningOf(row: Row): string {
  return JSON.stringify([leafOf(row), row.type, row.description]);
}

function keyOf(row: Row): string {
  return meaningOf(row) + row.values;
}

function wordsIn(rows: readonly Row[]): number {
  return rows.flatMap(({ description, values }) => `${description} ${values}`.trim().split(/\s+/)).length;
}

function toCell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

/** A link to a section. That of an endpoint has its method and path as its text. */
function linkTo(title: string): string {
  return `[${/^`.+?`/.exec(title)?.[0] ?? title}](#${anchorOf(title)})`;
}
