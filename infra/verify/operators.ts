/** Figures of node operators: stakers and their minipools, as the contracts keep them. */

import { concat, dataSlice, encodeBase58, sha256 } from 'ethers';
import type { ChainAt } from './chain.ts';
import { each, type Figure, type Figures, figures, type Json, named, number, tokens } from './figure.ts';

const STATUSES = ['prelaunch', 'launched', 'staking', 'withdrawable', 'finished', 'canceled', 'error'];

/** CB58: the 20 bytes of a node or the 32 of a transaction with a checksum, in base 58. */
export function cb58(hex: string): string {
  return encodeBase58(concat([hex, dataSlice(sha256(hex), -4)]));
}

/**
 * True if the oracle's price and the DAO's limits are known: a staker's collateral is measured with them. If not, the
 * service omits the fields that depend on them, although the contract's views may not need them and return 0.
 */
export async function isMeasurable({ read }: ChainAt): Promise<boolean> {
  const needed = await Promise.all([
    read('Oracle', 'getGGPPriceInAVAX'),
    read('ProtocolDAO', 'getMinCollateralizationRatio'),
    read('ProtocolDAO', 'getMaxCollateralizationRatio'),
  ]);
  return !needed.includes(undefined);
}

/** The contracts' records of all stakers. */
export async function stakersAt({ read }: ChainAt): Promise<Json[]> {
  const count = Number((await read('Staking', 'getStakerCount')) ?? 0n);
  return Promise.all(Array.from({ length: count }, (_, index) => read('Staking', 'getStaker', index)));
}

/** The contracts' record of a staker; undefined if the address has never staked. */
export async function stakerAt({ read }: ChainAt, address: string): Promise<Json> {
  const index: bigint | undefined = await read('Staking', 'getIndexOf', address);
  return index === undefined || index < 0n ? undefined : read('Staking', 'getStaker', index);
}

/** The contracts' records of all minipools. */
export async function minipoolsAt({ read }: ChainAt): Promise<Json[]> {
  const count = Number((await read('MinipoolManager', 'getMinipoolCount')) ?? 0n);
  return Promise.all(Array.from({ length: count }, (_, index) => read('MinipoolManager', 'getMinipool', index)));
}

export async function countsByStatus(chain: ChainAt): Promise<Record<string, number>> {
  const minipools = await minipoolsAt(chain);
  const count = (code: number) => minipools.filter(({ status }) => Number(status) === code).length;
  return Object.fromEntries(STATUSES.map((status, code) => [status, count(code)]));
}

/** Effective GGP wei of all stakers who are eligible at a time. */
export async function effectiveStake(chain: ChainAt, time: number): Promise<bigint> {
  const isEligible = await eligibleBy(chain, time);
  const eligible = (await stakersAt(chain)).filter(isEligible);
  const stakes: bigint[] = await Promise.all(
    eligible.map(({ stakerAddr }) => chain.read('Staking', 'getEffectiveGGPStaked', stakerAddr)),
  );
  return stakes.reduce((sum, stake) => sum + stake, 0n);
}

/** Tells if a staker will have waited long enough by a time to take part in a distribution. */
export async function eligibleBy({ read }: ChainAt, time: number): Promise<(staker: Json) => boolean> {
  const wait: bigint = (await read('ProtocolDAO', 'getRewardsEligibilityMinSeconds')) ?? 0n;
  return ({ rewardsStartTime, avaxValidatingHighWater }) =>
    rewardsStartTime > 0n && avaxValidatingHighWater > 0n && BigInt(time) >= rewardsStartTime + wait;
}

/** `estimate` gives the staker's part of the next distribution. */
export async function staker(
  served: Json,
  at: string,
  chain: ChainAt,
  estimate: (record: Json) => Promise<{ reward?: bigint }>,
): Promise<Figure[]> {
  const { read } = chain;
  const address = served.stakerAddr;
  const measurable = await isMeasurable(chain);
  const measured = (view: string) => (measurable ? read('Staking', view, address) : undefined);
  const index = await read('Staking', 'getIndexOf', address);
  const record = await read('Staking', 'getStaker', index);
  return figures(at, served, {
    index: Number(index),
    ...named(record, tokens, 'ggpStaked', 'avaxStaked', 'avaxAssigned', 'avaxValidating', 'avaxValidatingHighWater'),
    ...named(record, tokens, 'ggpRewards'),
    ...named(record, Number, 'lastRewardsCycleCompleted', 'rewardsStartTime', 'ggpLockedUntil'),
    collateralPercent: number(record.avaxAssigned > 0n ? await measured('getCollateralizationRatio') : undefined, 16),
    effectiveRewardsPercent: number(await measured('getEffectiveRewardsRatio'), 16),
    effectiveGGPStaked: tokens(await measured('getEffectiveGGPStaked')),
    minimumGGPStake: tokens(await read('Staking', 'getMinimumGGPStake', address)),
    estimatedGGPReward: tokens((await estimate(record)).reward),
    eligible: await read('ClaimNodeOp', 'isEligible', address),
  });
}

export async function minipool(served: Json, at: string, { read, heliconTime }: ChainAt): Promise<Figure[]> {
  const record = await read('MinipoolManager', 'getMinipool', served.index);
  const status = STATUSES[Number(record.status)];
  const cycle: bigint | undefined = await read('ProtocolDAO', 'getMinipoolCycleDuration');
  const isOnItsWay = ['prelaunch', 'launched', 'staking'].includes(status as string);
  return figures(at, served, {
    nodeID: `NodeID-${cb58(record.nodeID)}`,
    nodeIDHex: record.nodeID.toLowerCase(),
    status,
    statusCode: Number(record.status),
    owner: record.owner,
    multisigAddr: record.multisigAddr,
    delegationFeePercent: number(record.delegationFee, 4),
    ...named(record, Number, 'duration', 'creationTime', 'initialStartTime', 'startTime', 'endTime'),
    expectedEndTime:
      record.initialStartTime > 0n && isOnItsWay ? Number(record.initialStartTime + record.duration) : undefined,
    cycleEndTime: status === 'staking' && cycle !== undefined ? Number(record.startTime + cycle) : undefined,
    // ACP-267.
    neededUptimePercent: record.startTime > 0n ? (Number(record.startTime) < heliconTime ? 80 : 90) : undefined,
    txID: BigInt(record.txID) === 0n ? undefined : cb58(record.txID),
    ...named(record, tokens, 'avaxNodeOpAmt', 'avaxNodeOpInitialAmt', 'avaxLiquidStakerAmt', 'avaxTotalRewardAmt'),
    ...named(record, tokens, 'avaxNodeOpRewardAmt', 'avaxLiquidStakerRewardAmt', 'ggpSlashAmt'),
    avaxNodeOpLifetimeRewardAmt: tokens(
      record.avaxNodeOpAmt - record.avaxNodeOpInitialAmt + record.avaxNodeOpRewardAmt,
    ),
  });
}

export const minipoolsOf: Figures = ({ minipools = [] }, chain) =>
  each('minipools', minipools, (item: Json, at) => minipool(item, at, chain));

export const minipools: Figures = async (body, chain, source) => [
  ...figures('counts.', body.counts, await countsByStatus(chain)),
  ...(await minipoolsOf(body, chain, source)),
];
