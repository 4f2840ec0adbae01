/** What a holder's entries of one UTC day are summed up to. With `SUMS_VERSION`, it is kept in the ledger's table. */

import type { Entry } from '../ledger/ledger-entry.ts';
import { type FlowGroup, groupOf } from '../rewards/holder-yield.ts';
import {
  assetsOf,
  endedRequests,
  FLOW_KINDS,
  type FlowKind,
  flowsOf,
  type Promised,
  receivedAssets,
  requestsOf,
} from './holder-flows.ts';

export interface HolderDay {
  /** Undefined if nothing came or went. */
  flows: FlowGroup | undefined;
  /** AVAX wei of each kind of flow, without the sign. */
  assets: Readonly<Record<FlowKind, bigint>>;
  /** AVAX wei that was paid out. */
  received: bigint;
  /** The requests that were made, and the AVAX wei that each promised. */
  requested: readonly (readonly [requestId: number, promised: bigint])[];
  /** The requests that ended, whenever they had been made. */
  ended: readonly number[];
}

/** The sums of an address's entries of a day, of which there are some; `earlier` has its requests from before it. */
export function sumUp(
  holder: string,
  entries: readonly Entry[],
  withdrawQueue: string,
  earlier: Promised | undefined,
): HolderDay {
  const flows = flowsOf(holder, entries, withdrawQueue, earlier);
  return {
    flows: isFilled(flows) ? groupOf(flows) : undefined,
    assets: sumsOf((kind) => assetsOf(flows, kind)),
    received: receivedAssets(entries),
    requested: requestsOf(holder, entries),
    ended: endedRequests(entries),
  };
}

function isFilled<T>(list: T[]): list is [T, ...T[]] {
  return list.length > 0;
}

/** A sum for each kind of flow. */
export function sumsOf(sumOf: (kind: FlowKind) => bigint): HolderDay['assets'] {
  return Object.fromEntries(FLOW_KINDS.map((kind) => [kind, sumOf(kind)])) as HolderDay['assets'];
}

/** A day as the table keeps it: JSON, in which a text is a bigint. */
export function toText(day: HolderDay): string {
  return JSON.stringify(day, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** The day that {@link toText} has made this text from. */
export function fromText(text: string): HolderDay {
  return JSON.parse(text, (_, value) => (typeof value === 'string' ? BigInt(value) : value));
}
