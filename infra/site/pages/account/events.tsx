/** Events of the contracts, as rows of a table. */

import type { Entry } from './bodies.ts';
import { amountIn, titleOf } from './event-text.ts';
import { Identifier, Quantity, When } from './quantity.tsx';
import { Table } from './table.tsx';

interface EventTableProps {
  caption: string;
  entries: readonly Entry[];
  /** The node whose events these are: it is not named again. */
  node?: string;
}

export function EventTable({ caption, entries, node }: EventTableProps) {
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

function AmountOf(entry: Entry) {
  const found = amountIn(entry);
  return found && <Quantity {...found} />;
}

/** Fields with addresses, the most relevant first. */
const PARTICIPANTS = ['staker', 'requester', 'owner', 'donor'] as const;

function Participant({ entry, node }: { entry: Entry; node: string | undefined }) {
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
