/** Reads the chain with plain ethers. Shares no code with the service that is verified. */

import { Contract, dataSlice, getAddress, id, isError, JsonRpcProvider, ZeroAddress } from 'ethers';
import { NETWORKS, type Network } from './networks.ts';
import { PAIR, quoteSale } from './sale.ts';

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

/** The views that are compared, by contract, and the transactions that are run. */
const FEED = ['function latestRoundData() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)'];
const VIEWS = {
  Storage: ['function getAddress(bytes32) view returns (address)'],
  TokenggAVAX: [
    'function name() view returns (string)',
    'function symbol() view returns (string)',
    'function convertToAssets(uint256) view returns (uint256)',
    'function convertToShares(uint256) view returns (uint256)',
    ...amounts('totalAssets', 'totalSupply', 'totalReleasedAssets', 'stakingTotalAssets', 'amountAvailableForStaking'),
    ...amounts('lastRewardsAmt', 'lastSync', 'rewardsCycleEnd', 'rewardsCycleLength'),
    'function balanceOf(address) view returns (uint256)',
    'function redeemAVAX(uint256) returns (uint256)',
  ],
  TokenGGP: amounts('totalSupply'),
  ProtocolDAO: [
    ...amounts('getTargetGGAVAXReserveRate', 'getFeeBips', 'getRewardsCycleSeconds'),
    ...amounts('getRewardsEligibilityMinSeconds', 'getInflationIntervalSeconds', 'getInflationIntervalRate'),
    ...amounts('getMinipoolMinAVAXStakingAmt', 'getMinipoolMinAVAXAssignment', 'getMinipoolMaxAVAXAssignment'),
    ...amounts('getMinipoolMinDuration', 'getMinipoolMaxDuration', 'getMinipoolCycleDuration'),
    ...amounts('getMinipoolCycleDelayTolerance', 'getMinipoolCancelMoratoriumSeconds'),
    ...amounts('getMinipoolNodeCommissionFeePct', 'getExpectedAVAXRewardsRate'),
    'function getWithdrawForDelegationEnabled() view returns (bool)',
    ...amounts('getMinCollateralizationRatio', 'getMaxCollateralizationRatio'),
    'function getContractPaused(string) view returns (bool)',
    'function getClaimingContractPct(string) view returns (uint256)',
  ],
  Staking: [
    ...amounts('getStakerCount', 'getTotalGGPStake'),
    ...ofStaker('getCollateralizationRatio', 'getEffectiveRewardsRatio', 'getEffectiveGGPStaked', 'getMinimumGGPStake'),
    'function getIndexOf(address) view returns (int256)',
    `function getStaker(int256) view returns (${STAKER})`,
    'function withdrawGGP(uint256)',
  ],
  MinipoolManager: [
    ...amounts('getMinipoolCount', 'getTotalAVAXLiquidStakerAmt'),
    `function getMinipool(int256) view returns (${MINIPOOL})`,
    ...['withdrawMinipoolFunds', 'cancelMinipool'].map((name) => `function ${name}(address)`),
  ],
  RewardsPool: amounts('getRewardsCycleCount', 'getRewardsCycleStartTime', 'getRewardsCycleTotalAmt'),
  Oracle: ['function getGGPPriceInAVAX() view returns (uint256 price, uint256 timestamp)'],
  WithdrawQueue: [
    ...amounts('getPendingRequestsCount', 'getFulfilledRequestsCount', 'totalAllocatedFunds', 'unstakeDelay'),
    ...amounts('MIN_EXPIRATION_DELAY', 'maxExpirationDelay'),
    'function paused() view returns (bool)',
    `function getRequestInfo(uint256) view returns (${REQUEST})`,
    'function getAllPendingRequests() view returns (uint256[])',
    'function getRequestsByOwner(address, uint256, uint256) view returns (uint256[])',
    ...['cancelRequest', 'reclaimExpiredRequest', 'claimUnstake'].map((name) => `function ${name}(uint256)`),
  ],
  ClaimNodeOp: ['function isEligible(address) view returns (bool)', 'function claimAndRestake(uint256)'],
  WAVAX: ['function balanceOf(address) view returns (uint256)'],
  JoeFactory: ['function getPair(address, address) view returns (address)'],
  TokenpstAVAX: [
    ...ofStaker('balanceOf'),
    'function getExcessShares() view returns (uint256 feeShares, uint256 burnShares)',
    'function withdraw(uint256) returns (uint256)',
  ],
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

type Name = keyof typeof VIEWS;

/** Not in the registry, and not on every network. */
const OPTIONAL: ReadonlySet<Name> = new Set(['TokenpstAVAX', 'XGGP', 'XAVAX', 'AssetLocker', 'EurUsdFeed']);

const TOKEN = ['function decimals() view returns (uint8)', 'function balanceOf(address) view returns (uint256)'];
const SAVAX = ['function getPooledAvaxByShares(uint256) view returns (uint256)'];
/** ERC-1967. */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

interface Outcome {
  paid?: bigint;
  reverted?: string;
}

/** The chain as of one block. */
export interface ChainAt {
  chainId: number;
  block: number;
  wavax: string;
  /** The result of a view, or undefined if it reverts or does not exist. */
  // biome-ignore lint/suspicious/noExplicitAny: what ethers decodes by the ABI above
  read(contract: Name, view: string, ...args: unknown[]): Promise<any>;
  /** The tokens of a V2 pair, each with its reserve and decimals. */
  pair(address: string): Promise<{ token: string; reserve: bigint; decimals: number }[]>;
  /** Simulates a transaction of `from`: its result, or the data that it reverts with. */
  run(contract: Name, method: string, from: string, args: readonly unknown[]): Promise<Outcome>;
  /** The address of a contract; the zero address if the network does not have the contract. */
  addressOf(contract: Name): Promise<string>;
  /** WAVAX balance of a registered contract. */
  wavaxOf(contract: Name): Promise<bigint>;
  /** Proceeds of a sale of ggAVAX by the pool's own contracts, with `sAvax` if the pool pays in sAVAX. */
  quote(route: { dex: string; pool: string }, shares: bigint): Promise<{ avax?: bigint; sAvax?: bigint }>;
  /** The address of the code behind a proxy; the zero address if the contract is no proxy. */
  implementation(address: string): Promise<string>;
}

export interface ChainSource {
  chainId: bigint;
  /** The timestamp of a block, or undefined if the block does not exist. */
  timestamp(block: number): Promise<number | undefined>;
  at(block: number): ChainAt;
  close(): void;
}

/** Connects to the chain with this ID. Throws if the chain is unknown or the provider serves another one. */
export async function connectChain(chainId: unknown, rpcUrl?: string): Promise<ChainSource> {
  const network = NETWORKS[String(chainId)];
  if (!network) throw new Error(`The service reads chain ${chainId}, on which no deployment of the protocol is known`);
  const url = rpcUrl ?? network.rpcUrl;
  if (!url) throw new Error(`Chain ${chainId} has no public RPC provider: pass one with --rpc`);
  // Public providers accept at most 40 calls per batch.
  const provider = new JsonRpcProvider(url, Number(chainId), { staticNetwork: true, batchMaxCount: 40 });
  const actual = BigInt(await provider.send('eth_chainId', []));
  if (actual !== BigInt(chainId as number))
    throw new Error(`The service reads chain ${chainId}, but --rpc serves chain ${actual}`);
  return {
    chainId: actual,
    timestamp: async (block) => (await provider.getBlock(block))?.timestamp,
    at: (block) => chainAt(provider, { ...network, chainId: Number(actual) }, block),
    close: () => provider.destroy(),
  };
}

function chainAt(provider: JsonRpcProvider, network: Network & { chainId: number }, block: number): ChainAt {
  const call = async (address: string, abi: readonly string[], view: string, args: readonly unknown[]) => {
    try {
      return await new Contract(address, abi, provider).getFunction(view).staticCall(...args, { blockTag: block });
    } catch (error) {
      if (isError(error, 'CALL_EXCEPTION') || isError(error, 'BAD_DATA')) return undefined;
      throw error;
    }
  };
  const addresses = new Map<Name, Promise<string>>();
  const addressOf = (name: Name): Promise<string> => {
    if (name in network) return Promise.resolve(network[name as 'Storage']);
    if (OPTIONAL.has(name)) return Promise.resolve(ZeroAddress);
    const known =
      addresses.get(name) ??
      call(network.Storage, VIEWS.Storage, 'getAddress(bytes32)', [id(`contract.address${name}`)]);
    addresses.set(name, known);
    return known;
  };
  const run: ChainAt['run'] = async (name, method, from, args) => {
    const address = await addressOf(name);
    // What has no code accepts everything.
    if (address === ZeroAddress) return { reverted: '0x' };
    const contract = new Contract(address, VIEWS[name], provider);
    try {
      return { paid: await contract.getFunction(method).staticCall(...args, { from, blockTag: block }) };
    } catch (error) {
      if (isError(error, 'CALL_EXCEPTION')) return { reverted: error.data ?? '0x' };
      throw error;
    }
  };
  return {
    chainId: network.chainId,
    block,
    wavax: network.WAVAX,
    run,
    addressOf,
    wavaxOf: async (name) => call(network.WAVAX, TOKEN, 'balanceOf', [await addressOf(name)]),
    implementation: async (address) =>
      getAddress(dataSlice(await provider.getStorage(address, IMPLEMENTATION, block), 12)),
    async quote({ dex, pool }, shares) {
      const token = await addressOf('TokenggAVAX');
      const { paid, wanted } = await quoteSale(call, { pool, quoter: network.quoters?.[dex] }, token, shares);
      if (wanted === network.WAVAX) return { avax: paid };
      if (wanted !== network.SAVAX) return {};
      return { avax: await call(wanted, SAVAX, 'getPooledAvaxByShares', [paid]), sAvax: paid };
    },
    async read(name, view, ...args) {
      const address = await addressOf(name);
      return address === ZeroAddress ? undefined : call(address, VIEWS[name], view, args);
    },
    async pair(address) {
      const [reserves, ...tokens] = await Promise.all(
        ['getReserves', 'token0', 'token1'].map((view) => call(address, PAIR, view, [])),
      );
      return Promise.all(
        tokens.map(async (token, index) => ({
          token,
          reserve: reserves[index],
          decimals: Number(await call(token, TOKEN, 'decimals', [])),
        })),
      );
    },
  };
}
