import type { View } from '../chain/chain.ts';
import type { Claimant } from '../rewards/inflation.ts';
import { Abi } from './abi.ts';
import { answered } from './answered.ts';
import { contractAt } from './contract.ts';
import { gettersOf } from './getters.ts';

/** Settings: fractions are scaled by 1e18, bips by 10,000, durations are seconds. */
const readGetters = gettersOf({
  getRewardsEligibilityMinSeconds: 'uint256',
  getRewardsCycleSeconds: 'uint256',
  getInflationIntervalSeconds: 'uint256',
  getInflationIntervalRate: 'uint256',
  getTargetGGAVAXReserveRate: 'uint256',
  getMinipoolNodeCommissionFeePct: 'uint256',
  getMinipoolCycleDuration: 'uint256',
  getMinCollateralizationRatio: 'uint256',
  getMaxCollateralizationRatio: 'uint256',
  getFeeBips: 'uint256',
});

const ABI = new Abi([
  'function getClaimingContractPct(string claimingContract) view returns (uint256)',
  'function getContractPaused(string contractName) view returns (bool)',
]);

/** The DAO's settings. A view that an older version lacks (`getFeeBips` before 2025-09) is left out. */
export function readSettings({ runner, addresses }: View) {
  return readGetters(runner, addresses.ProtocolDAO);
}

export type Settings = Awaited<ReturnType<typeof readSettings>>;

/** The fraction (1e18 = 100 %) of new GGP that each claimant gets. */
export function readClaimingContractPct({ runner, addresses }: View) {
  const dao = contractAt(runner, addresses.ProtocolDAO, ABI);
  const pct = (name: Claimant) => dao<bigint>('getClaimingContractPct', name);
  return answered<Record<Claimant, bigint>>({
    ClaimNodeOp: pct('ClaimNodeOp'),
    ClaimProtocolDAO: pct('ClaimProtocolDAO'),
    MultisigManager: pct('MultisigManager'),
  });
}

/** Whether the DAO has paused a contract; missing where it does not answer. */
export function readPaused({ runner, addresses }: View) {
  const dao = contractAt(runner, addresses.ProtocolDAO, ABI);
  const paused = (name: string) => dao<boolean>('getContractPaused', name);
  return answered<{ TokenggAVAX: boolean; MinipoolManager: boolean }>({
    TokenggAVAX: paused('TokenggAVAX'),
    MinipoolManager: paused('MinipoolManager'),
  });
}
