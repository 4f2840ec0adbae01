import { Interface, type Result, solidityPackedKeccak256 } from 'ethers';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import { connect, RpcError } from '../../../infra/devnet/rpc.ts';

/**
 * The contracts' views that tests read, as their documentation lists them, not as the devnet's own sources declare them:
 * a stand-in with another signature does not answer.
 */

const UINT = (names: string) => names.split(' ').map((name) => `function ${name}() view returns (uint256)`);
const UINT_OF_ADDRESS = (names: string) =>
  names.split(' ').map((name) => `function ${name}(address stakerAddr) view returns (uint256)`);

/** The 21 fields of 2024-03; the version of 2024-08 appends `bytes32 hardwareProvider`. */
const MINIPOOL_V4 =
  'int256 index, address nodeID, uint256 status, uint256 duration, uint256 delegationFee, address owner, address multisigAddr, uint256 avaxNodeOpAmt, uint256 avaxNodeOpInitialAmt, uint256 avaxLiquidStakerAmt, bytes blsPubkeyAndSig, bytes32 txID, uint256 creationTime, uint256 initialStartTime, uint256 startTime, uint256 endTime, uint256 avaxTotalRewardAmt, bytes32 errorCode, uint256 ggpSlashAmt, uint256 avaxNodeOpRewardAmt, uint256 avaxLiquidStakerRewardAmt';
const MINIPOOL = `${MINIPOOL_V4}, bytes32 hardwareProvider`;
const STAKER =
  'address stakerAddr, uint256 avaxAssigned, uint256 avaxStaked, uint256 avaxValidating, uint256 avaxValidatingHighWater, uint256 ggpRewards, uint256 ggpStaked, uint256 lastRewardsCycleCompleted, uint256 rewardsStartTime, uint256 ggpLockedUntil';

const minipoolViews = (struct: string) => [
  `function getMinipool(int256 index) view returns (tuple(${struct}) mp)`,
  `function getMinipoolByNodeID(address nodeID) view returns (tuple(${struct}) mp)`,
  `function getMinipools(uint8 status, uint256 offset, uint256 limit) view returns (tuple(${struct})[] minipools)`,
  'function getIndexOf(address nodeID) view returns (int256)',
  'function calculateGGPSlashAmt(uint256 avaxRewardAmt) view returns (uint256)',
  'function getExpectedAVAXRewardsAmt(uint256 duration, uint256 avaxAmt) view returns (uint256)',
  ...UINT('getMinipoolCount getTotalAVAXLiquidStakerAmt'),
];

