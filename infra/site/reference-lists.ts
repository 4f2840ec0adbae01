/** Lists of fields or parameters that print each row once. Where another section has the same row, a list names that section. */

import { anchorOf } from './markdown.ts';
import type { Row } from './reference-fields.ts';

/** Rows that at least this many sections share are in a section of their own. */
const COMMON = 4;
/** Repeated rows, and their words, from which a reference to another section is worth following. */
const MIN_ROWS = 2;
const MIN_WORDS = 20;

interface Lists {
  of: (title: string) => string;
  common: string;
}

type Section = readonly [title: string, rows: readonly Row[]];

/** The lists of `sections`. Of several sections with the same rows, the first one prints them. */
export function createLists(kind: 'Parameter' | 'Field', sections: readonly Section[]): Lists {
  const commonTitle = `Common ${kind.toLowerCase()}s`;
  const common = commonRows(sections.map(([, rows]) => rows));
  const commonMeanings = new Set(common.map(meaningOf));
  const owners = new Map<string, string>();
  for (const [title, rows] of sections) {
    for (const row of rows) if (!owners.has(keyOf(row))) owners.set(keyOf(row), title);
  }
  const textOf = ([title, rows]: Section) => {
    const ownerOf = (row: Row) => (commonMeanings.has(meaningOf(row)) ? commonTitle : owners.get(keyOf(row)));
    const isWorth = (repeated: Row[]) => repeated.length >= MIN_ROWS && wordsIn(repeated) >= MIN_WORDS;
    const references = [...Map.groupBy(rows, ownerOf)].filter(
      ([owner, repeated]) => owner === commonTitle || (owner !== title && isWorth(repeated)),
    );
    const repeated = references.flatMap(([, repeated]) => repeated);
    const isWithin = ({ name }: Row) => repeated.some((outer) => name.startsWith(`${outer.name.replace('?', '')}.`));
    const own = rows.filter((row) => !repeated.includes(row) && !isWithin(row));
    const lines = references.map(([owner = '', repeated]) => {
      const names = repeated.filter((row) => !isWithin(row)).map(({ name }) => `\`${name}\``);
      return `${owner === commonTitle ? '' : 'As in '}${linkTo(owner)}: ${names.join(', ')}.`;
    });
    return [own.length > 0 && `${kind}s:\n\n${list(own)}`, ...lines].filter(Boolean).join('\n\n');
  };
  const texts = new Map(sections.map((section) => [section[0], textOf(section)]));
  return { of: (title) => texts.get(title) as string, common: list(common) };
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

function keyOf(row: Row): string {
  return meaningOf(row) + row.values;
}

function wordsIn(rows: readonly Row[]): number {
  return rows.flatMap(({ description, values }) => `${description} ${values}`.trim().split(/\s+/)).length;
}

/** A link to a section. That of an endpoint has its method and path as its text. */
function linkTo(title: string): string {
  return `[${/^`.+?`/.exec(title)?.[0] ?? title}](#${anchorOf(title)})`;
}
