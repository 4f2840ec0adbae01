import { ifAnswered } from '../chain/answered.ts';
import type { Dataset } from '../context/dataset.ts';
import { type Minipools, readAllMinipools } from './minipools.ts';
import { readStaking, type Staking } from './staking.ts';

/** The stakers and all minipools at one block; those whose contract does not answer are missing. */
export interface Operators extends Staking {
  minipools?: Minipools | undefined;
}

/** For answers that combine a staker with their minipools. */
export const operatorsDataset: Dataset<Operators> = {
  name: 'operators',
  version: 6,
  freshSeconds: 60,
  async read(context, previous) {
    const state = await context.chain.latest();
    const [staking, minipools] = await Promise.all([
      readStaking(state, previous),
      ifAnswered(readAllMinipools(context, state, previous?.minipools)),
    ]);
    return { ...staking, minipools };
  },
};
