/** ABIs of the contracts, for plain ethers. */

const STAKER = `tuple(address stakerAddr, uint256 avaxAssigned, uint256 avaxStaked, uint256 avaxValidating,
  uint256 avaxValidatingHighWater, uint256 ggpRewards, uint256 ggpStaked, uint256 lastRewardsCycleCompleted,
  uint256 rewardsStartTime, uint256 ggpLockedUntil)`;

const MINIPOOL = `tuple(int256 index, address nodeID, uint256 status, uint256 duration, uint256 delegationFee, address owner,
  address multisigAddr, uint256 avaxNodeOpAmt, uint256 avaxNodeOpInitialAmt, uint256 avaxLiquidStakerAmt, bytes blsPubkeyAndSig,
  bytes32 txID, uint256 creationTime, uint256 initialStartTime, uint256 startTime, uint256 endTime, uint256 avaxTotalRewardAmt,
  bytes32 errorCode, uint256 ggpSlashAmt, uint256 avaxNodeOpRewardAmt, uint256 avaxLiquidStakerRewardAmt,
  bytes32 hardwareProvider)`;

const REQUEST = `tuple(address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime,
  uint48 expirationTime, uint256 allocatedFunds)`;

const amounts = (...views: string[]) => views.map((view) => `function ${view}() view returns (uint256)`);
const ofStaker = (...views: string[]) => views.map((view) => `function ${view}(address) view returns (uint256)`);

const VAULT = [
  ...ofStaker('balanceOf', 'maxWithdraw', 'maxRedeem'),
  ...['convertToAssets', 'previewRedeem'].map((name) => `function ${name}(uint256) view returns (uint256)`),
];

const FEED = ['function latestRoundData() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)'];
/** The views that are compared, by contract, and the transactions that are simulated. */
export const VIEWS = {
  Storage: ['function getAddress(bytes32) view returns (address)'],
  TokenggAVAX: [
    'function convertToAssets(uint256) view returns (uint256)',
    'function convertToShares(uint256) view returns (uint256)',
    ...amounts('totalAssets', 'totalSupply', 'totalReleasedAssets', 'stakingTotalAssets', 'amountAvailableForStaking'),
    ...amounts('lastRewardsAmt'),
    'function balanceOf(address) view returns (uint256)',
    'function redeemAVAX(uint256) returns (uint256)',
  ],
  TokenGGP: amounts('totalSupply', 'MAX_SUPPLY'),
  ProtocolDAO: [
    ...amounts('getTargetGGAVAXReserveRate', 'getRewardsCycleSeconds', 'getMaxCollateralizationRatio'),
    ...amounts('getInflationIntervalSeconds', 'getInflationIntervalRate'),
    ...amounts('getMinipoolCycleDuration', 'getMinipoolCancelMoratoriumSeconds'),
    'function getContractPaused(string) view returns (bool)',
    'function getClaimingContractPct(string) view returns (uint256)',
  ],
  Staking: [
    ...amounts('getStakerCount', 'getTotalGGPStake'),
    ...ofStaker('getMinimumGGPStake'),
    'function getIndexOf(address) view returns (int256)',
    `function getStaker(int256) view returns (${STAKER})`,
    'function withdrawGGP(uint256)',
  ],
  MinipoolManager: [
    ...amounts('getMinipoolCount', 'getTotalAVAXLiquidStakerAmt'),
    `function getMinipool(int256) view returns (${MINIPOOL})`,
    ...['withdrawMinipoolFunds', 'cancelMinipool'].map((name) => `function ${name}(address)`),
  ],
  RewardsPool: [
    ...amounts('getRewardsCycleCount', 'getRewardsCycleStartTime', 'getRewardsCycleTotalAmt'),
    ...amounts('getInflationIntervalStartTime'),
  ],
  Oracle: ['function getGGPPriceInAVAX() view returns (uint256 price, uint256 timestamp)'],
  WithdrawQueue: [
    ...amounts('getPendingRequestsCount', 'getFulfilledRequestsCount', 'totalAllocatedFunds', 'unstakeDelay'),
    ...amounts('maxExpirationDelay'),
    'function paused() view returns (bool)',
    `function getRequestInfo(uint256) view returns (${REQUEST})`,
    'function getAllPendingRequests() view returns (uint256[])',
    'function getRequestsByOwner(address, uint256, uint256) view returns (uint256[])',
    ...['cancelRequest', 'reclaimExpiredRequest', 'claimUnstake'].map((name) => `function ${name}(uint256)`),
  ],
  ClaimNodeOp: ['function claimAndRestake(uint256)'],
  WAVAX: ['function balanceOf(address) view returns (uint256)'],
  JoeFactory: ['function getPair(address, address) view returns (address)'],
  TokenpstAVAX: [...ofStaker('balanceOf'), 'function withdraw(uint256) returns (uint256)'],
  XGGP: [...VAULT, 'function withdraw(uint256, address, address) returns (uint256)'],
  XAVAX: [...VAULT, 'function redeemAVAX(uint256) returns (uint256)'],
  AssetLocker: [
    ...amounts('getWithdrawDate'),
    'function getUserLock(address, address) view returns (uint256 amount, uint256 unlockTime)',
    'function withdrawTokens(address, uint256)',
  ],
  AvaxUsdFeed: FEED,
  EurUsdFeed: FEED,
};
