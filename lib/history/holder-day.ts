/** What a holder's entries of one UTC day are summed up to. With `SUMS_VERSION`, it is kept in the ledger's table. */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
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

/** What every day's text has in common, so that only what differs takes room. */
const dictionary = toText({
  flows: {
    ...{ first: 0, time: 0, firstRate: 0n, lastRate: 0n, shares: 0n, inflow: 0n, outflow: 0n },
    ...{ own: 0n, perShare: 0n, perRate: 0n, perBoth: 0n },
  },
  assets: sumsOf(() => 0n),
  received: 0n,
  requested: [],
  ended: [],
});

/** A day as the table keeps it: compressed, so that a page of the table holds many years. */
export function toBytes(day: HolderDay): Uint8Array {
  return deflateRawSync(toText(day), { dictionary });
}

/** The day that {@link toBytes} has made these bytes from. */
export function fromBytes(bytes: Uint8Array): HolderDay {
  const text = inflateRawSync(bytes, { dictionary }).toString();
  return JSON.parse(text, (_, value) => (typeof value === 'string' ? BigInt(value) : value));
}

function toText(day: HolderDay): Buffer {
  return Buffer.from(JSON.stringify(day, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
}
