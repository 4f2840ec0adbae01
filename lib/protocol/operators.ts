import type { Minipool } from '../contracts/minipool-manager.ts';
import type { Dataset } from '../endpoint.ts';
import { readAllMinipools } from './minipools.ts';
import { readStaking, type Staking } from './staking.ts';

/** The stakers and all minipools at one block. */
export interface Operators extends Staking {
  minipools: Minipool[];
}

/** For answers that put a staker beside their minipools. */
export const operatorsDataset: Dataset<Operators> = {
  name: 'operators',
  freshSeconds: 60,
  async read({ chain }) {
    const view = await chain.latest();
    const [staking, { minipools }] = await Promise.all([readStaking(view), readAllMinipools(view)]);
    return { ...staking, minipools };
  },
};
