import { id, parseEther } from 'ethers';
import { DAY } from './calendar.ts';

/** ProtocolDAO's settings as they are on mainnet; see ProtocolDAO's getters for the units. */
const SETTINGS: Record<string, bigint | number> = {
  RewardsEligibilityMinSeconds: 15 * DAY,
  RewardsCycleSeconds: 30 * DAY,
  InflationIntervalSeconds: DAY,
  InflationIntervalRate: 1_000_133_680_617_113_500n,
  'ClaimingContractPct.ClaimNodeOp': parseEther('0.7'),
  'ClaimingContractPct.ClaimProtocolDAO': parseEther('0.2'),
  'ClaimingContractPct.MultisigManager': parseEther('0.1'),
  TargetGGAVAXReserveRate: parseEther('0.1'),
  FeeBips: 1000,
  MinipoolMinAVAXStakingAmt: parseEther('2000'),
  MinipoolMinAVAXAssignment: parseEther('1000'),
  MinipoolMaxAVAXAssignment: parseEther('1000'),
  MinipoolNodeCommissionFeePct: 0,
  MinipoolMinDuration: 15 * DAY,
  MinipoolMaxDuration: 365 * DAY,
  MinipoolCycleDuration: 15 * DAY,
  MinipoolCycleDelayTolerance: DAY,
  MinipoolCancelMoratoriumSeconds: 5 * DAY,
  ExpectedAVAXRewardsRate: parseEther('0.1'),
  MinCollateralizationRatio: parseEther('0.1'),
  MaxCollateralizationRatio: parseEther('1.5'),
};

/** [key, value] of every setting in Storage: the hash of its dotted name. */
export const SETTING_KEYS = Object.entries(SETTINGS).map(
  ([name, value]) => [id(`ProtocolDAO.${name}`), value] as const,
);
