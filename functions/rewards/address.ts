import { coverage } from '../../lib/api/bodies/coverage-body.ts';
import { income } from '../../lib/api/bodies/prices-body.ts';
import { nextDistribution } from '../../lib/api/bodies/rewards-cycle-body.ts';
import { distributionFields } from '../../lib/api/bodies/staker-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { list, object, partialObject } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { ledgerGapReason, type Reason } from '../../lib/api/reasons.ts';
import { address, block, flag, ggp, integer, percent, transactionHash, unixTime } from '../../lib/api/units.ts';
import { readStakerRewards } from '../../lib/contracts/records.ts';
import type { Staker } from '../../lib/contracts/staking.ts';
import { type Money, type PricesOfDay, readDayPrices, valueAt } from '../../lib/history/day-prices.ts';
import { type Coverage, coverageAt } from '../../lib/ledger/coverage.ts';
import { type EntryOf, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import type { LedgerContext } from '../../lib/ledger/ledger-store.ts';
import { isDoubted } from '../../lib/ledger/mismatch.ts';
import { comingCycle, type Overview, protocolDataset } from '../../lib/protocol/protocol.ts';
import { figuresOf, type StakerFigures, stakerOrZeros } from '../../lib/protocol/staker-figures.ts';
import type { NextRewardsCycle } from '../../lib/rewards/inflation.ts';
import { ifAvailable, ifKnown } from '../../lib/runtime/if-known.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { perYear, ratio, sum } from '../../lib/values/wad.ts';

type Claim = EntryOf<'ggpRewardsClaimed'>;

const claimList = list(
  object<Claim & Money>('RewardsClaim')({
    blockNumber: integer('Block of the claim.', ({ block }) => block),
    timestamp: unixTime('Time of the block.'),
    amount: ggp('GGP paid out; 0 if all of it was restaked.'),
    restaked: ggp('GGP restaked in the same transaction.'),
    ...income('`amount` and `restaked`'),
    txHash: transactionHash(),
  }),
);

/** The known claims, oldest first, and the reason if some are missing or wrong. */
interface Claims {
  claims: readonly Claim[];
  coverage: Coverage;
  gap: Reason | undefined;
}

interface StakerRewards extends Pick<Overview, 'paused' | 'block'>, Staker, StakerFigures {
  overview: Overview;
  next: NextRewardsCycle | undefined;
  past: Claims | undefined;
  prices: PricesOfDay;
}

function claimsGap({ past }: StakerRewards): Reason | undefined {
  return past ? past.gap : 'SOURCE_UNAVAILABLE';
}

const rewardsWith = partialObject<StakerRewards>('StakerRewardField', 'StakerRewards');
const REWARDS = rewardsWith({
  address: address('Address of the staker.', ({ stakerAddr }) => stakerAddr),
  ggpRewards: distributionFields.ggpRewards,
  // Not of `withdrawGGP` and claims without a restake.
  restakingPaused: flag.optional(
    '`true` while the staking contract is paused: it refuses stakes, so only all of `ggpRewards` can be claimed, with nothing restaked. Staked GGP can still be withdrawn. Omitted otherwise.',
    ({ paused }) => paused.Staking || undefined,
  ),
  lastRewardsCycleCompleted: distributionFields.lastRewardsCycleCompleted,
  rewardsStartTime: distributionFields.rewardsStartTime,
  eligible: flag.optional('`true` if the staker is eligible for GGP rewards (`ClaimNodeOp.isEligible`).'),
  eligibleAt: unixTime.optional('Time when the staker is eligible, even if past. Omitted if time alone is not enough.'),
  effectiveGGPStaked: ggp.optional('GGP that counts in a rewards distribution (`getEffectiveGGPStaked`).'),
  sharePercent: percent.optional(
    'Share of the next distribution; 0 if not eligible by then.',
    (own) => own.rewardShare,
  ),
  estimatedGGPReward: ggp.optional('Estimated next reward if nothing changes; 0 if not eligible by then.'),
  undistributedGGPReward: ggp.optional(
    "Share of the current cycle's rewards at the stakes of this block. Omitted once they have been distributed to any staker, and if not eligible.",
  ),
  aprPercent: percent.optional(
    '`estimatedGGPReward` per year as a share of the GGP staked. Omitted without a stake.',
    ({ ggpStaked, estimatedGGPReward, next }) =>
      ifKnown(ratio, ifKnown(perYear, estimatedGGPReward, next?.paysForSeconds || undefined), ggpStaked),
  ),
  ggpLockedUntil: unixTime('End of the lock of the staked GGP; 0 without a lock. Does not affect rewards.'),
  cycle: nextDistribution.optional('The next GGP distribution.', ({ overview, next }) => next && { overview, next }),
  claims: claimList.optional(
    'Claims in `coverage`, newest first. Omitted, and listed in `partial`, if they cannot be read, or if there are none but earlier blocks are not indexed. Also in `partial` while a later claim may have changed `ggpRewards`.',
    // An empty list is only meaningful if the whole past is indexed.
    ({ past, prices }) =>
      past && (past.claims.length > 0 || past.coverage.complete)
        ? past.claims
            .map((claim) => ({ ...claim, ...valueAt(amountOf(claim), 'ggpInUSD', prices(claim.timestamp)) }))
            .reverse()
        : undefined,
    claimsGap,
  ),
  claimedTotal: ggp.optional(
    'GGP claimed, paid out and restaked. Omitted unless `coverage.complete` is true, and if `claims` lacks later ones.',
    ({ past }) =>
      past?.coverage.complete && past.gap !== 'SOURCE_UNAVAILABLE' ? sum(past.claims.map(amountOf)) : undefined,
    claimsGap,
  ),
  coverage: coverage.optional('', ({ past }) => past?.coverage),
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
  params: { address: addressParam('Address of the staker.') },
  body: REWARDS,
  exampleRequest: '/rewards/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  async handle({ address }, context) {
    const [staking, past, prices] = await Promise.all([
      context.dataset(protocolDataset),
      ifAvailable(context, 'claims', () => readClaims(context, address)),
      readDayPrices(context),
    ]);
    const { block, paused } = staking;
    const staker = stakerOrZeros(staking, address);
    const known = ifKnown((claims) => claimsUntil(block, claims), past);
    const end = known?.coverage.toBlock ?? block.number;
    if (known && end < block.number && staker.index >= 0) {
      // A later claim would have changed the rewards.
      const read = async () => readStakerRewards(await context.chain.latest(end), staker.index);
      const then = await ifAvailable(context, 'rewards at the last indexed block', read);
      if (then !== staker.ggpRewards) known.gap ??= 'SOURCE_UNAVAILABLE';
    }
    const now = { overview: staking, next: comingCycle(staking), paused, block };
    return { ...staker, ...figuresOf(staking)(staker), ...now, past: known, prices };
  },
});

async function readClaims({ ledger }: LedgerContext, address: string): Promise<Claims> {
  const { entries: claims, coverage } = await ledger.ofType('ggpRewardsClaimed', subjectOf.staker(address));
  const isWrong = isDoubted(await ledger.progress.doubts(), address, 'ggp');
  return { claims, coverage, gap: isWrong ? 'MISMATCH' : ledgerGapReason(coverage) };
}

/** The claims up to a block: the ledger may be ahead of the rest of the answer. Undefined if it begins later. */
function claimsUntil(block: BlockRef, { claims, coverage, gap }: Claims): Claims | undefined {
  if (coverage.fromBlock > block.number) return undefined;
  return { claims: claims.filter((claim) => claim.block <= block.number), coverage: coverageAt(block, coverage), gap };
}

const amountOf = ({ amount, restaked }: Claim) => amount + restaked;

export const handler = /* @__PURE__ */ createHandler(rewardsAddress);
