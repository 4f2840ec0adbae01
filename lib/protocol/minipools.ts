import type { View } from '../chain/chain.ts';
import type { BlockRef } from '../chain/rpc.ts';
import { type Minipool, readMinipools } from '../contracts/minipool-manager.ts';
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
