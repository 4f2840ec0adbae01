import type { Dataset } from '../cache/dataset.ts';
import { allRead } from '../chain/answered.ts';
import { chainOf } from '../chain/chain.ts';
import { type Minipool, readMinipools } from '../contracts/minipool-manager.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import { readMinipoolCycleDuration } from '../contracts/protocol-dao.ts';
import type { BlockRef } from '../values/block.ts';

interface Minipools {
  block: BlockRef;
  minipools: Minipool[];
  /** Seconds that a cycle lasts, if the DAO says it. */
  cycleDuration?: bigint | undefined;
}

/** All records of minipools by index, at one block: for every list, filter and look-up. */
export const minipoolsDataset: Dataset<Minipools> = {
  name: 'minipools',
  version: 6,
  freshSeconds: 60,
  async read(context) {
    const state = await chainOf(context).latest();
    return allRead({
      block: state.block(),
      minipools: readMinipools(state),
      cycleDuration: readMinipoolCycleDuration(state),
    });
  },
};

/** How many of these minipools have each status. */
export function countByStatus(minipools: readonly Minipool[]): Record<MinipoolStatus, number> {
  const counts = MINIPOOL_STATUSES.map((name) => [
    name,
    minipools.filter(({ status }) => statusName(status) === name).length,
  ]);
  return Object.fromEntries(counts);
}
