import type { ProtocolState } from '../chain/chain.ts';
import { answered, contractAt, readViews } from '../chain/contract.ts';

/** The DAO's settings. Fractions are scaled by 1e18, bips by 10,000, amounts are wei, durations seconds. */
export const SETTINGS_ABI = [
  'function getRewardsEligibilityMinSeconds() view returns (uint256)',
  'function getRewardsCycleSeconds() view returns (uint256)',
  'function getInflationIntervalSeconds() view returns (uint256)',
  'function getInflationIntervalRate() view returns (uint256)',
  'function getTargetGGAVAXReserveRate() view returns (uint256)',
  'function getMinipoolNodeCommissionFeePct() view returns (uint256)',
  'function getMinipoolMinAVAXStakingAmt() view returns (uint256)',
  'function getMinipoolMinAVAXAssignment() view returns (uint256)',
  'function getMinipoolMaxAVAXAssignment() view returns (uint256)',
  'function getMinipoolMinDuration() view returns (uint256)',
  'function getMinipoolMaxDuration() view returns (uint256)',
  'function getMinipoolCycleDuration() view returns (uint256)',
  'function getMinipoolCycleDelayTolerance() view returns (uint256)',
  'function getMinipoolCancelMoratoriumSeconds() view returns (uint256)',
  'function getExpectedAVAXRewardsRate() view returns (uint256)',
  'function getMinCollateralizationRatio() view returns (uint256)',
  'function getMaxCollateralizationRatio() view returns (uint256)',
  'function getFeeBips() view returns (uint256)',
  'function getWithdrawForDelegationEnabled() view returns (bool)',
] as const;

export const PROTOCOL_DAO_ABI = [
  'function getClaimingContractPct(string claimingContract) view returns (uint256)',
  'function getContractPaused(string contractName) view returns (bool)',
] as const;

/** The settings, without views that an older version lacks (`getFeeBips` before 2025-09). */
export function readSettings({ runner, addresses }: ProtocolState) {
  return readViews(addresses.ProtocolDAO, SETTINGS_ABI, runner);
}

/** The fraction (1e18 = 100 %) of new GGP that each claimant gets. */
export function readClaimingContractPct({ runner, addresses }: ProtocolState) {
  const dao = contractAt(addresses.ProtocolDAO, PROTOCOL_DAO_ABI, runner);
  return answered({
    ClaimNodeOp: dao.getClaimingContractPct('ClaimNodeOp'),
    ClaimProtocolDAO: dao.getClaimingContractPct('ClaimProtocolDAO'),
    MultisigManager: dao.getClaimingContractPct('MultisigManager'),
  });
}

/** True for each contract that the DAO has paused. Missing if the DAO does not answer. */
export function readPaused({ runner, addresses }: ProtocolState) {
  const dao = contractAt(addresses.ProtocolDAO, PROTOCOL_DAO_ABI, runner);
  return answered({
    TokenggAVAX: dao.getContractPaused('TokenggAVAX'),
    MinipoolManager: dao.getContractPaused('MinipoolManager'),
    RewardsPool: dao.getContractPaused('RewardsPool'),
    Staking: dao.getContractPaused('Staking'),
  });
}
