import type { Endpoint } from '../lib/endpoint.ts';
import { ggAvax } from './gg-avax.ts';
import { health } from './health.ts';
import { metrics } from './metrics.ts';
import { pricesDex } from './prices/dex.ts';
import { prices } from './prices.ts';
import { rewardsByStake } from './rewards/by-stake.ts';
import { validatorsNodeID } from './validators/node-id.ts';
import { validators } from './validators.ts';

/**
 * The table of contents: every endpoint of the API, by the file it lives in. The stack, the local gateway, the OpenAPI document
 * and the tests are made from this list. To add an endpoint, write its file and add it here.
 */
export const ENDPOINTS: Record<string, Endpoint> = {
  prices,
  'prices/dex': pricesDex,
  'gg-avax': ggAvax,
  validators,
  'validators/node-id': validatorsNodeID,
  'rewards/by-stake': rewardsByStake,
  metrics,
  health,
};
