import type { BlockRef } from '../block.ts';
import type { View } from '../chain/chain.ts';
import { systemClock } from '../clock.ts';
import { MINIPOOL_STATUSES, type Minipool, readMinipools, refreshMinipools } from '../contracts/minipool-manager.ts';
import type { Dataset } from '../dataset.ts';

/** All minipool records at one block. */
export interface Minipools {
  block: BlockRef;
  minipools: Minipool[];
  /** When all of them were read last, unix milliseconds: since then, only those that had changed. */
  wholeAt: number;
}

/** So long records are kept that do not say that they have changed: the guardian can write into them directly. */
const WHOLE_MS = 3_600_000;
/** All of so few are one request, too. */
const FEW = 150;

/** All records at the view's block, by way of those that were read before. */
export async function readAllMinipools(view: View, previous?: Omit<Minipools, 'block'>): Promise<Minipools> {
  const now = systemClock.now();
  const isRecent = previous && previous.minipools.length > FEW && now < previous.wholeAt + WHOLE_MS;
  const refreshed = isRecent && (await refreshMinipools(view, previous.minipools));
  const minipools = refreshed || (await readMinipools(view));
  return { minipools, block: await view.block(), wholeAt: refreshed ? previous.wholeAt : now };
}

/** Shared by every list, filter and look-up of minipools. */
export const minipoolsDataset: Dataset<Minipools> = {
  name: 'minipools',
  version: 2,
  freshSeconds: 60,
  read: async ({ chain }, previous) => readAllMinipools(await chain.latest(), previous),
};

export type MinipoolStatus = (typeof MINIPOOL_STATUSES)[number];

/** The status of a record by its name. */
export function statusOf({ status }: Minipool): MinipoolStatus {
  return MINIPOOL_STATUSES[status] as MinipoolStatus;
}

export function countByStatus(minipools: readonly Minipool[]): Record<MinipoolStatus, number> {
  const counts = MINIPOOL_STATUSES.map((name, code) => [
    name,
    minipools.filter(({ status }) => status === code).length,
  ]);
  return Object.fromEntries(counts);
}
