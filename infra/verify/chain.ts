/** Reads the chain with plain ethers: no code that reads is shared with the service that is verified. */

import { setTimeout } from 'node:timers/promises';
import { dataSlice, Interface, id, isAddress, isError, JsonRpcProvider, ZeroAddress } from 'ethers';
import { DEVNET_ADDRESSES } from '../devnet/addresses.ts';

/** Addresses of contracts by name, from other lists than those of `lib`. `rpcUrl` is used unless `--rpc` names another. */
type Network = Partial<Record<string, string>>;

/** A name without an address does not exist on a network. All other contracts are in the registry. */
const AVALANCHE = {
  rpcUrl: 'https://api.avax.network/ext/bc/C/rpc',
  Storage: '0x1cEa17F9dE4De28FeB6A102988E12D4B90DfF1a9',
  WithdrawQueue: '0x61f908D4992a790A2792D3C36850B4b9eB5849A3',
  WAVAX: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
  AvaxUsdFeed: '0x0A77230d17318075983913bC2145DB16C7366156',
  EurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
  TokenpstAVAX: '0x6b37756DF77A3798fd4F1476eF48C62bE7e5aAF8',
  XGGP: '0xdF34022e8a280fc79499cA560439Bb6f9797EbD8',
  XAVAX: '0x36213ca1483869c5616be738Bf8da7C9B34Ace8d',
  AssetLocker: '0xd7c8f6A6b4F2389464aaaBDf57BD864f9dcbD07B',
  JoeFactory: '0x9Ad6C38BE94206cA50bb0d90783181662f0Cfa10',
};

/** By chain ID. Sources: the lists of deployments that the protocol, Avalanche and Chainlink publish. */
const NETWORKS: Record<string, Network> = {
  43114: AVALANCHE,
  43113: {
    rpcUrl: 'https://api.avax-test.network/ext/bc/C/rpc',
    Storage: '0x399D78327E665D21c8B9582D4843CA5DCA0e7dc4',
    WithdrawQueue: '0x2978377d8714975985353673cfA32543fE48C903',
    WAVAX: '0xd00ae08403B9bbb9124bB305C09058E32C39A48c',
    AvaxUsdFeed: '0x5498BB86BC934c8D34FDA08E81D444153d0D06aD',
    JoeFactory: '0xF5c7d9733e5f53abCC1695820c4818C59B457C2C',
  },
  43112: DEVNET_ADDRESSES,
};

export type ChainAt = ReturnType<typeof chainAt>;
export type ChainSource = Awaited<ReturnType<typeof connectChain>>;