const VIEWS = {
  Storage: [
    'function getAddress(bytes32 key) view returns (address)',
    'function getBool(bytes32 key) view returns (bool)',
    'function getString(bytes32 key) view returns (string)',
    'function getUint(bytes32 key) view returns (uint256)',
    'function getGuardian() view returns (address)',
  ],
  TokenggAVAX: [
    'function name() view returns (string)',
    'function version() view returns (uint8)',
    'function lastRewardsAmt() view returns (uint192)',
    'function lastSync() view returns (uint32)',
    'function rewardsCycleEnd() view returns (uint32)',
    'function rewardsCycleLength() view returns (uint32)',
    'function hasRole(bytes32 role, address account) view returns (bool)',
    ...UINT('totalSupply totalAssets totalReleasedAssets stakingTotalAssets amountAvailableForStaking'),
    ...UINT_OF_ADDRESS('balanceOf'),
    ...['convertToShares', 'convertToAssets', 'previewWithdraw'].map(
      (name) => `function ${name}(uint256) view returns (uint256)`,
    ),
  ],
  MinipoolManager: minipoolViews(MINIPOOL),
  MinipoolManagerV4: minipoolViews(MINIPOOL_V4),
  Staking: [
    `function getStaker(int256 stakerIndex) view returns (tuple(${STAKER}) staker)`,
    `function getStakers(uint256 offset, uint256 limit) view returns (tuple(${STAKER})[] stakers)`,
    'function getIndexOf(address stakerAddr) view returns (int256)',
    ...UINT('getStakerCount getTotalGGPStake'),
    ...UINT_OF_ADDRESS('getAVAXStake getGGPRewards getMinimumGGPStake'),
    ...UINT_OF_ADDRESS('getCollateralizationRatio getEffectiveRewardsRatio getEffectiveGGPStaked'),
  ],
  RewardsPool: [
    ...UINT('getRewardsCycleCount getRewardsCycleStartTime getRewardsCycleTotalAmt getInflationIntervalStartTime'),
    'function canStartRewardsCycle() view returns (bool)',
    'function getInflationAmt() view returns (uint256 currentTotalSupply, uint256 newTotalSupply)',
    'function getClaimingContractDistribution(string claimingContract) view returns (uint256)',
  ],
  ClaimNodeOp: ['function isEligible(address stakerAddr) view returns (bool)'],
  ProtocolDAO: [
    ...UINT('getRewardsEligibilityMinSeconds getRewardsCycleSeconds getInflationIntervalSeconds'),
    ...UINT('getInflationIntervalRate getTargetGGAVAXReserveRate getMinipoolNodeCommissionFeePct getFeeBips'),
    ...UINT('getMinipoolCycleDuration getExpectedAVAXRewardsRate'),
    ...UINT('getMinCollateralizationRatio getMaxCollateralizationRatio'),
    'function getContractPaused(string) view returns (bool)',
    'function hasRole(string roleName, address account) view returns (bool)',
  ],
  Oracle: ['function getGGPPriceInAVAX() view returns (uint256 price, uint256 timestamp)'],
  Vault: [
    'function balanceOf(string networkContractName) view returns (uint256)',
    'function balanceOfToken(string networkContractName, address tokenAddress) view returns (uint256)',
  ],
  WithdrawQueue: [
    'function unstakeDelay() view returns (uint48)',
    'function maxExpirationDelay() view returns (uint48)',
    'function MIN_EXPIRATION_DELAY() view returns (uint48)',
    'function paused() view returns (bool)',
    'function getRequestInfo(uint256 requestId) view returns (tuple(address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))',
    'function getAllPendingRequests() view returns (uint256[])',
    'function getAllFulfilledRequests() view returns (uint256[])',
    'function getRequestsByOwner(address user, uint256 offset, uint256 limit) view returns (uint256[])',
    'function isRequestPending(uint256 requestId) view returns (bool)',
    'function canClaimRequest(uint256 requestId) view returns (bool)',
    ...UINT('totalAllocatedFunds getPendingRequestsCount getFulfilledRequestsCount getExpiredRequestsCount'),
  ],
  Multicall3: [
    'function aggregate3(tuple(address target, bool allowFailure, bytes callData)[] calls) payable returns (tuple(bool success, bytes returnData)[] returnData)',
    ...UINT('getBlockNumber getCurrentBlockTimestamp'),
  ],
  TokenGGP: [
    'function balanceOf(address) view returns (uint256)',
    'function decimals() view returns (uint8)',
    ...UINT('totalSupply'),
  ],
  WAVAX: ['function name() view returns (string)', 'function symbol() view returns (string)', ...UINT('totalSupply')],
  V2Factory: ['function getPair(address a, address b) view returns (address)'],
  V2Pair: [
    'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
    'function token0() view returns (address)',
  ],
  LBFactory: [
    'function getAllLBPairs(address a, address b) view returns (tuple(uint16 binStep, address LBPair, bool createdByOwner, bool ignoredForRouting)[])',
  ],
  LBPair: [
    'function getTokenX() view returns (address)',
    'function getBinStep() view returns (uint16)',
    'function getActiveId() view returns (uint24)',
    'function getReserves() view returns (uint128 x, uint128 y)',
    'function getBin(uint24 id) view returns (uint128 x, uint128 y)',
    'function getPriceFromId(uint24 id) view returns (uint256)',
    'function getSwapOut(uint128 amountIn, bool swapForY) view returns (uint128 amountInLeft, uint128 amountOut, uint128 fee)',
    'function getStaticFeeParameters() view returns (uint16 baseFactor, uint16 filterPeriod, uint16 decayPeriod, uint16 reductionFactor, uint24 variableFeeControl, uint16 protocolShare, uint24 maxVolatilityAccumulator)',
  ],
  UniswapV3Factory: ['function getPool(address a, address b, uint24 fee) view returns (address)'],
  PharaohFactory: ['function getPool(address a, address b, int24 tickSpacing) view returns (address)'],
  V3Pool: [
    'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
    'function liquidity() view returns (uint128)',
    'function fee() view returns (uint24)',
    'function token0() view returns (address)',
  ],
  PriceFeed: [
    'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
    'function decimals() view returns (uint8)',
  ],
} as const satisfies Record<string, readonly string[]>;

type ContractKind = keyof typeof VIEWS;

const ABIS = Object.fromEntries(Object.entries(VIEWS).map(([kind, views]) => [kind, new Interface(views)])) as Record<
  ContractKind,
  Interface
>;

interface Block {
  number: number;
  timestamp: number;
  hash: string;
  transactions: string[];
}

/** Reads views of a chain at any block. */
export function createClient(url: string) {
  const rpc = connect(url);

  const readAt = async (
    kind: ContractKind,
    address: string,
    method: string,
    args: readonly unknown[] = [],
    block: number | 'latest' = 'latest',
  ): Promise<Result> => {
    const data = ABIS[kind].encodeFunctionData(method, args);
    const tag = block === 'latest' ? block : `0x${block.toString(16)}`;
    const answer = (await rpc.send('eth_call', { to: address, data }, tag)) as string;
    return ABIS[kind].decodeFunctionResult(method, answer);
  };

  /** The address of a registered contract, at a block. */
  const registered = async (name: string, block?: number): Promise<string> => {
    const key = solidityPackedKeccak256(['string', 'string'], ['contract.address', name]);
    return (await readAt('Storage', DEVNET_ADDRESSES.Storage, 'getAddress', [key], block))[0];
  };

  return {
    rpc,
    readAt,
    registered,
    /** The single value of a registered contract's view. */
    async read(name: ContractKind, method: string, args: readonly unknown[] = [], block?: number) {
      return (await readAt(name, await registered(name, block), method, args, block))[0];
    },
    async block(tag: number | 'latest'): Promise<Block> {
      const text = tag === 'latest' ? tag : `0x${tag.toString(16)}`;
      const block = (await rpc.send('eth_getBlockByNumber', text, false)) as Block;
      return { ...block, number: Number(block.number), timestamp: Number(block.timestamp) };
    },
  };
}

export type Client = ReturnType<typeof createClient>;

/** The revert data of a read that fails. */
export async function revertOf(read: Promise<unknown>): Promise<string> {
  try {
    await read;
  } catch (error) {
    if (error instanceof RpcError && typeof error.data === 'string') return error.data;
    throw error;
  }
  throw new Error('the call did not revert');
}
