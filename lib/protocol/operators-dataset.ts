import type { Dataset } from '../cache/dataset.ts';
import { ifAnswered } from '../chain/answered.ts';
import { chainOf } from '../chain/chain.ts';
import { type Minipool, readMinipools } from '../contracts/minipool-manager.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import { readStaking, type Staking } from './staking-dataset.ts';

/** The stakers and all minipool records by index, at one block. A list is missing if its contract does not answer. */
export interface Operators extends Staking {
  minipools?: Minipool[] | undefined;
}

/** Dataset for every list and look-up of minipools, and for answers that combine a staker with their minipools. */
export const operatorsDataset: Dataset<Operators> = {
  name: 'operators',
  freshSeconds: 60,
  inTable: true,
  async read(context) {
    const state = await chainOf(context).latest();
    const [staking, minipools] = await Promise.all([readStaking(state), ifAnswered(readMinipools(state))]);
    return { ...staking, minipools };
  },
};

/** Number of these minipools by status. */
export function countByStatus(minipools: readonly Minipool[]): Record<MinipoolStatus, number> {
  const counts = MINIPOOL_STATUSES.map((name) => [
    name,
    minipools.filter(({ status }) => statusName(status) === name).length,
  ]);
  return Object.fromEntries(counts);
}
