import * as z from 'zod/mini';
import { poolRedemptionBody, poolRedemptionSchema } from '../lib/api/bodies/redemption-body.ts';
import { withdrawQueueBody, withdrawQueueSchema } from '../lib/api/bodies/withdrawal-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { blockRef, flag, percent, seconds, text, tokens, unixTime } from '../lib/api/schemas.ts';
import { chainOf } from '../lib/chain/chain.ts';
import { readGgAvax } from '../lib/contracts/gg-avax.ts';
import { readPaused, readSettings } from '../lib/contracts/protocol-dao.ts';
import { readPoolRedemption } from '../lib/contracts/redemption.ts';
import { readWithdrawQueue, readWithdrawRequests } from '../lib/contracts/withdraw-queue.ts';
import { expectedAssetsOf } from '../lib/protocol/withdrawals-dataset.ts';
import { reservedAssets } from '../lib/rewards/gg-avax-shares.ts';
import { ifKnown } from '../lib/runtime/if-known.ts';
import { formatAmount, percentFrom, percentOf, toNumber } from '../lib/values/amounts.ts';

/** All optional: older versions of the contracts lack some of the views. */
const fields = () =>
  z.partial(
    z.object({
      name: text('Name of the token.'),
      symbol: text('Symbol of the token. Even if this is stAVAX, the API calls the token ggAVAX.'),
      totalAssets: tokens('AVAX', 'Total assets of the pool, including rewards streamed up to this block.'),
      totalSupply: tokens('ggAVAX', 'Total supply of ggAVAX.'),
      totalReleasedAssets: tokens('AVAX', 'Principal and the rewards of past streams, without the current stream.'),
      stakingTotalAssets: tokens('AVAX', 'AVAX staked with minipools and delegations.'),
      amountAvailableForStaking: tokens('AVAX', 'AVAX that can be staked without using the reserve.'),
      reservedAssets: tokens(
        'AVAX',
        'Reserve to keep for withdrawals: `totalAssets` × `targetReservePercent`, rounded down.',
      ),
      liquidAssets: tokens('AVAX', 'AVAX not staked: `totalAssets` − `stakingTotalAssets`.'),
      lastRewardsAmt: tokens('AVAX', 'Rewards of the current or last rewards stream.'),
      lastSync: unixTime('Start of the current or last rewards stream.'),
      rewardsCycleEnd: unixTime(
        'End of the current or last rewards stream. In the past if no new stream has started since.',
      ),
      rewardsCycleLength: seconds('Nominal length of a rewards stream.'),
      avaxPerGgAvax: tokens('AVAX', 'Redemption rate: `convertToAssets` of one ggAVAX.'),
      ggAvaxPerAvax: tokens('ggAVAX', 'Inverse rate: `convertToShares` of one AVAX.'),
      targetReservePercent: percent('Share of `totalAssets` to keep in reserve, as set by the DAO.'),
      utilizationPercent: percent('Share of the assets that is staked: `stakingTotalAssets` / `totalAssets`.'),
      feePercent: percent("Share of the pool's rewards that the protocol keeps (`getFeeBips`)."),
      paused: flag('Whether the DAO has paused the token. Deposits are refused while it is paused.'),
      redemption: poolRedemptionSchema(),
      withdrawQueue: withdrawQueueSchema(),
    }),
  );

const response = () => z.extend(fields(), { block: blockRef() });

export const ggAvax = defineEndpoint({
  path: '/ggAvax',
  tag: 'ggAVAX',
  summary: 'Liquid staking pool',
  description:
    'State of ggAVAX (stAVAX) as returned by the contracts. Fields that the deployed contracts do not provide are omitted.',
  freshSeconds: 30,
  inTable: true,
  input: z.object({}),
  response,
  exampleRequest: '/ggAvax',
  example: {
    name: 'Hypha Staked AVAX',
    symbol: 'stAVAX',
    totalAssets: '395844.636186841582735523',
    totalSupply: '330852.108293688375779301',
    totalReleasedAssets: '395844.636186841582735523',
    stakingTotalAssets: '0',
    amountAvailableForStaking: '393238.177586729804828202',
    reservedAssets: '2606.458600111777907321',
    liquidAssets: '395844.636186841582735523',
    lastRewardsAmt: '0',
    lastSync: 1_786_752_000,
    rewardsCycleEnd: 1_787_961_600,
    rewardsCycleLength: 1_209_600,
    avaxPerGgAvax: '1.19643981786406244',
    ggAvaxPerAvax: '0.835813038874988682',
    targetReservePercent: 0.658455,
    utilizationPercent: 0,
    feePercent: 10,
    paused: false,
    redemption: { open: true, availableAVAX: '395844.636186841582735523' },
    withdrawQueue: {
      pendingRequests: 14,
      pendingAVAX: '1250.5',
      fulfilledRequests: 0,
      allocatedAVAX: '0',
      unstakeDelay: 1_296_000,
      minExpirationDelay: 259_200,
      maxExpirationDelay: 5_184_000,
      paused: false,
    },
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle(_input, context) {
    const state = await chainOf(context).latest('ggAvax');
    const [pool, redemption, settings, paused, queue, pending] = await Promise.all([
      readGgAvax(state),
      readPoolRedemption(state),
      readSettings(state),
      readPaused(state),
      readWithdrawQueue(state),
      readWithdrawRequests(state, 'getAllPendingRequests'),
    ]);
    const { totalAssets, stakingTotalAssets } = pool;
    const { getTargetGGAVAXReserveRate: reserveRate, getFeeBips: feeBips } = settings;
    return {
      name: pool.name,
      symbol: pool.symbol,
      totalAssets: ifKnown(formatAmount, totalAssets),
      totalSupply: ifKnown(formatAmount, pool.totalSupply),
      totalReleasedAssets: ifKnown(formatAmount, pool.totalReleasedAssets),
      stakingTotalAssets: ifKnown(formatAmount, stakingTotalAssets),
      amountAvailableForStaking: ifKnown(formatAmount, pool.amountAvailableForStaking),
      reservedAssets: ifKnown(formatAmount, ifKnown(reservedAssets, totalAssets, reserveRate)),
      liquidAssets: ifKnown(formatAmount, ifKnown(subtract, totalAssets, stakingTotalAssets)),
      lastRewardsAmt: ifKnown(formatAmount, pool.lastRewardsAmt),
      lastSync: ifKnown(Number, pool.lastSync),
      rewardsCycleEnd: ifKnown(Number, pool.rewardsCycleEnd),
      rewardsCycleLength: ifKnown(Number, pool.rewardsCycleLength),
      avaxPerGgAvax: ifKnown(formatAmount, pool.avaxPerGgAvax),
      ggAvaxPerAvax: ifKnown(formatAmount, pool.ggAvaxPerAvax),
      targetReservePercent: ifKnown(percentFrom, reserveRate),
      utilizationPercent: ifKnown(percentOf, stakingTotalAssets, totalAssets),
      feePercent: ifKnown(toNumber, feeBips, 2),
      paused: paused.TokenggAVAX,
      redemption: poolRedemptionBody(redemption),
      withdrawQueue: withdrawQueueBody(queue, ifKnown(expectedAssetsOf, pending)),
      block: await state.block(),
    };
  },
});

function subtract(a: bigint, b: bigint): bigint {
  return a - b;
}

export const handler = createHandler(ggAvax);
