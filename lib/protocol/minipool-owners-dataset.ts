import type { Dataset } from '../cache/dataset.ts';
import { subjectOf } from '../ledger/ledger-entry.ts';
import { ledgerOf } from '../ledger/ledger-store.ts';

interface MinipoolOwners {
  /** Whether the protocol's whole past is searched. */
  isComplete: boolean;
  /** The nodes (20 bytes, hex) that have had a minipool of an owner, by owner (lower-case 0x-hex). */
  nodes: Readonly<Record<string, readonly string[]>>;
}

/** Who has created minipools on which nodes, as the ledger knows: read once for everybody's accounts. */
export const minipoolOwnersDataset: Dataset<MinipoolOwners> = {
  name: 'minipoolOwners',
  version: 1,
  freshSeconds: 60,
  async read(context) {
    const { entries, coverage } = await ledgerOf(context).all(subjectOf.type('minipoolCreated'));
    const created = entries.flatMap((entry) =>
      entry.type === 'minipoolCreated' && entry.owner !== undefined ? { owner: entry.owner, node: entry.nodeID } : [],
    );
    const byOwner = [...Map.groupBy(created, ({ owner }) => owner)];
    return {
      isComplete: coverage.complete,
      nodes: Object.fromEntries(byOwner.map(([owner, own]) => [owner, [...new Set(own.map(({ node }) => node))]])),
    };
  },
};
