import { EventFragment } from 'ethers';
import { ADDING_EVENTS, EVENTS } from '../../lib/ledger/event-abis.ts';
import { declarationOf, TYPES } from '../../lib/ledger/events/entry-types.ts';

/** The part of docs/events.md between its heading for what is recorded and the next one. */
const RECORDED = /(?<=^## Events in the ledger\n\n)[\s\S]*?(?=\n## )/m;

/** The document with the table of what is recorded, which follows from the declarations. */
export function eventsDocument(document: string): string {
  const rows = Object.entries(EVENTS)
    .flatMap(([contract, events]) => events.map((event) => [contract, signatureOf(event), placeOf(event)] as const))
    .sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1))
    .map(([contract, event, place]) => `| ${contract} | \`${event}\` | ${place} |`);
  const table = ['| Contract | Event | In the ledger as |', '| --- | --- | --- |', ...rows];
  return document.replace(RECORDED, `${table.join('\n')}\n`);
}

function signatureOf(event: string): string {
  return EventFragment.from(event).format('sighash');
}

/** The types of the entries that an event makes, or what it adds to them. */
function placeOf(event: string): string {
  const types = TYPES.filter((type) => declarationOf(type).events.includes(event)).map((type) => `\`${type}\``);
  const added = ADDING_EVENTS.filter((adding) => adding.event === event).map(({ adds }) => adds);
  return [...types, ...added].join(', ');
}
