/** Records of node operators: stakers and their minipools, as the contracts keep them. */

import type { ChainAt } from './chain.ts';
import { type Expected, firstItems, type Json, named, number, tokens } from './figure.ts';

const STATUSES = ['prelaunch', 'launched', 'staking', 'withdrawable', 'finished', 'canceled', 'error'];
export const [PRELAUNCH, LAUNCHED, STAKING, WITHDRAWABLE, FAILED] = [0n, 1n, 2n, 3n, 6n];

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
  const countOf = (code: number) => minipools.filter(({ status }) => Number(status) === code).length;
  return Object.fromEntries(STATUSES.map((status, code) => [status, countOf(code)]));
}

export const stakers: Expected = async ({ stakers }, chain) => ({
  stakers: await firstItems(stakers, async ({ stakerAddr }) => {
    const record = await stakerAt(chain, stakerAddr);
    return {
      ...named(record, tokens, 'ggpStaked', 'avaxStaked', 'avaxAssigned', 'avaxValidating', 'avaxValidatingHighWater'),
      ...named(record, tokens, 'ggpRewards'),
      ...named(record, Number, 'lastRewardsCycleCompleted', 'rewardsStartTime', 'ggpLockedUntil'),
      minimumGGPStake: tokens(await chain.read('Staking', 'getMinimumGGPStake', stakerAddr)),
    };
  }),
});

export const minipools: Expected = async ({ minipools }, chain) => ({
  counts: await countsByStatus(chain),
  minipools: await firstItems(minipools, async ({ index }) => {
    const record = await chain.read('MinipoolManager', 'getMinipool', index);
    return {
      delegationFeePercent: number(record.delegationFee, 4),
      ...named(record, Number, 'duration', 'creationTime', 'initialStartTime', 'startTime', 'endTime'),
      ...named(record, tokens, 'avaxNodeOpAmt', 'avaxNodeOpInitialAmt', 'avaxLiquidStakerAmt', 'avaxTotalRewardAmt'),
      ...named(record, tokens, 'avaxNodeOpRewardAmt', 'avaxLiquidStakerRewardAmt', 'ggpSlashAmt'),
      avaxNodeOpLifetimeRewardAmt: tokens(
        record.avaxNodeOpAmt - record.avaxNodeOpInitialAmt + record.avaxNodeOpRewardAmt,
      ),
    };
  }),
});
