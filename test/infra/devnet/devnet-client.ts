import { Interface, type Result, solidityPackedKeccak256 } from 'ethers';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import { connect } from '../../../infra/devnet/rpc.ts';

/**
 * The contracts' views that tests read, from their documentation and not from the devnet's own sources, so that a
 * stand-in with another signature fails.
 */

const UINT = (names: string) => names.split(' ').map((name) => `function ${name}() view returns (uint256)`);
const UINT_OF_ADDRESS = (names: string) =>
  names.split(' ').map((name) => `function ${name}(address stakerAddr) view returns (uint256)`);

const MINIPOOL =
  'int256 index, address nodeID, uint256 status, uint256 duration, uint256 delegationFee, address owner, address multisigAddr, uint256 avaxNodeOpAmt, uint256 avaxNodeOpInitialAmt, uint256 avaxLiquidStakerAmt, bytes blsPubkeyAndSig, bytes32 txID, uint256 creationTime, uint256 initialStartTime, uint256 startTime, uint256 endTime, uint256 avaxTotalRewardAmt, bytes32 errorCode, uint256 ggpSlashAmt, uint256 avaxNodeOpRewardAmt, uint256 avaxLiquidStakerRewardAmt, bytes32 hardwareProvider';
const STAKER =
  'address stakerAddr, uint256 avaxAssigned, uint256 avaxStaked, uint256 avaxValidating, uint256 avaxValidatingHighWater, uint256 ggpRewards, uint256 ggpStaked, uint256 lastRewardsCycleCompleted, uint256 rewardsStartTime, uint256 ggpLockedUntil';

const VIEWS = {
  Storage: ['function getAddress(bytes32 key) view returns (address)'],
  TokenggAVAX: [
    'function lastRewardsAmt() view returns (uint192)',
    'function rewardsCycleEnd() view returns (uint32)',
    'function rewardsCycleLength() view returns (uint32)',
    'function hasRole(bytes32 role, address account) view returns (bool)',
    ...UINT('totalSupply totalAssets totalReleasedAssets stakingTotalAssets'),
    ...UINT_OF_ADDRESS('balanceOf'),
    ...['convertToShares', 'convertToAssets', 'previewWithdraw'].map(
      (name) => `function ${name}(uint256) view returns (uint256)`,
    ),
  ],
  MinipoolManager: [
    `function getMinipool(int256 index) view returns (tuple(${MINIPOOL}) mp)`,
    `function getMinipoolByNodeID(address nodeID) view returns (tuple(${MINIPOOL}) mp)`,
    `function getMinipools(uint8 status, uint256 offset, uint256 limit) view returns (tuple(${MINIPOOL})[] minipools)`,
    'function calculateGGPSlashAmt(uint256 avaxRewardAmt) view returns (uint256)',
    'function getExpectedAVAXRewardsAmt(uint256 duration, uint256 avaxAmt) view returns (uint256)',
    ...UINT('getMinipoolCount'),
  ],
  Staking: [
    `function getStaker(int256 stakerIndex) view returns (tuple(${STAKER}) staker)`,
    `function getStakers(uint256 offset, uint256 limit) view returns (tuple(${STAKER})[] stakers)`,
    'function getIndexOf(address stakerAddr) view returns (int256)',
    ...UINT('getStakerCount getTotalGGPStake'),
    ...UINT_OF_ADDRESS('getAVAXStake getGGPRewards getEffectiveGGPStaked'),
  ],
  RewardsPool: [
    ...UINT('getRewardsCycleCount getRewardsCycleTotalAmt'),
    'function canStartRewardsCycle() view returns (bool)',
    'function getInflationAmt() view returns (uint256 currentTotalSupply, uint256 newTotalSupply)',
    'function getClaimingContractDistribution(string claimingContract) view returns (uint256)',
  ],
  ClaimNodeOp: ['function isEligible(address stakerAddr) view returns (bool)'],
  ProtocolDAO: UINT('getRewardsCycleSeconds getMinipoolCycleDuration'),
  Oracle: ['function getGGPPriceInAVAX() view returns (uint256 price, uint256 timestamp)'],
  Vault: ['function balanceOfToken(string networkContractName, address tokenAddress) view returns (uint256)'],
  WithdrawQueue: [
    'function getRequestInfo(uint256 requestId) view returns (tuple(address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))',
    'function getAllPendingRequests() view returns (uint256[])',
    'function getAllFulfilledRequests() view returns (uint256[])',
    'function getRequestsByOwner(address user, uint256 offset, uint256 limit) view returns (uint256[])',
    'function isRequestPending(uint256 requestId) view returns (bool)',
    'function canClaimRequest(uint256 requestId) view returns (bool)',
    ...UINT('totalAllocatedFunds getPendingRequestsCount getExpiredRequestsCount'),
  ],
  TokenGGP: [...UINT_OF_ADDRESS('balanceOf'), ...UINT('totalSupply')],
  PriceFeed: [
    'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
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
