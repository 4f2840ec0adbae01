import type * as z from 'zod/mini';
import type { Endpoint } from '../lib/api/definition.ts';
import { accountsAddress } from './accounts/address.ts';
import { accountsAddressCalendar } from './accounts/address-calendar.ts';
import { accountsAddressIncome } from './accounts/address-income.ts';
import { accountsCalendar } from './accounts/calendar.ts';
import { accountsIncome } from './accounts/income.ts';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { contracts } from './contracts.ts';
import { flagsKey } from './flags/key.ts';
import { flags } from './flags.ts';
import { ggAvaxAddress } from './gg-avax/address.ts';
import { ggAvaxAddressActivity } from './gg-avax/address-activity.ts';
import { ggAvaxAddressRewards } from './gg-avax/address-rewards.ts';
import { ggAvaxHistory } from './gg-avax/history.ts';
import { ggAvax } from './gg-avax.ts';
import { health } from './health.ts';
import { holders } from './holders.ts';
import { metricsApy } from './metrics/apy.ts';
import { metricsApyHistory } from './metrics/apy-history.ts';
import { metricsHistory } from './metrics/history.ts';
import { metricsName } from './metrics/name.ts';
import { metrics } from './metrics.ts';
import { minipoolsNodeID } from './minipools/node-id.ts';
import { minipoolsNodeIDActivity } from './minipools/node-id-activity.ts';
import { minipools } from './minipools.ts';
import { nodeOpSpread } from './node-op-spread.ts';
import { pricesAt } from './prices/at.ts';
import { pricesDex } from './prices/dex.ts';
import { pricesDexHistory } from './prices/dex-history.ts';
import { pricesHistory } from './prices/history.ts';
import { prices } from './prices.ts';
import { rewardsAddress } from './rewards/address.ts';
import { rewardsAddressCycles } from './rewards/address-cycles.ts';
import { rewardsByStake } from './rewards/by-stake.ts';
import { rewardsCycle } from './rewards/cycle.ts';
import { rewardsCycles } from './rewards/cycles.ts';
import { root } from './root.ts';
import { settings } from './settings.ts';
import { stakersAddress } from './stakers/address.ts';
import { stakersAddressActivity } from './stakers/address-activity.ts';
import { stakers } from './stakers.ts';
import { supplyGgAvax } from './supply/gg-avax.ts';
import { supplyGgpTotal } from './supply/ggp-total.ts';
import { validatorsNodeID } from './validators/node-id.ts';
import { validators } from './validators.ts';
import { withdrawalsAddress } from './withdrawals/address.ts';
import { withdrawalsEstimate } from './withdrawals/estimate.ts';
import { withdrawals } from './withdrawals.ts';

const endpoints = {
  prices,
  'prices/history': pricesHistory,
  'prices/at': pricesAt,
  'prices/dex': pricesDex,
  'prices/dex-history': pricesDexHistory,
  'gg-avax': ggAvax,
  'gg-avax/history': ggAvaxHistory,
  'gg-avax/address': ggAvaxAddress,
  'gg-avax/address-activity': ggAvaxAddressActivity,
  'gg-avax/address-rewards': ggAvaxAddressRewards,
  holders,
  accounts,
  'accounts/address': accountsAddress,
  'accounts/address-income': accountsAddressIncome,
  'accounts/address-calendar': accountsAddressCalendar,
  'accounts/calendar': accountsCalendar,
  'accounts/income': accountsIncome,
  withdrawals,
  'withdrawals/estimate': withdrawalsEstimate,
  'withdrawals/address': withdrawalsAddress,
  stakers,
  'stakers/address': stakersAddress,
  'stakers/address-activity': stakersAddressActivity,
  minipools,
  'minipools/node-id': minipoolsNodeID,
  'minipools/node-id-activity': minipoolsNodeIDActivity,
  validators,
  'validators/node-id': validatorsNodeID,
  'rewards/by-stake': rewardsByStake,
  'rewards/address': rewardsAddress,
  'rewards/address-cycles': rewardsAddressCycles,
  'rewards/cycle': rewardsCycle,
  'rewards/cycles': rewardsCycles,
  activity,
  metrics,
  'metrics/name': metricsName,
  'metrics/history': metricsHistory,
  'metrics/apy': metricsApy,
  'metrics/apy-history': metricsApyHistory,
  'node-op-spread': nodeOpSpread,
  'supply/ggp-total': supplyGgpTotal,
  'supply/gg-avax': supplyGgAvax,
  flags,
  'flags/key': flagsKey,
  settings,
  contracts,
  root,
  health,
};

/** Every endpoint, by its file. The stack, the gateway, the OpenAPI document and tests are generated from this list. */
export const ENDPOINTS: Record<string, Endpoint> = endpoints;

/** The type of each endpoint's body, by its path. */
export type Bodies = {
  [Listed in (typeof endpoints)[keyof typeof endpoints] as Listed['path']]: z.input<ReturnType<Listed['response']>>;
};
