import { type CacheContext, type Dataset, type RequestContext, readDataset } from '../cache/cache.ts';
import type { ChainContext } from '../chain/chain.ts';
import { required } from '../chain/contract.ts';
import type { PChainContext } from '../chain/upstream/p-chain.ts';
import { flagsDataset } from '../flags/flags-dataset.ts';
import type { FlagsContext } from '../flags/flags-store.ts';
import { type ByStakeReward, rewardByStake } from '../rewards/reward-by-stake.ts';
import { slashAmount } from '../rewards/slashing.ts';
import { ApiError } from '../runtime/errors.ts';
import { ifAvailable, ifKnown } from '../runtime/if-known.ts';
import { BPS, WAD } from '../values/wad.ts';
import { collateralTerms, comingCycle, type Protocol, protocolDataset } from './protocol.ts';
import { totalEffective } from './staker-figures.ts';

/** The values that determine an operator's reward besides their own stake, all at one block. */
export type RewardTerms = Awaited<ReturnType<typeof readRewardTerms>>;

/** The AVAX supply in nAVAX. */
const supplyDataset: Dataset<bigint, CacheContext & PChainContext> = {
  name: 'p-chain-supply',
  // It changes by millionths a day, and the reward by less.
  freshSeconds: 300,
  shared: true,
  read: (context) => context.pChain.currentSupply(),
};

/**
 * Reads the terms of the next distribution and of a minipool that starts now. Throws UPSTREAM_UNAVAILABLE while the protocol
 * has no stakers' contract, no GGP price or no rewards cycle that can start, since its contracts then cannot answer either.
 */
export async function readRewardTerms(context: RequestContext<ChainContext & FlagsContext & PChainContext>) {
  const [protocol, supply, { value: deployed }] = await Promise.all([
    context.dataset(protocolDataset),
    ifAvailable(context, 'P-Chain supply', () => readDataset(context, supplyDataset)),
    // The flags stay fresh for longer than these answers: as part of them, they would be too old for a shared cache.
    readDataset(context, flagsDataset),
  ]);
  // The reward depends on everyone who shares the distribution.
  required(protocol.stakers);
  const terms = collateralTerms(protocol);
  const cycle = comingCycle(protocol);
  // Without the time that stakers have to wait, the participants of the distribution are unknown.
  const isKnown = terms && cycle?.paysForSeconds && protocol.settings.rewardsEligibilityMinSeconds !== undefined;
  if (!isKnown) {
    throw new ApiError(
      'UPSTREAM_UNAVAILABLE',
      'The protocol has no GGP price at this block, or no rewards cycle that can start.',
    );
  }
  return {
    protocol,
    terms,
    comingCycle: cycle,
    /** True if new minipools can be created; undefined if the DAO does not answer. */
    isOpen:
      deployed.flags.minipoolCreation?.enabled === false
        ? false
        : ifKnown((isPaused) => !isPaused, protocol.paused.MinipoolManager),
    /** Undefined if the P-Chain's supply cannot be read, or if no validation can end with the present settings. */
    validation: supply && validationTerms(protocol, supply.value, context.config.network.heliconTime),
  };
}

function validationTerms({ settings, block }: Protocol, supply: bigint, heliconTime: number) {
  // Versions before 2025-09 have no fee.
  const { minipoolCycleDuration, minipoolNodeCommissionFeePct, feeBips = 0n } = settings;
  if (!minipoolCycleDuration || minipoolNodeCommissionFeePct === undefined) return undefined;
  // Above 100 % the contracts revert when a validation ends.
  if (minipoolNodeCommissionFeePct > WAD || feeBips > BPS) return undefined;
  const minipoolCycleSeconds = Number(minipoolCycleDuration);
  const terms = { startTime: block.timestamp, minipoolCycleSeconds, minipoolNodeCommissionFeePct, feeBips };
  return { ...terms, supply, heliconTime };
}

/**
 * GGP wei that a minipool with these amounts (wei) loses if a cycle ends without a reward; undefined if the DAO does not
 * answer the duration or the expected rate.
 */
export function operatorSlash(
  { protocol: { settings }, terms: { ggpPriceInAVAX } }: RewardTerms,
  { ggpStaked, avaxStaked }: { ggpStaked: bigint; avaxStaked: bigint },
): bigint | undefined {
  return ifKnown(
    (duration, expectedAVAXRewardsRate) =>
      slashAmount({ ggpStaked, avaxLiquidStakerAmt: avaxStaked, duration, expectedAVAXRewardsRate, ggpPriceInAVAX }),
    settings.minipoolCycleDuration,
    settings.expectedAVAXRewardsRate,
  );
}

/** The reward for these amounts (wei). They replace the present stake of `address`, if it is given. */
export function operatorReward(
  { protocol, terms, comingCycle: { startsAt, paysForSeconds, distribution }, validation }: RewardTerms,
  { ggpStaked, avaxStaked, address }: { ggpStaked: bigint; avaxStaked: bigint; address?: string | undefined },
): ByStakeReward {
  return rewardByStake({
    ggpStaked,
    avaxStaked,
    terms,
    othersEffectiveGGPStaked: totalEffective(protocol, startsAt, address) as bigint,
    nodeOpPool: distribution.ClaimNodeOp,
    paysForSeconds,
    ...(validation && { validation }),
  });
}
