import type { Dataset } from '../dataset.ts';
import { type Minipools, readAllMinipools } from './minipools.ts';
import { readStaking, type Staking } from './staking.ts';

/** The stakers and all minipools at one block. */
export interface Operators extends Staking {
  minipools: Minipools;
}

/** For answers that put a staker beside their minipools. */
export const operatorsDataset: Dataset<Operators> = {
  name: 'operators',
  version: 3,
  freshSeconds: 60,
  async read(context, previous) {
    const view = await context.chain.latest();
    const [staking, minipools] = await Promise.all([
      readStaking(view, previous),
      readAllMinipools(context, view, previous?.minipools),
    ]);
    return { ...staking, minipools };
  },
};
