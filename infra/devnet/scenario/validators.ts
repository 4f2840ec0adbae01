import { AbiCoder, hexlify, type Result } from 'ethers';
import { potentialReward } from '../../../lib/rewards/validation-reward.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { formatNodeID, formatTxID } from '../../../lib/values/cb58.ts';
import type { Read } from '../chain.ts';
import type { Protocol } from '../protocol.ts';
import { DAY } from './calendar.ts';
import { createRandom, type Random } from './random.ts';

/** An active validator of the primary network on the P-Chain. Amounts are nAVAX, times unix seconds. */
export interface DevnetValidator {
  /** `NodeID-…`. Like `txID`, cb58. */
  nodeID: string;
  txID: string;
  startTime: number;
  endTime: number;
  /** Its own stake, without delegations. */
  stake: bigint;
  delegated: bigint;
  delegatorCount: number;
  delegationFeePercent: number;
  uptimePercent: number;
  potentialReward: bigint;
  /** 48 bytes, 0x hex. */
  blsPublicKey?: string;
  /** Version that the node announces: `avalanchego/1.15.0`. */
  version?: string;
}

const FOREIGN_VALIDATORS = 230;
const CYCLE = 15 * DAY;
const STAKING = 2;
const AVAX = 10n ** 9n;
const MAX_WEIGHT = 3_000_000;
const VERSIONS = ['avalanchego/1.15.0', 'avalanchego/1.15.0', 'avalanchego/1.15.1', 'avalanchego/1.14.2'];

/** AVAX in existence on the devnet's P-Chain, in nAVAX. Held constant; every reward of the scenario is computed with it. */
export const P_CHAIN_SUPPLY = 460_000_000n * AVAX;

/** Reward of a stake on the devnet's P-Chain. Amounts in nAVAX, times in unix seconds. */
export function stakingReward(stake: bigint, startTime: number, duration: number): bigint {
  const { heliconTime } = NETWORKS.devnet;
  return potentialReward({ stake, supply: P_CHAIN_SUPPLY, startTime, duration, heliconTime });
}

/** The validators of all Staking minipools, then foreign ones of every size. */
export async function listValidators(read: Read, { MinipoolManager }: Protocol, now: number) {
  const [minipools] = await read(MinipoolManager, 'getMinipools', [STAKING, 0, 0]);
  const random = createRandom('validators');
  const own = (minipools as Result[]).map((minipool) => ofMinipool(minipool, random));
  return [...own, ...Array.from({ length: FOREIGN_VALIDATORS }, () => foreign(now, random))];
}

function ofMinipool(minipool: Result, random: Random): DevnetValidator {
  const startTime = Number(minipool.startTime);
  const stake = (minipool.avaxNodeOpAmt + minipool.avaxLiquidStakerAmt) / AVAX;
  const keys = minipool.blsPubkeyAndSig;
  return {
    nodeID: formatNodeID(minipool.nodeID),
    txID: formatTxID(minipool.txID),
    startTime,
    endTime: startTime + CYCLE,
    stake,
    delegated: 0n,
    delegatorCount: 0,
    delegationFeePercent: Number(minipool.delegationFee) / 10_000,
    uptimePercent: uptime(random),
    potentialReward: stakingReward(stake, startTime, CYCLE),
    ...(keys === '0x' ? {} : { blsPublicKey: AbiCoder.defaultAbiCoder().decode(['bytes', 'bytes'], keys)[0] }),
    version: pick(VERSIONS, random),
  };
}

function foreign(now: number, random: Random): DevnetValidator {
  // Log-uniform from 2,000 to 3,000,000 AVAX, with many at the minimum.
  const whole = random.uniform() < 0.25 ? 2_000 : Math.round(2_000 * (MAX_WEIGHT / 2_000) ** random.uniform());
  const capacity = Math.min(5 * whole, MAX_WEIGHT) - whole;
  const delegated = random.uniform() < 0.35 ? 0 : Math.floor(capacity * random.uniform() ** 2);
  const duration = Math.round((14 + 351 * random.uniform()) * DAY);
  const startTime = Math.floor(now - duration * random.uniform() * 0.98);
  const stake = BigInt(whole) * AVAX;
  const announces = random.uniform() < 0.9;
  return {
    nodeID: formatNodeID(hexlify(random.bytes(20))),
    txID: formatTxID(hexlify(random.bytes(32))),
    startTime,
    endTime: startTime + duration,
    stake,
    delegated: BigInt(delegated) * AVAX,
    delegatorCount: Math.ceil(delegated / 1_000),
    delegationFeePercent: 2 + Math.round(50 * random.uniform()) / 10,
    uptimePercent: uptime(random),
    potentialReward: stakingReward(stake, startTime, duration),
    ...(announces && { blsPublicKey: hexlify(random.bytes(48)), version: pick(VERSIONS, random) }),
  };
}

/** Mostly above 97 %, sometimes anything from 20 % on. */
function uptime(random: Random): number {
  const percent = random.uniform() < 0.06 ? 20 + 75 * random.uniform() : 100 - 3 * random.uniform() ** 3;
  return Math.round(percent * 10_000) / 10_000;
}

const pick = <T>(choices: readonly T[], random: Random) => choices[Math.floor(choices.length * random.uniform())] as T;
