import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { formatAmount, percentOf, toNumber } from '../../lib/amounts.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { ifAvailable, ifKnown } from '../../lib/known.ts';
import { address } from '../../lib/params.ts';
import { type Claims, claimsDataset } from '../../lib/protocol/claims.ts';
import { nextCycleBody, nextCycleSchema } from '../../lib/protocol/next-cycle-body.ts';
import { figuresOf, findStaker } from '../../lib/protocol/stakers.ts';
import { comingCycle, stakingDataset } from '../../lib/protocol/staking.ts';
import { perYear } from '../../lib/rewards/wad.ts';
import {
  address as addressField,
  blockRef,
  flag,
  integer,
  percent,
  text,
  tokens,
  unixTime,
} from '../../lib/schemas.ts';

const response = () =>
  z.object({
    address: addressField('The staker.'),
    ggpRewards: tokens('GGP', 'Distributed and not claimed yet.'),
    lastRewardsCycleCompleted: integer('Number of the last rewards cycle that was distributed to them; 0 for none.'),
    rewardsStartTime: unixTime(
      'When they registered for rewards by creating a minipool; 0 if they are not registered.',
    ),
    eligible: z.optional(flag('ClaimNodeOp.isEligible at this block.')),
    eligibleAt: z.optional(
      unixTime('From when they are eligible, in the past if they are; left out when time alone does not make them so.'),
    ),
    effectiveGGPStaked: z.optional(tokens('GGP', 'What counts in a distribution.')),
    sharePercent: z.optional(percent('Their part of the coming distribution; 0 if they will not be eligible by then.')),
    estimatedGGPReward: z.optional(tokens('GGP', 'That part of its pool, if nothing changes.')),
    aprPercent: z.optional(
      percent('Yearly GGP reward at that pace over the GGP staked; left out when nothing is staked.'),
    ),
    ggpLockedUntil: unixTime('Until when their GGP cannot be withdrawn; 0 for no lock. Rewards do not depend on it.'),
    cycle: z.optional(nextCycleSchema()),
    claims: z.optional(
      z
        .array(
          z.object({
            block: integer('Block of the claim.'),
            timestamp: z.optional(unixTime('Time of that block.')),
            amount: tokens('GGP', 'Paid out; what was staked again is not part of it, so it may be 0.'),
            txHash: text('Transaction, 0x-hex.'),
          }),
        )
        .check(z.describe('Their claims from block claimsFrom to block claimsTo, the newest first.')),
    ),
    claimsFrom: z.optional(integer('First block that was searched for claims; older ones are not known yet.')),
    claimsTo: z.optional(integer('Last block that was searched.')),
    partial: z.optional(
      z.array(z.enum(['claims'])).check(z.describe('Fields that are left out because a source failed.')),
    ),
    block: blockRef(),
  });

export const rewardsAddress = defineEndpoint({
  path: '/rewards/{address}',
  tag: 'Rewards',
  summary: "One staker's GGP rewards",
  description:
    'What a staker has to claim, what the coming distribution will bring them (projected inflation, this block’s price and stakes), and what they have claimed. Claims are collected from logs, from the newest back to the oldest over many requests: `claimsFrom` is how far that has come. They are left out when no endpoint gives logs.',
  input: z.object({ address: address('The staker, in any case.') }),
  response,
  example: {
    address: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
    ggpRewards: '102.5',
    lastRewardsCycleCompleted: 39,
    rewardsStartTime: 1_785_000_000,
    eligible: true,
    eligibleAt: 1_786_296_000,
    effectiveGGPStaked: '5000',
    sharePercent: 0.497512437811,
    estimatedGGPReward: '294.529028089721464681',
    aprPercent: 71.6687301685,
    ggpLockedUntil: 0,
    cycle: { number: 40, startsAt: 1_791_000_000, seconds: 2_592_000, nodeOpPool: '59200.334646034023162637' },
    claims: [
      {
        block: 93_120_411,
        timestamp: 1_787_110_021,
        amount: '287.25',
        txHash: '0x5e1d3a76fbf824220eafc8c79ad578ad2b67d01b0c2425eb1f1347e8f50882ab',
      },
    ],
    claimsFrom: 91_000_000,
    claimsTo: 95_044_397,
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  notFound: 'STAKER_NOT_FOUND',
  freshSeconds: 60,
  fromDatasets: true,
  async handle({ address }, context) {
    const [staking, claims] = await Promise.all([
      context.dataset(stakingDataset),
      ifAvailable(context.telemetry, 'claims', context.dataset(claimsDataset)),
    ]);
    const staker = findStaker(staking, address);
    const figures = figuresOf(staking)(staker);
    const cycle = comingCycle(staking);
    const reward = figures.estimatedGGPReward;
    const yearly = ifKnown(perYear, reward, ifKnown(Number, staking.settings.getRewardsCycleSeconds));
    return {
      address: getAddress(staker.stakerAddr),
      ggpRewards: formatAmount(staker.ggpRewards),
      lastRewardsCycleCompleted: staker.lastRewardsCycleCompleted,
      rewardsStartTime: staker.rewardsStartTime,
      eligible: figures.eligible,
      eligibleAt: figures.eligibleAt,
      effectiveGGPStaked: ifKnown(formatAmount, figures.effectiveGGPStaked),
      sharePercent: ifKnown(toNumber, figures.rewardShare, 16),
      estimatedGGPReward: ifKnown(formatAmount, reward),
      aprPercent: ifKnown(percentOf, yearly, staker.ggpStaked),
      ggpLockedUntil: staker.ggpLockedUntil,
      cycle: cycle && nextCycleBody(staking, cycle),
      ...claimsBody(claims, staker.stakerAddr, staking.block.number),
      block: staking.block,
    };
  },
});

/** The claims of an address up to a block. */
function claimsBody(known: Claims | undefined, stakerAddr: string, block: number) {
  if (!known || known.from > block) return { partial: ['claims' as const] };
  const theirs = known.claims.filter((claim) => claim.to === stakerAddr && claim.block <= block);
  return {
    claims: theirs.map(({ block, timestamp, amount, txHash }) => ({
      block,
      timestamp,
      amount: formatAmount(amount),
      txHash,
    })),
    claimsFrom: known.from,
    claimsTo: Math.min(known.to, block),
  };
}

export const handler = createHandler(rewardsAddress);
