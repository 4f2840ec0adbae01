/** Records of node operators: stakers and their minipools, as the contracts keep them. */

import { concat, dataSlice, encodeBase58, sha256 } from 'ethers';
import type { ChainAt } from './chain.ts';
import { each, type Figures, figures, type Json, named, number, tokens } from './figure.ts';

/** Names of the statuses of minipools, in the order of their codes. */
const STATUSES = ['prelaunch', 'launched', 'staking', 'withdrawable', 'finished', 'canceled', 'error'];
export const [PRELAUNCH, LAUNCHED, STAKING, WITHDRAWABLE, FAILED] = [0n, 1n, 2n, 3n, 6n];

/** CB58: the 20 bytes of a node or the 32 of a transaction with a checksum, in base 58. */
export function cb58(hex: string): string {
  return encodeBase58(concat([hex, dataSlice(sha256(hex), -4)]));
}

const recordsBy = (contract: string, count: string, get: string) => {
  return async ({ read }: ChainAt): Promise<Json[]> => {
    const length = Number((await read(contract, count)) ?? 0n);
    return Promise.all(Array.from({ length }, (_, index) => read(contract, get, index)));
  };
};

export const stakersAt = recordsBy('Staking', 'getStakerCount', 'getStaker');
export const minipoolsAt = recordsBy('MinipoolManager', 'getMinipoolCount', 'getMinipool');

/** The contracts' record of a staker; undefined if the address has never staked. */
export async function stakerAt({ read }: ChainAt, address: string): Promise<Json> {
  const index: bigint | undefined = await read('Staking', 'getIndexOf', address);
  return index === undefined || index < 0n ? undefined : read('Staking', 'getStaker', index);
}

export async function countsByStatus(chain: ChainAt): Promise<Record<string, number>> {
  const minipools = await minipoolsAt(chain);
  const count = (code: number) => minipools.filter(({ status }) => Number(status) === code).length;
  return Object.fromEntries(STATUSES.map((status, code) => [status, count(code)]));
}

export const stakers: Figures = ({ stakers }, chain) =>
  each<Json>('stakers', stakers, async (served, at) => {
    const record = await stakerAt(chain, served.stakerAddr);
    return figures(at, served, {
      ...named(record, tokens, 'ggpStaked', 'avaxStaked', 'avaxAssigned', 'avaxValidating', 'avaxValidatingHighWater'),
      ...named(record, tokens, 'ggpRewards'),
      ...named(record, Number, 'lastRewardsCycleCompleted', 'rewardsStartTime', 'ggpLockedUntil'),
      minimumGGPStake: tokens(await chain.read('Staking', 'getMinimumGGPStake', served.stakerAddr)),
    });
  });

export const minipools: Figures = async ({ counts, minipools }, chain) => [
  ...figures('counts.', counts, await countsByStatus(chain)),
  ...(await each<Json>('minipools', minipools, async (served, at) => {
    const record = await chain.read('MinipoolManager', 'getMinipool', served.index);
    return figures(at, served, {
      nodeID: `NodeID-${cb58(record.nodeID)}`,
      status: STATUSES[Number(record.status)],
      owner: record.owner,
      delegationFeePercent: number(record.delegationFee, 4),
      ...named(record, Number, 'duration', 'creationTime', 'initialStartTime', 'startTime', 'endTime'),
      ...named(record, tokens, 'avaxNodeOpAmt', 'avaxNodeOpInitialAmt', 'avaxLiquidStakerAmt', 'avaxTotalRewardAmt'),
      ...named(record, tokens, 'avaxNodeOpRewardAmt', 'avaxLiquidStakerRewardAmt', 'ggpSlashAmt'),
      avaxNodeOpLifetimeRewardAmt: tokens(
        record.avaxNodeOpAmt - record.avaxNodeOpInitialAmt + record.avaxNodeOpRewardAmt,
      ),
    });
  })),
];
