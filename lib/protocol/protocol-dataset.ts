import type { Dataset } from '../cache/dataset.ts';
import type { ChainContext } from '../chain/chain.ts';
import { readCachedPools } from '../prices/current.ts';
import { type Protocol, readProtocol } from './protocol.ts';

/**
 * The whole protocol, for all answers about stakers, minipools and metrics: those of one minute agree with each other. Answers
 * about the pool and the queue alone use the smaller `currentDataset`. Both have the overview, because each answer is of one
 * block.
 */
export const protocolDataset: Dataset<Protocol, ChainContext> = {
  name: 'protocol',
  freshSeconds: 60,
  shared: true,
  async read(context) {
    const [state, pools] = await Promise.all([context.chain.latest(), readCachedPools(context)]);
    return readProtocol(state, pools);
  },
};
