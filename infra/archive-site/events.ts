import type { Bodies } from '../../functions/index.ts';
import { explorerOf } from '../site/pages/dashboard/explorer-links.ts';
import { day } from '../site/pages/dashboard/format.ts';
import { amountIn, happenings, titleOf } from '../site/pages/dashboard/happenings.ts';
import { type Html, html } from './html.ts';
import { amount, table } from './layout.ts';

export type Event = Bodies['/activity']['activity'][number];

const MOST_ROWS = 20;

/** The newest events, as the dashboard lists them. `of` is the node, if they are those of one. */
export function eventTable(network: string, events: readonly Event[], of?: string): Html {
  const newestFirst = events.toSorted((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex);
  const all = happenings(newestFirst, true);
  if (all.length === 0) return html`<p>No events of ggAVAX, GGP stakes or minipools are recorded.</p>`;
  const rows = all.slice(0, MOST_ROWS).map((event) => {
    const { timestamp, txHash, nodeID } = event;
    const told = amountIn(event);
    const node =
      typeof nodeID === 'string' && nodeID !== of ? html`<a href="../node/${nodeID}.html">${nodeID}</a>` : '';
    return [
      day(timestamp),
      html`${titleOf(event)}<small class="cut">${node}</small><small class="cut">${transaction(network, txHash)}</small>`,
      told && amount(told.amount, told.token ?? ''),
    ];
  });
  const isLong = all.length > rows.length;
  return html`${table('Newest events', ['Date', 'Event and transaction', 'Amount'], rows)}
${isLong ? html`<p>Older events are in the files below.</p>` : undefined}`;
}

function transaction(network: string, hash: string): Html {
  const explorer = explorerOf(network);
  return explorer ? html`<a href="${explorer('tx', hash)}">${hash}</a>` : html`${hash}`;
}
