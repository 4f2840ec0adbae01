import { poolRedemption } from '../lib/api/bodies/redemption-body.ts';
import { withdrawQueue } from '../lib/api/bodies/withdrawal-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { object } from '../lib/api/fields.ts';
import { avax, bips, block, flag, ggAvax as ggAvaxAmount, percent, seconds, text, unixTime } from '../lib/api/units.ts';
import { type Current, currentDataset } from '../lib/protocol/protocol.ts';
import { expectedAssetsOf } from '../lib/protocol/withdrawals.ts';
import { reservedAssets } from '../lib/rewards/gg-avax-shares.ts';
import { ifKnown } from '../lib/runtime/if-known.ts';
import { ratio } from '../lib/values/wad.ts';

/** Fields of the pool. Some of the views are missing in older versions of the contracts. */
const POOL = object<Current & Current['pool']>()({
  name: text.optional('Name of the token.'),
  symbol: text.optional('Symbol. The API says ggAVAX even where this is stAVAX.'),
  totalAssets: avax.optional('Assets, including rewards streamed up to this block.'),
  totalSupply: ggAvaxAmount.optional('Total supply of ggAVAX.'),
  totalReleasedAssets: avax.optional('Principal and rewards of past streams, without the current one.'),
  stakingTotalAssets: avax.optional('AVAX staked (minipools and delegations).'),
  amountAvailableForStaking: avax.optional('AVAX that can be staked.'),
  reservedAssets: avax.optional(
    'Reserve for withdrawals: `totalAssets` × `targetReservePercent`, rounded down.',
    ({ totalAssets, settings }) => ifKnown(reservedAssets, totalAssets, settings.targetGGAVAXReserveRate),
  ),
  liquidAssets: avax.optional('AVAX not staked: `totalAssets` − `stakingTotalAssets`.', (pool) =>
    ifKnown((total: bigint, staked: bigint) => total - staked, pool.totalAssets, pool.stakingTotalAssets),
  ),
  lastRewardsAmt: avax.optional('Rewards of the current or last rewards stream.'),
  lastSync: unixTime.optional('Start of the current or last rewards stream.'),
  rewardsCycleEnd: unixTime.optional('End of the current or last rewards stream.'),
  rewardsCycleLength: seconds.optional('Nominal length of a rewards stream.'),
  avaxPerGgAvax: avax.optional('Redemption rate: `convertToAssets` of one ggAVAX.'),
  ggAvaxPerAvax: ggAvaxAmount.optional('Inverse: `convertToShares` of one AVAX.'),
  targetReservePercent: percent.optional('Share to reserve.', ({ settings }) => settings.targetGGAVAXReserveRate),
  utilizationPercent: percent.optional('Share that is staked: `stakingTotalAssets` / `totalAssets`.', (pool) =>
    ifKnown(ratio, pool.stakingTotalAssets, pool.totalAssets),
  ),
  feePercent: bips.optional("Protocol's share of the rewards (`getFeeBips`).", ({ settings }) => settings.feeBips),
  paused: flag.optional('`true` while paused by the DAO: no deposits.', ({ paused }) => paused.TokenggAVAX),
  redemption: poolRedemption.optional('Redemption without the queue.'),
  withdrawQueue: withdrawQueue.optional('', ({ queue, pending }) => ({
    ...queue,
    pendingAVAX: ifKnown(expectedAssetsOf, pending),
  })),
  block: block(),
});

export const ggAvax = defineEndpoint({
  path: '/ggAvax',
  tag: 'ggAVAX',
  summary: 'Liquid staking pool',
  description:
    'State of ggAVAX (stAVAX) as the contracts return it. Fields that the deployed version lacks are omitted.',
  freshSeconds: 30,
  body: POOL,
  exampleRequest: '/ggAvax',
  async handle(_input, context) {
    const current = await context.dataset(currentDataset);
    return { ...current, ...current.pool };
  },
});

export const handler = /* @__PURE__ */ createHandler(ggAvax);
