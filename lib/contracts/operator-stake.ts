/** The stake of one address, without reading all stakers. */

import { type ProtocolState, recordKey, STORAGE_ABI } from '../chain/chain.ts';
import { allRead, contractAt, ifAnswered } from '../chain/contract.ts';
import { readNodeOpCycleTotal } from './ggp.ts';

const OPERATOR_STAKE_ABI = [
  'function getIndexOf(address stakerAddr) view returns (int256)',
  'function getGGPStake(address stakerAddr) view returns (uint256)',
  'function getGGPRewards(address stakerAddr) view returns (uint256)',
  'function getAVAXAssigned(address stakerAddr) view returns (uint256)',
  'function getAVAXStake(address stakerAddr) view returns (uint256)',
] as const;

/** Amounts in wei. */
export type OperatorStake = NonNullable<Awaited<ReturnType<typeof readOperatorStake>>>;

/**
 * The stake of an address. Undefined if the address has never staked: `getGGPStake` reverts then. No view returns the end of
 * a lock alone, so it is read from the record in the registry; the record's key is the same in all versions.
 */
export async function readOperatorStake(state: ProtocolState, staker: string) {
  const staking = contractAt(state.addresses.Staking, OPERATOR_STAKE_ABI, state.runner);
  const reads = allRead({
    index: staking.getIndexOf(staker),
    ggpStaked: staking.getGGPStake(staker),
    /** GGP that was distributed to the operator and not claimed. */
    ggpRewards: staking.getGGPRewards(staker),
    avaxAssigned: staking.getAVAXAssigned(staker),
    /** The operator's own AVAX in minipools, until it is withdrawn. */
    avaxStaked: staking.getAVAXStake(staker),
  });
  const [answers, paid] = await Promise.all([ifAnswered(reads), readNodeOpCycleTotal(state)]);
  if (!answers) return undefined;
  const { index, ...stake } = answers;
  const registry = contractAt(state.network.storage, STORAGE_ABI, state.runner);
  const lockKey = recordKey('staker', index, 'ggpLockedUntil');
  return {
    ...stake,
    /** Time until which no GGP can be withdrawn, unix seconds. In the past, or 0, if the stake is not locked. */
    lockedUntil: stake.ggpStaked > 0n ? Number(await registry.getUint(lockKey)) : 0,
    /** True if there is a contract that pays rewards. */
    canClaim: paid !== undefined,
  };
}
