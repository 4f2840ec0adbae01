import type { Dataset } from '../dataset.ts';
import { type Minipools, readAllMinipools } from './minipools.ts';
import { readStaking, type Staking } from './staking.ts';

/** The stakers and all minipools at one block. */
export interface Operators extends Staking, Minipools {}

/** For answers that put a staker beside their minipools. */
export const operatorsDataset: Dataset<Operators> = {
  name: 'operators',
  version: 2,
  freshSeconds: 60,
  async read({ chain }, previous) {
    const view = await chain.latest();
    const [staking, minipools] = await Promise.all([readStaking(view, previous), readAllMinipools(view, previous)]);
    return { ...staking, ...minipools };
  },
};
