/** Events of the contracts, as rows of a table. */

import { declarationOf, ENTRY_TYPES } from '../../../../lib/ledger/events/entry-types.ts';
import { UNITS, type UnitDeclaration } from '../../../../lib/values/units.ts';
import type { Event } from './bodies.ts';
import { Identifier, Quantity, When } from './quantity.tsx';
import { Table } from './table.tsx';

/** `node`: the node whose events these are, which is not named again. */
export function EventTable({ caption, entries, node }: { caption: string; entries: readonly Event[]; node?: string }) {
  return (
    <Table
      caption={caption}
      rows={entries}
      empty="No events were found."
      columns={[
        ['Date', ({ timestamp }) => <When time={timestamp} />],
        ['Event', titleOf],
        ['Amount', AmountOf, 'number'],
        ['Who', (entry) => <Participant entry={entry} node={node} />],
        ['Transaction', ({ txHash }) => <Identifier id={txHash} kind="tx" />],
      ]}
    />
  );
}

function titleOf({ type, status }: Event): string {
  // A page that was loaded before an upgrade does not know the types that are new.
  return `${ENTRY_TYPES[type]?.label ?? type}${typeof status === 'string' ? `: ${status}` : ''}`;
}

/** Fields with amounts, the most relevant first. */
const AMOUNTS = ['assets', 'baseAmt', 'expectedAssets', 'rewardsAmt', 'price', 'totalAmt', 'amount', 'shares'] as const;

/** The most relevant amount of an event, if it has one. */
function AmountOf(entry: Event) {
  // A transfer shows its ggAVAX, as wallets do, not its value.
  const field = entry.type === 'ggAvaxTransferred' ? 'shares' : AMOUNTS.find((name) => name in entry);
  const unit = field && ENTRY_TYPES[entry.type] && declarationOf(entry.type).fields[field]?.unit;
  if (!unit) return null;
  const { symbol = '' }: UnitDeclaration = UNITS[unit];
  return <Quantity amount={entry[field] as string} unit={symbol} />;
}

/** Fields with addresses, the most relevant first. */
const PARTICIPANTS = ['staker', 'requester', 'owner', 'donor'] as const;

function Participant({ entry, node }: { entry: Event; node: string | undefined }) {
  const { type, nodeID, from, to } = entry;
  if (typeof nodeID === 'string' && nodeID !== node) return <Identifier id={nodeID} kind="node" />;
  if (type === 'ggAvaxTransferred') {
    return (
      <>
        <Identifier id={String(from)} kind="address" /> to <Identifier id={String(to)} kind="address" />
      </>
    );
  }
  const address = PARTICIPANTS.map((name) => entry[name]).find((value) => value !== undefined);
  return typeof address === 'string' ? <Identifier id={address} kind="address" /> : null;
}
