import type { Endpoint } from '../lib/endpoint.ts';
import { ggAvax } from './gg-avax.ts';
import { health } from './health.ts';
import { metrics } from './metrics.ts';
import { minipoolsNodeID } from './minipools/node-id.ts';
import { minipools } from './minipools.ts';
import { nodeOpSpread } from './node-op-spread.ts';
import { pricesDex } from './prices/dex.ts';
import { prices } from './prices.ts';
import { rewardsAddress } from './rewards/address.ts';
import { rewardsByStake } from './rewards/by-stake.ts';
import { rewardsCycle } from './rewards/cycle.ts';
import { stakersAddress } from './stakers/address.ts';
import { stakers } from './stakers.ts';
import { supplyGgpTotal } from './supply/ggp-total.ts';
import { validatorsNodeID } from './validators/node-id.ts';
import { validators } from './validators.ts';
import { withdrawalsAddress } from './withdrawals/address.ts';
import { withdrawals } from './withdrawals.ts';

/**
 * The table of contents: every endpoint of the API, by the file it lives in. The stack, the local gateway, the OpenAPI document
 * and the tests are made from this list. To add an endpoint, write its file and add it here.
 */
export const ENDPOINTS: Record<string, Endpoint> = {
  prices,
  'prices/dex': pricesDex,
  'gg-avax': ggAvax,
  withdrawals,
  'withdrawals/address': withdrawalsAddress,
  stakers,
  'stakers/address': stakersAddress,
  minipools,
  'minipools/node-id': minipoolsNodeID,
  validators,
  'validators/node-id': validatorsNodeID,
  'rewards/by-stake': rewardsByStake,
  'rewards/address': rewardsAddress,
  'rewards/cycle': rewardsCycle,
  metrics,
  'node-op-spread': nodeOpSpread,
  'supply/ggp-total': supplyGgpTotal,
  health,
};
