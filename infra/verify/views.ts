/** ABIs for plain ethers. A view that is not listed returns a uint256, and its parameters have the types of its arguments. */

import { isAddress } from 'ethers';

export const STAKER = `tuple(address stakerAddr, uint256 avaxAssigned, uint256 avaxStaked, uint256 avaxValidating,
  uint256 avaxValidatingHighWater, uint256 ggpRewards, uint256 ggpStaked, uint256 lastRewardsCycleCompleted,
  uint256 rewardsStartTime, uint256 ggpLockedUntil)`;

export const MINIPOOL = `tuple(int256 index, address nodeID, uint256 status, uint256 duration, uint256 delegationFee, address owner,
  address multisigAddr, uint256 avaxNodeOpAmt, uint256 avaxNodeOpInitialAmt, uint256 avaxLiquidStakerAmt, bytes blsPubkeyAndSig,
  bytes32 txID, uint256 creationTime, uint256 initialStartTime, uint256 startTime, uint256 endTime, uint256 avaxTotalRewardAmt,
  bytes32 errorCode, uint256 ggpSlashAmt, uint256 avaxNodeOpRewardAmt, uint256 avaxLiquidStakerRewardAmt,
  bytes32 hardwareProvider)`;

const REQUEST = `tuple(address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime,
  uint48 expirationTime, uint256 allocatedFunds)`;

const VIEWS: Record<string, string> = {
  getAddress: '(bytes32) view returns (address)',
  getContractPaused: '(string) view returns (bool)',
  getIndexOf: '(address) view returns (int256)',
  getStaker: `(int256) view returns (${STAKER})`,
  getMinipool: `(int256) view returns (${MINIPOOL})`,
  getGGPPriceInAVAX: '() view returns (uint256 price, uint256 timestamp)',
  paused: '() view returns (bool)',
  getRequestInfo: `(uint256) view returns (${REQUEST})`,
  getAllPendingRequests: '() view returns (uint256[])',
  getRequestsByOwner: '(address, uint256, uint256) view returns (uint256[])',
  getUserLock: '(address, address) view returns (uint256 amount, uint256 unlockTime)',
  latestRoundData: '() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)',
  getPair: '(address, address) view returns (address)',
  token0: '() view returns (address)',
  token1: '() view returns (address)',
  getReserves: '() view returns (uint112, uint112, uint32)',
};

export function abiOf(view: string, args: readonly unknown[]): string {
  const types = args.map((arg) => (typeof arg !== 'string' ? 'uint256' : isAddress(arg) ? 'address' : 'string'));
  return `function ${view}${VIEWS[view] ?? `(${types}) view returns (uint256)`}`;
}
