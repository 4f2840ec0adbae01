import * as z from 'zod/mini';
import { coverageAt, coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { incomeBody, incomeFields } from '../../lib/api/bodies/income-body.ts';
import { nextCycleBody, nextCycleSchema } from '../../lib/api/bodies/next-cycle-body.ts';
import { missingReason, partialBody, partialSchema } from '../../lib/api/bodies/partial-body.ts';
import { restakingPaused } from '../../lib/api/bodies/paused-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import {
  address,
  blockRef,
  flag,
  integer,
  model,
  percent,
  tokens,
  transactionHash,
  unixTime,
} from '../../lib/api/schemas.ts';
import { type PricesOfDay, readDayPrices, valueAt } from '../../lib/history/day-prices.ts';
import { ofClaims } from '../../lib/ledger/concerns.ts';
import { type EntryOf, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { type LedgerStore, ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { comingCycle } from '../../lib/protocol/overview-dataset.ts';
import { figuresOf, requireStaker } from '../../lib/protocol/staker-figures.ts';
import { stakingDataset } from '../../lib/protocol/staking-dataset.ts';
import { ifAvailable, ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount, percentFrom, percentOf } from '../../lib/values/amounts.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { perYear } from '../../lib/values/wad.ts';

const response = () =>
  model(
    'StakerRewards',
    z.object({
      address: address('Address of the staker.'),
      ggpRewards: tokens('GGP', 'Rewards distributed but not yet claimed.'),
      restakingPaused: restakingPaused(),
      lastRewardsCycleCompleted: integer(
        'Number of the last rewards cycle distributed to the staker; 0 if there is none.',
      ),
      rewardsStartTime: unixTime('When the staker registered for rewards by creating a minipool; 0 if not registered.'),
      eligible: z.optional(
        flag('Whether the staker is eligible for GGP rewards at this block (`ClaimNodeOp.isEligible`).'),
      ),
      eligibleAt: z.optional(
        unixTime(
          'When the staker becomes or became eligible. Omitted if the passage of time alone does not make them eligible.',
        ),
      ),
      effectiveGGPStaked: z.optional(
        tokens('GGP', 'GGP that counts in a rewards distribution (`getEffectiveGGPStaked`).'),
      ),
      sharePercent: z.optional(
        percent("The staker's share of the next distribution; 0 if they will not be eligible by then."),
      ),
      estimatedGGPReward: z.optional(
        tokens(
          'GGP',
          'Estimated reward from the distribution of the next cycle if nothing changes; 0 if the staker will not be eligible by then.',
        ),
      ),
      undistributedGGPReward: z.optional(
        tokens(
          'GGP',
          "Share of the current cycle's rewards at the stakes of this block, while they have not been distributed to any staker. Omitted otherwise, and if the staker is not eligible.",
        ),
      ),
      aprPercent: z.optional(
        percent(
          '`estimatedGGPReward` extrapolated to a year, as a share of the GGP staked. Omitted when nothing is staked.',
        ),
      ),
      ggpLockedUntil: unixTime(
        'Time until which the staked GGP cannot be withdrawn; 0 if there is no lock, in the past if the lock has ended. Does not affect rewards.',
      ),
      cycle: z.optional(nextCycleSchema()),
      claims: z.optional(
        z
          .array(
            model(
              'RewardsClaim',
              z.object({
                block: integer('Block of the claim.'),
                timestamp: unixTime('Time of the block.'),
                amount: tokens('GGP', 'GGP paid out; 0 if all of it was restaked.'),
                restaked: tokens('GGP', 'GGP restaked in the same transaction.'),
                ...incomeFields('`amount` and `restaked`'),
                txHash: transactionHash(),
              }),
            ),
          )
          .check(
            z.describe(
              'Claims in the blocks of `coverage`, newest first. Omitted, and listed in `partial`, if they cannot be read, or if there is none in these blocks and earlier ones have not been searched.',
            ),
          ),
      ),
      claimedTotal: z.optional(
        tokens('GGP', 'Total GGP claimed, both paid out and restaked. Omitted unless `coverage.complete` is true.'),
      ),
      coverage: z.optional(coverageSchema()),
      ...partialSchema(['claims'], 'StakerRewardField'),
      block: blockRef(),
    }),
  );

export const rewardsAddress = defineEndpoint({
  path: '/rewards/{address}',
  tag: 'Rewards',
  summary: 'GGP rewards of one staker',
  description:
    "Claimable rewards of a staker, an estimate of the next distribution (with projected inflation, at the oracle's GGP price and the stakes of this block), and past claims from the blocks in `coverage`.",
  freshSeconds: 60,
  reads: ['history', 'ledger'],
  input: z.object({ address: addressParam('Address of the staker.') }),
  response,
  exampleRequest: '/rewards/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  notFound: ['STAKER_NOT_FOUND'],
  async handle({ address }, context) {
    const [staking, claims, prices] = await Promise.all([
      context.dataset(stakingDataset),
      ifAvailable(context.telemetry, 'claims', () =>
        ledgerOf(context).all(subjectOf.staker(address), ofClaims(address)),
      ),
      readDayPrices(context),
    ]);
    const staker = requireStaker(staking, address);
    const figures = figuresOf(staking)(staker);
    const cycle = comingCycle(staking);
    const reward = figures.estimatedGGPReward;
    const yearly = ifKnown(perYear, reward, cycle?.paysForSeconds || undefined);
    return {
      address,
      ggpRewards: formatAmount(staker.ggpRewards),
      restakingPaused: staking.paused.Staking || undefined,
      lastRewardsCycleCompleted: staker.lastRewardsCycleCompleted,
      rewardsStartTime: staker.rewardsStartTime,
      eligible: figures.eligible,
      eligibleAt: figures.eligibleAt,
      effectiveGGPStaked: formatAmount(figures.effectiveGGPStaked),
      sharePercent: percentFrom(figures.rewardShare),
      estimatedGGPReward: formatAmount(reward),
      undistributedGGPReward: formatAmount(figures.undistributedGGPReward),
      aprPercent: ifKnown(percentOf, yearly, staker.ggpStaked),
      ggpLockedUntil: staker.ggpLockedUntil,
      cycle: cycle && nextCycleBody(staking, cycle),
      ...claimsBody(claims, staking.block, prices),
      block: staking.block,
    };
  },
});

/** The claims up to a block, or `partial` if they are unknown. */
function claimsBody(known: Awaited<ReturnType<LedgerStore['all']>> | undefined, block: BlockRef, prices: PricesOfDay) {
  if (!known || known.coverage.from > block.number) return partialBody({ claims: 'SOURCE_UNAVAILABLE' });
  const claims = known.entries.filter(
    (entry): entry is Claim => entry.type === 'ggpRewardsClaimed' && entry.block <= block.number,
  );
  const coverage = coverageAt(block, known.coverage);
  // None at all only says something of a past that was searched.
  if (claims.length === 0 && !coverage.complete)
    return { coverage, ...partialBody({ claims: missingReason(coverage) }) };
  return {
    claims: claims.map((claim) => claimBody(claim, prices)).reverse(),
    claimedTotal: coverage.complete ? formatAmount(sumOf(claims)) : undefined,
    coverage,
    ...partialBody({ claims: coverage.contradicts && missingReason(coverage) }),
  };
}

type Claim = EntryOf<'ggpRewardsClaimed'>;

function claimBody({ block, timestamp, amount, restaked, txHash }: Claim, prices: PricesOfDay) {
  const income = incomeBody(valueAt(amount + restaked, 'ggpInUSD', prices(timestamp)));
  return { block, timestamp, amount: formatAmount(amount), restaked: formatAmount(restaked), ...income, txHash };
}

function sumOf(claims: readonly Claim[]): bigint {
  return claims.reduce((sum, { amount, restaked }) => sum + amount + restaked, 0n);
}

export const handler = createHandler(rewardsAddress);
