/** The values of recorded points: unit and meaning of each, for fields of endpoints and columns of the archive. */

import { stored } from '../values/units.ts';

const { avax, ggAvax, ggp, integer, unixTime, usd } = stored;

export const PRICE_NAMES = ['avaxInUSD', 'ggpInAVAX', 'ggAvaxInAVAX'] as const;

type PriceName = (typeof PRICE_NAMES)[number];

export const PRICE_VALUES = {
  avaxInUSD: usd('Price of one AVAX.'),
  eurInUSD: usd('Price of one euro, from Chainlink.'),
  ggpInAVAX: avax('Price of one GGP.'),
  ggAvaxInAVAX: avax('Price of one ggAVAX.'),
  ggpOraclePriceInAVAX: avax("Price of one GGP that the protocol's contracts use."),
};

/** Values of a distribution's point (lib/history/distributions.ts). */
export const DISTRIBUTION_VALUES = {
  cycle: integer('Number of the rewards cycle.'),
  ggp: ggp('GGP that its distribution paid to the staker.'),
  paidTime: unixTime('Time of the payment, found by a search in the state: at most an hour late, in the same UTC day.'),
};

export const VALUES = {
  ...PRICE_VALUES,
  avaxPerGgAvax: avax('Redemption rate: `convertToAssets` of one ggAVAX.'),
  totalAssets: avax('Total assets of the pool.'),
  totalSupply: ggAvax('Total supply of ggAVAX.'),
  stakingTotalAssets: avax('AVAX staked with minipools and delegations.'),
  valueLocked: avax('Total value locked, without double counting.'),
  totalGGPStaked: ggp('GGP staked by all stakers.'),
  minipoolsStaking: integer('Number of validating minipools.'),
  ...DISTRIBUTION_VALUES,
};

/** The values of a point. Values that did not exist at its block are missing. */
export type PointValues = { [Name in keyof typeof VALUES | `${string}.${PriceName}`]?: bigint };
