import { WEI_PER_NAVAX } from '../values/amounts.ts';
import { BPS, min, mulWad, WAD } from '../values/wad.ts';

/** A stake on Avalanche's primary network. Amounts in nAVAX (1e-9 AVAX). */
export interface PrimaryNetworkStake {
  readonly stake: bigint;
  /** AVAX in existence before the stake is added: `platform.getCurrentSupply`. */
  readonly supply: bigint;
  /** Unix seconds; `duration` in seconds. */
  readonly startTime: number;
  readonly duration: number;
  readonly heliconTime: number;
}

// Mainnet and Fuji share these. Rates are parts per million a year. Source: avalanchego, `genesis`.
/** AVAX that can ever exist, in wei and in nAVAX. */
export const SUPPLY_CAP_WEI = 720_000_000n * WAD;
export const SUPPLY_CAP_NAVAX = SUPPLY_CAP_WEI / WEI_PER_NAVAX;
const MAX_CONSUMPTION_RATE = 120_000n;
const MIN_CONSUMPTION_RATE = 100_000n;
const MILLION = 1_000_000n;
const NANOSECONDS = 1_000_000_000n;
const DAY = 86_400n;
const MINTING_PERIOD = 365n * DAY * NANOSECONDS;

// ACP-285: from Helicon on the minimum rate falls evenly for 90 days.
const HELICON_MIN_CONSUMPTION_RATE = 75_000n;
const HELICON_RAMP = 90n * DAY;

/** Parts per million a year, by the start (unix seconds). Source: avalanchego `vms/platformvm/reward/calculator.go`, ACP-285. */
export function minConsumptionRate(startTime: number, heliconTime: number): bigint {
  const elapsed = BigInt(startTime) - BigInt(heliconTime);
  if (elapsed < 0n) return MIN_CONSUMPTION_RATE;
  if (elapsed >= HELICON_RAMP) return HELICON_MIN_CONSUMPTION_RATE;
  return MIN_CONSUMPTION_RATE - ((MIN_CONSUMPTION_RATE - HELICON_MIN_CONSUMPTION_RATE) * elapsed) / HELICON_RAMP;
}

/** Percent of uptime below which nothing is paid for a validation that starts at `startTime`. ACP-267. */
export function neededUptimePercent(startTime: number, heliconTime: number): number {
  return startTime < heliconTime ? 80 : 90;
}

/**
 * nAVAX that the network pays at the end of the stake if the node was up long enough, to the nAVAX. Source: avalanchego
 * `vms/platformvm/reward/calculator.go`. The network's limits on stake and duration are not checked.
 * @throws RangeError when the supply is 0 or above the cap, or a time is not an integer.
 */
export function potentialReward({ stake, supply, startTime, duration, heliconTime }: PrimaryNetworkStake): bigint {
  if (supply <= 0n || supply > SUPPLY_CAP_NAVAX) throw new RangeError(`${supply} nAVAX is no supply of AVAX`);
  const remaining = SUPPLY_CAP_NAVAX - supply;
  const minRate = minConsumptionRate(startTime, heliconTime);
  const nanoseconds = BigInt(duration) * NANOSECONDS;
  const rate = (MAX_CONSUMPTION_RATE - minRate) * nanoseconds + minRate * MINTING_PERIOD;
  const consumed = (remaining * rate * stake * nanoseconds) / (MINTING_PERIOD * MILLION);
  const reward = consumed / supply / MINTING_PERIOD;
  // avalanchego also returns `remaining` for a reward beyond uint64. `remaining` fits uint64, so the minimum covers that.
  return min(reward, remaining);
}

/**
 * A minipool's reward (AVAX wei) split between its operator and the liquid stakers: half each, less the operator's
 * commission (1e18 = 100 %) on the liquid stakers' half; the operator gets the odd wei. The liquid stakers' part includes
 * the protocol's fee, `feeBips` (of 10,000) of it, which is taken when it arrives in ggAVAX. Sources: `MinipoolManager.recordStakingEnd`,
 * `TokenggAVAX.depositFromStaking`.
 */
export function splitMinipoolReward(avaxTotalRewardAmt: bigint, minipoolNodeCommissionFeePct: bigint, feeBips: bigint) {
  const half = avaxTotalRewardAmt / 2n;
  const avaxLiquidStakerRewardAmt = half - mulWad(half, minipoolNodeCommissionFeePct);
  return {
    avaxNodeOpRewardAmt: avaxTotalRewardAmt - avaxLiquidStakerRewardAmt,
    avaxLiquidStakerRewardAmt,
    feeAmt: (avaxLiquidStakerRewardAmt * feeBips) / BPS,
  };
}
