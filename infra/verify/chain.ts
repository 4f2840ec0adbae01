/** Reads the chain with plain ethers. Shares no code with the service that is verified. */

import { Contract, dataSlice, getAddress, id, isError, JsonRpcProvider, ZeroAddress } from 'ethers';

import { PAIR, type Quoter, quoteSale } from './sale.ts';

interface Network {
  /** Used unless `--rpc` names another. */
  rpcUrl?: string;
  /** The protocol's registry of contracts. */
  Storage: string;
  /** Not in the registry, like the other two. */
  WithdrawQueue: string;
  WAVAX: string;
  /** Chainlink AVAX/USD, 8 decimals. */
  AvaxUsdFeed: string;
  /** Contracts around the protocol, where they are known. */
  TokenpstAVAX?: string;
  XGGP?: string;
  XAVAX?: string;
  AssetLocker?: string;
  /** Trader Joe's V1 factory, whose pair is the market of GGP. */
  JoeFactory: string;
  /** BENQI's staked AVAX. */
  SAVAX?: string;
  /** By the codes of the exchanges that have one. */
  quoters?: Record<string, Quoter>;
}

/** By chain ID. Sources: the lists of deployments that the protocol, Avalanche and Chainlink publish. */
const NETWORKS: Record<string, Network> = {
  43114: {
    rpcUrl: 'https://api.avax.network/ext/bc/C/rpc',
    Storage: '0x1cEa17F9dE4De28FeB6A102988E12D4B90DfF1a9',
    WithdrawQueue: '0x61f908D4992a790A2792D3C36850B4b9eB5849A3',
    WAVAX: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    AvaxUsdFeed: '0x0A77230d17318075983913bC2145DB16C7366156',
    TokenpstAVAX: '0x6b37756DF77A3798fd4F1476eF48C62bE7e5aAF8',
    XGGP: '0xdF34022e8a280fc79499cA560439Bb6f9797EbD8',
    XAVAX: '0x36213ca1483869c5616be738Bf8da7C9B34Ace8d',
    AssetLocker: '0xd7c8f6A6b4F2389464aaaBDf57BD864f9dcbD07B',
    JoeFactory: '0x9Ad6C38BE94206cA50bb0d90783181662f0Cfa10',
    SAVAX: '0x2b2C81e08f1Af8835a78Bb2A90AE924ACE0eA4bE',
    quoters: {
      uniswap: { key: 'fee', address: '0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F' },
      pharaoh: { key: 'tickSpacing', address: '0xB7297301b7CC659BB96D51754643A0Df6eEA2138' },
      blackhole: {
        ...{ key: 'deployer', address: '0x3e182bcf14Be6142b9217847ec1112e3c39Eb689' },
        factory: '0x512eb749541B7cf294be882D636218c84a5e9E5F',
        deployers: [
          '0xDcFccf2e8c4EfBba9127B80eAc76c5A122125d29',
          '0x58b05074D52D1a84D8FfDAddA3c1b652e8C56994',
          '0xf9221dE143A0E57c324bF2a0f281e605e845D767',
          '0x5D433A94A4a2aA8f9AA34D8D15692Dc2E9960584',
          '0x43c4b7BD4C173992C6711c631859A2EAC84BF8Db',
          '0x48b1d49fB891bAb3543Db6e902cC54726A133acE',
          '0x14E4E36f70ff06DC874F0e827B174ced91e51Cc8',
          '0x5ef3876cA93b93c9BcfD637783Ed99412b1efF43',
          '0x0AFf494476Dc74CF7BB5Dd005c2B1fE7Be76efA2',
        ],
      },
    },
  },
  43113: {
    rpcUrl: 'https://api.avax-test.network/ext/bc/C/rpc',
    Storage: '0x399D78327E665D21c8B9582D4843CA5DCA0e7dc4',
    WithdrawQueue: '0x2978377d8714975985353673cfA32543fE48C903',
    WAVAX: '0xd00ae08403B9bbb9124bB305C09058E32C39A48c',
    AvaxUsdFeed: '0x5498BB86BC934c8D34FDA08E81D444153d0D06aD',
    JoeFactory: '0xF5c7d9733e5f53abCC1695820c4818C59B457C2C',
  },
  /** The devnet of `npm start`. */
  43112: {
    Storage: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    WithdrawQueue: '0xa85233C63b9Ee964Add6F2cffe00Fd84eb32338f',
    WAVAX: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
    AvaxUsdFeed: '0xc6e7DF5E7b4f2A278906862b61205850344D4e7d',
    TokenpstAVAX: '0x09635F643e140090A9A8Dcd712eD6285858ceBef',
    XGGP: '0xc5a5C42992dECbae36851359345FE25997F5C42d',
    XAVAX: '0xE6E340D132b5f46d1e472DebcD681B2aBc16e57E',
    AssetLocker: '0x67d269191c92Caf3cD7723F116c85e6E9bf55933',
    JoeFactory: '0x0B306BF915C4d645ff596e518fAf3F9669b97016',
    SAVAX: '0x84eA74d481Ee0A5332c457a4d796187F6Ba67fEB',
    quoters: {
      uniswap: { key: 'fee', address: '0x4A679253410272dd5232B3Ff7cF5dbB88f295319' },
      pharaoh: { key: 'tickSpacing', address: '0x7a2088a1bFc9d81c55368AE168C2C02570cB814F' },
      blackhole: {
        ...{ key: 'deployer', address: '0x9E545E3C0baAB3E08CdfD552C960A1050f373042' },
        factory: '0xa37aE2b259D35aF4aBdde122eC90B204323ED304',
        deployers: ['0xDcFccf2e8c4EfBba9127B80eAc76c5A122125d29'],
      },
    },
  },
};

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
  AvaxUsdFeed: ['function latestRoundData() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)'],
};

type Name = keyof typeof VIEWS;

/** Not in the registry, and not on every network. */
const OPTIONAL: ReadonlySet<Name> = new Set(['TokenpstAVAX', 'XGGP', 'XAVAX', 'AssetLocker']);

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
  block: number;
  wavax: string;
  /** The result of a view, or undefined if it reverts or does not exist. */
  // biome-ignore lint/suspicious/noExplicitAny: what ethers decodes by the ABI above
  read(contract: Name, view: string, ...args: unknown[]): Promise<any>;
  /** The tokens of a V2 pair, each with its reserve and decimals. */
  pair(address: string): Promise<{ token: string; reserve: bigint; decimals: number }[]>;
  /** What a transaction of `from` would return, or the data that it reverts with. */
  run(contract: Name, method: string, from: string, args: readonly unknown[]): Promise<Outcome>;
  /** Of a contract that the network lacks, the zero address. */
  addressOf(contract: Name): Promise<string>;
  /** WAVAX of a registered contract. */
  wavaxOf(contract: Name): Promise<bigint>;
  /** What so much ggAVAX is sold for, by the pool's own contracts, and sAVAX's if it pays that. */
  quote(route: { dex: string; pool: string }, shares: bigint): Promise<{ avax?: bigint; sAvax?: bigint }>;
  /** The code behind a proxy; the zero address for what is none. */
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
    at: (block) => chainAt(provider, network, block),
    close: () => provider.destroy(),
  };
}

function chainAt(provider: JsonRpcProvider, network: Network, block: number): ChainAt {
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
