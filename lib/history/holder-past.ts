import { type Coverage, MOST_ENTRIES } from '../ledger/coverage.ts';
import { type Entry, subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { GG_AVAX, isDoubted } from '../ledger/mismatches.ts';
import { assetsOf, type FlowKind, flowsOf, type HolderFlow, openRequestsOf, receivedAssets } from './holder-flows.ts';

/** The ggAVAX history of an address. */
export interface HolderPast {
  coverage: Coverage;
  entries: readonly Entry[];
  /** True if the contracts' state differs from them. */
  isDoubted: boolean;
}

export interface HolderTotals {
  flows: HolderFlow[];
  /** AVAX wei of each kind of flow, without the sign. */
  assets: Readonly<Record<FlowKind, bigint>>;
  /** AVAX wei that was paid out. */
  received: bigint;
  /** Requests that have not been claimed, cancelled or, after they had expired, returned. */
  openRequests: number[];
}

/**
 * Reads the ggAVAX history of an address (lower-case 0x-hex). If it has more than {@link MOST_ENTRIES} entries, later ones
 * are left out, and the coverage ends before them. Throws UPSTREAM_UNAVAILABLE if the table does not answer.
 */
export async function readHolderPast({ ledger }: LedgerContext, holder: string): Promise<HolderPast> {
  const past = await ledger.all(subjectOf.holder(holder), MOST_ENTRIES);
  return { ...past, isDoubted: isDoubted(await ledger.progress.latest(), GG_AVAX, holder) };
}

/** Returns the flows and totals of an address up to block `upTo`; by default, of all entries. */
export function totalsOf(
  holder: string,
  { entries }: Pick<HolderPast, 'entries'>,
  withdrawQueue: string,
  upTo = Number.POSITIVE_INFINITY,
): HolderTotals {
  const known = entries.filter(({ block }) => block <= upTo);
  const flows = flowsOf(holder, known, withdrawQueue);
  return {
    flows,
    assets: assetsOf(flows),
    received: receivedAssets(known),
    openRequests: openRequestsOf(holder, known),
  };
}
