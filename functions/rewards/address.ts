import * as z from 'zod/mini';
import { coverageBody, coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { income } from '../../lib/api/bodies/income-body.ts';
import { nextDistribution } from '../../lib/api/bodies/next-cycle-body.ts';
import { restakingPaused } from '../../lib/api/bodies/paused-body.ts';
import { distributionFields } from '../../lib/api/bodies/staker-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { fields, json, list, model, object, partialFields } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { ledgerGapReason, type Reason } from '../../lib/api/reasons.ts';
import { address, block, flag, ggp, integer, percent, transactionHash, unixTime } from '../../lib/api/units.ts';
import type { Staker } from '../../lib/contracts/staking.ts';
import { type Money, type PricesOfDay, readDayPrices, valueAt } from '../../lib/history/day-prices.ts';
import { type Coverage, coverageAt } from '../../lib/ledger/coverage.ts';
import { type EntryOf, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import type { LedgerStore } from '../../lib/ledger/ledger-store.ts';
import { ofClaims } from '../../lib/ledger/mismatches.ts';
import { comingCycle } from '../../lib/protocol/overview.ts';
import { protocolDataset } from '../../lib/protocol/protocol-dataset.ts';
import { figuresOf, type StakerFigures, stakerOrZeros } from '../../lib/protocol/staker-figures.ts';
import type { Staking } from '../../lib/protocol/staking.ts';
import type { NextRewardsCycle } from '../../lib/rewards/inflation.ts';
import { ifAvailable, ifKnown } from '../../lib/runtime/if-known.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { perYear, ratio } from '../../lib/values/wad.ts';

type Claim = EntryOf<'ggpRewardsClaimed'>;

const claimList = list(
  object(
    'RewardsClaim',
    fields<Claim & Money>()({
      blockNumber: integer('Block of the claim.', ({ block }) => block),
      timestamp: unixTime('Time of the block.', ({ timestamp }) => timestamp),
      amount: ggp('GGP paid out; 0 if all of it was restaked.', ({ amount }) => amount),
      restaked: ggp('GGP restaked in the same transaction.', ({ restaked }) => restaked),
      ...income('`amount` and `restaked`'),
      txHash: transactionHash('', ({ txHash }) => txHash),
    }),
  ),
);

/** The known claims up to a block, and the reason if claims are missing. */
interface Claims {
  claims?: readonly (Claim & Money)[];
  total?: bigint | undefined;
  coverage?: Coverage;
  missing: Reason | undefined;
}

interface Source extends Staking {
  staker: Staker;
  figures: StakerFigures;
  cycle: NextRewardsCycle | undefined;
  past: Claims;
}

const REWARDS = partialFields<Source>('StakerRewardField')({
  address: address('Address of the staker.', ({ staker }) => staker.stakerAddr),
  ggpRewards: distributionFields.ggpRewards,
  restakingPaused,
  lastRewardsCycleCompleted: distributionFields.lastRewardsCycleCompleted,
  rewardsStartTime: distributionFields.rewardsStartTime,
  eligible: flag.optional(
    '`true` if the staker is eligible for GGP rewards (`ClaimNodeOp.isEligible`).',
    ({ figures }) => figures.eligible,
  ),
  eligibleAt: unixTime.optional(
    'Time at which the staker becomes or became eligible. Omitted if time alone is not enough.',
    ({ figures }) => figures.eligibleAt,
  ),
  effectiveGGPStaked: ggp.optional(
    'GGP that counts in a rewards distribution (`getEffectiveGGPStaked`).',
    ({ figures }) => figures.effectiveGGPStaked,
  ),
  sharePercent: percent.optional(
    'Share of the next distribution; 0 if not eligible by then.',
    ({ figures }) => figures.rewardShare,
  ),
  estimatedGGPReward: ggp.optional(
    'Estimated reward from the next distribution if nothing changes; 0 if not eligible by then.',
    ({ figures }) => figures.estimatedGGPReward,
  ),
  undistributedGGPReward: ggp.optional(
    "Share of the current cycle's rewards at the stakes of this block. Omitted once they have been distributed to any staker, and if not eligible.",
    ({ figures }) => figures.undistributedGGPReward,
  ),
  aprPercent: percent.optional(
    '`estimatedGGPReward` per year as a share of the GGP staked. Omitted without a stake.',
    ({ staker, figures, cycle }) => {
      const yearly = ifKnown(perYear, figures.estimatedGGPReward, cycle?.paysForSeconds || undefined);
      return ifKnown(ratio, yearly, staker.ggpStaked);
    },
  ),
  ggpLockedUntil: unixTime(
    'End of the lock of the staked GGP; 0 without a lock. Does not affect rewards.',
    ({ staker }) => staker.ggpLockedUntil,
  ),
  cycle: nextDistribution.optional(
    'The next GGP distribution.',
    (overview) => overview.cycle && { overview, next: overview.cycle },
  ),
  claims: claimList.optional(
    'Claims in `coverage`, newest first. Omitted, and listed in `partial`, if they cannot be read, or if there are none but earlier blocks are not indexed.',
    ({ past }) => past.claims,
    ({ past }) => past.missing,
  ),
  claimedTotal: ggp.optional(
    'GGP claimed, paid out and restaked. Omitted unless `coverage.complete` is true.',
    ({ past }) => past.total,
  ),
  coverage: json(
    () => z.optional(coverageSchema()),
    ({ past }) => ifKnown(coverageBody, past.coverage),
  ),
  block: block(),
});

export const rewardsAddress = defineEndpoint({
  path: '/rewards/{address}',
  tag: 'Rewards',
  summary: 'GGP rewards of one staker',
  description:
    "Claimable rewards of a staker, past claims, and an estimate of the next distribution: with projected inflation, at the oracle's GGP price and the stakes of this block. An address that has never staked GGP has zeros.",
  freshSeconds: 60,
  reads: ['history', 'ledger'],
  input: z.object({ address: addressParam('Address of the staker.') }),
  response: () => model('StakerRewards', z.object(REWARDS.shape())),
  exampleRequest: '/rewards/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  async handle({ address }, context) {
    const [staking, claims, prices] = await Promise.all([
      context.dataset(protocolDataset),
      ifAvailable(context, 'claims', () => context.ledger.all(subjectOf.staker(address), ofClaims(address))),
      readDayPrices(context),
    ]);
    const staker = stakerOrZeros(staking, address);
    const figures = figuresOf(staking)(staker);
    return REWARDS.body({
      ...{ ...staking, staker, figures, cycle: comingCycle(staking) },
      past: claimsUntil(staking.block, claims, prices),
    });
  },
});

type Known = Awaited<ReturnType<LedgerStore['all']>>;

function claimsUntil(block: BlockRef, known: Known | undefined, prices: PricesOfDay): Claims {
  if (!known || known.coverage.fromBlock > block.number) return { missing: 'SOURCE_UNAVAILABLE' };
  const claims = known.entries.filter(
    (entry): entry is Claim => entry.type === 'ggpRewardsClaimed' && entry.block <= block.number,
  );
  const coverage = coverageAt(block, known.coverage);
  // An empty list is only meaningful if the whole past is indexed.
  if (claims.length === 0 && !coverage.complete) return { coverage, missing: ledgerGapReason(coverage) };
  return {
    claims: claims.map((claim) => withValue(claim, prices)).reverse(),
    total: coverage.complete ? sumClaims(claims) : undefined,
    coverage,
    missing: coverage.confirmed && ledgerGapReason(coverage),
  };
}

function withValue(claim: Claim, prices: PricesOfDay): Claim & Money {
  return { ...claim, ...valueAt(claim.amount + claim.restaked, 'ggpInUSD', prices(claim.timestamp)) };
}

function sumClaims(claims: readonly Claim[]): bigint {
  return claims.reduce((sum, { amount, restaked }) => sum + amount + restaked, 0n);
}

export const handler = /* @__PURE__ */ createHandler(rewardsAddress);
