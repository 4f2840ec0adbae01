import type { Dataset } from '../cache/dataset.ts';
import { ifAnswered } from '../chain/answered.ts';
import { chainOf } from '../chain/chain.ts';
import { type Minipool, readMinipools } from '../contracts/minipool-manager.ts';
import { readStaking, type Staking } from './staking-dataset.ts';

/** The stakers and all minipools at one block; those whose contract does not answer are missing. */
export interface Operators extends Staking {
  minipools?: Minipool[] | undefined;
}

/** For answers that combine a staker with their minipools. */
export const operatorsDataset: Dataset<Operators> = {
  name: 'operators',
  version: 9,
  freshSeconds: 60,
  async read(context, previous) {
    const state = await chainOf(context).latest();
    const [staking, minipools] = await Promise.all([readStaking(state, previous), ifAnswered(readMinipools(state))]);
    return { ...staking, minipools };
  },
};