/** Connects to the chain with this ID. Throws if the chain is unknown or the provider serves another one. */
export async function connectChain(chainId: unknown, rpcUrl?: string) {
  const network = NETWORKS[String(chainId)];
  if (!network) throw new Error(`The service reads chain ${chainId}, on which no deployment of the protocol is known`);
  const url = rpcUrl ?? network.rpcUrl;
  if (!url) throw new Error(`Chain ${chainId} has no public RPC provider: pass one with --rpc`);
  // Public providers accept at most 40 calls per batch.
  const provider = new JsonRpcProvider(url, Number(chainId), { staticNetwork: true, batchMaxCount: 40 });
  const actual = Number(await provider.send('eth_chainId', []));
  if (actual !== Number(chainId))
    throw new Error(`The service reads chain ${chainId}, but --rpc serves chain ${actual}`);
  const once = createCache();
  /** The timestamp of a block. Throws if the provider does not have the block after a few seconds. */
  const timeOf = (block: number) =>
    once(`time ${block}`, async () => {
      const found = await provider.getBlock(block);
      if (!found) throw new Error(`The provider does not have block ${block}`);
      return found.timestamp;
    });
  return {
    timeOf,
    /** The last block at or before a time; 0 if the chain is younger. */
    async lastBlockBy(time: number): Promise<number> {
      let [low, high] = [0, await provider.getBlockNumber()];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((await timeOf(middle)) <= time) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    at: (block: number) => chainAt(provider, network, once, block),
    close: () => provider.destroy(),
  };
}

/** Repeats a request that fails: a provider may be a little behind the one from which the service has the block. */
async function retried<T>(request: () => Promise<T>, left = 4): Promise<T> {
  return request().catch(async (error) => {
    if (left === 0) throw error;
    await setTimeout(1_000);
    return retried(request, left - 1);
  });
}

/** Returns a cache of answers by key. A failed request is sent again. */
function createCache() {
  const known = new Map<string, Promise<unknown>>();
  return <T>(key: string, request: () => Promise<T>): Promise<T> => {
    const answer = known.get(key) ?? retried(request);
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer as Promise<T>;
  };
}

function chainAt(provider: JsonRpcProvider, network: Network, once: ReturnType<typeof createCache>, blockTag: number) {
  /** The result of a call, undefined if it reverts. For ethers, every error of a provider is a CALL_EXCEPTION. */
  const call = (to: string, data: string, from: string | null = null): Promise<string | undefined> =>
    once(`${blockTag} ${from} ${to} ${data}`, async () => {
      try {
        return await provider.call({ to, data, from, blockTag });
      } catch (error) {
        const { message = '' } = (error as { info?: { error?: { message?: string } } }).info?.error ?? {};
        if (isError(error, 'CALL_EXCEPTION') && (error.data || /revert|opcode/i.test(message))) return undefined;
        throw error;
      }
    });
  /** The result of a view, or undefined if it reverts or does not exist. */
  // biome-ignore lint/suspicious/noExplicitAny: decoded by the ABI
  const readAt = async (address: string, view: string, ...args: unknown[]): Promise<any> => {
    const abi = new Interface([abiOf(view, args)]);
    const data = (await call(address, abi.encodeFunctionData(view, args))) ?? '0x';
    const result = data === '0x' ? [undefined] : abi.decodeFunctionResult(view, data);
    return result.length === 1 ? result[0] : result;
  };
  /** The address of a contract; the zero address if the network does not have the contract. */
  const addressOf = async (name: string): Promise<string> =>
    name in AVALANCHE
      ? (network[name] ?? ZeroAddress)
      : ((await readAt(network.Storage as string, 'getAddress', id(`contract.address${name}`))) ?? ZeroAddress);
  return {
    addressOf,
    readAt,
    // biome-ignore lint/suspicious/noExplicitAny: decoded by the ABI
    async read(name: string, view: string, ...args: unknown[]): Promise<any> {
      const address = await addressOf(name);
      return address === ZeroAddress ? undefined : readAt(address, view, ...args);
    },
    /** Simulates a transaction of `from`: the first word of its result, 0 for an empty one, or undefined if it reverts. */
    async run(name: string, method: string, from: string, args: readonly unknown[]) {
      const address = await addressOf(name);
      // An address without code accepts everything.
      if (address === ZeroAddress) return undefined;
      const data = new Interface([`function ${method}`]).encodeFunctionData(method, args);
      const result = await call(address, data, from);
      if (result === undefined) return undefined;
      return result === '0x' ? 0n : BigInt(dataSlice(result, 0, 32));
    },
  };
}

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

/** A view that is not listed returns a uint256, and its parameters have the types of its arguments. */
const VIEWS: Record<string, string> = {
  getAddress: '(bytes32) view returns (address)',
  getIndexOf: '(address) view returns (int256)',
  getStaker: `(int256) view returns (${STAKER})`,
  getMinipool: `(int256) view returns (${MINIPOOL})`,
  getGGPPriceInAVAX: '() view returns (uint256 price, uint256 timestamp)',
  getRequestInfo: `(uint256) view returns (${REQUEST})`,
  getAllPendingRequests: '() view returns (uint256[])',
  getRequestsByOwner: '(address, uint256, uint256) view returns (uint256[])',
  getUserLock: '(address, address) view returns (uint256 amount, uint256 unlockTime)',
  latestRoundData: '() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)',
  getPair: '(address, address) view returns (address)',
  token0: '() view returns (address)',
  getReserves: '() view returns (uint112, uint112, uint32)',
};

export function abiOf(view: string, args: readonly unknown[]): string {
  const types = args.map((arg) => (typeof arg !== 'string' ? 'uint256' : isAddress(arg) ? 'address' : 'string'));
  return `function ${view}${VIEWS[view] ?? `(${types}) view returns (uint256)`}`;
}
