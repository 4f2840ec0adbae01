import { EventFragment } from 'ethers';
import { ADDING_EVENTS, EVENTS } from '../../lib/ledger/event-abis.ts';
import { declarationOf, TYPES } from '../../lib/ledger/events/entry-types.ts';

/** The part of docs/events.md between the heading of recorded events and the next heading. */
const RECORDED = /(?<=^## Events in the ledger\n\n)[\s\S]*?(?=\n## )/m;

/** The document with the table of recorded events, generated from the declarations. */
export function eventsDocument(document: string): string {
  const signatureOf = (event: string) => EventFragment.from(event).format('sighash');
  const rows = EVENTS.map(({ emitter, event }) => [emitter, `\`${signatureOf(event)}\``, findPlace(event)]).sort();
  return document.replace(RECORDED, `${table(['Contract', 'Event', 'In the ledger as'], rows)}\n`);
}

/** A table in Markdown, in columns. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, place) => Math.max(...[header, ...rows].map((row) => String(row[place]).length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

/** Types of the entries that an event is decoded to, or its additions to entries of other events. */
function findPlace(event: string): string {
  const types = TYPES.filter((type) => declarationOf(type).events.includes(event)).map((type) => `\`${type}\``);
  const added = Object.values(ADDING_EVENTS).flatMap((adding: Record<string, string>) => adding[event] ?? []);
  return [...types, ...added].join(', ');
}
