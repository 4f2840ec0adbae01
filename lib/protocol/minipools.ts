import type { View } from '../chain/chain.ts';
import type { BlockRef } from '../chain/rpc.ts';
import { MINIPOOL_STATUSES, type Minipool, readMinipools } from '../contracts/minipool-manager.ts';
import type { Dataset } from '../endpoint.ts';

/** All minipool records at one block. */
export interface Minipools {
  block: BlockRef;
  minipools: Minipool[];
}

export async function readAllMinipools(view: View): Promise<Minipools> {
  const [minipools, block] = await Promise.all([readMinipools(view), view.block()]);
  return { minipools, block };
}

/** Shared by every list, filter and look-up of minipools. */
export const minipoolsDataset: Dataset<Minipools> = {
  name: 'minipools',
  freshSeconds: 60,
  read: async ({ chain }) => readAllMinipools(await chain.latest()),
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
