/** Reads the chain with plain ethers. Shares no code with the service that is verified. */

import { setTimeout } from 'node:timers/promises';
import { Contract, dataSlice, getAddress, id, isError, JsonRpcProvider, ZeroAddress } from 'ethers';
import { NETWORKS, type Network } from './networks.ts';
import { PAIR, quoteSale } from './sale.ts';
import { VIEWS } from './views.ts';

type Name = keyof typeof VIEWS;

/** Not in the registry, and not on every network. */
const OPTIONAL: ReadonlySet<Name> = new Set(['TokenpstAVAX', 'XGGP', 'XAVAX', 'AssetLocker', 'EurUsdFeed']);

const TOKEN = ['function decimals() view returns (uint8)', 'function balanceOf(address) view returns (uint256)'];
const SAVAX = ['function getPooledAvaxByShares(uint256) view returns (uint256)'];
/** ERC-1967. */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: what ethers decodes by the ABI
  paid?: any;
  reverted?: string;
}

/** The chain as of one block. */
export interface ChainAt {
  chainId: number;
  block: number;
  wavax: string;
  heliconTime: number;
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

export interface Receipt {
  block: number;
  /** Indices of the logs. */
  logs: ReadonlySet<number>;
  /** All words of all logs. */
  words: ReadonlySet<bigint>;
}

export interface ChainSource {
  chainId: bigint;
  /** The timestamp of a block; undefined if the block does not exist. */
  timestamp(block: number): Promise<number | undefined>;
  /** The timestamp of a block that exists. Throws if the provider does not get it in a few seconds. */
  timeOf(block: number): Promise<number>;
  /** The events of a transaction; undefined if there is no such transaction. */
  receipt(txHash: string): Promise<Receipt | undefined>;
  /** The last block at or before a time; 0 if the chain is younger. */
  lastBlockBy(time: number): Promise<number>;
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
  const blocks = new Map<number, ChainAt>();
  const at = (block: number) => {
    const known = blocks.get(block) ?? chainAt(provider, { ...network, chainId: Number(actual) }, block);
    blocks.set(block, known);
    return known;
  };
  const once = createCache();
  // A block that does not exist yet may exist later.
  const timestamps = new Map<number, number>();
  const timestamp = async (block: number) => {
    const known = timestamps.get(block) ?? (await provider.getBlock(block))?.timestamp;
    if (known !== undefined) timestamps.set(block, known);
    return known;
  };
  return {
    chainId: actual,
    timestamp,
    timeOf: (block) =>
      retried(async () => {
        const time = await timestamp(block);
        if (time === undefined) throw new Error(`The provider does not have block ${block}`);
        return time;
      }),
    receipt: (txHash) =>
      once(txHash, async () => {
        const receipt = await provider.getTransactionReceipt(txHash);
        if (!receipt) return undefined;
        const words = receipt.logs.flatMap(
          ({ topics, data }) => `${topics.join('')}${data}`.replaceAll('0x', '').match(/.{64}/g) ?? [],
        );
        return {
          block: receipt.blockNumber,
          logs: new Set(receipt.logs.map(({ index }) => index)),
          words: new Set(words.map((word) => BigInt(`0x${word}`))),
        };
      }),
    async lastBlockBy(time) {
      let [low, high] = [0, await provider.getBlockNumber()];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (((await timestamp(middle)) ?? Number.POSITIVE_INFINITY) <= time) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    at,
    close: () => provider.destroy(),
  };
}

/** Replaces numbers that JSON lacks. */
const withoutBigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const [ATTEMPTS, PAUSE_MS] = [5, 1_000];

/** Repeats a request that fails: a provider may be a little behind the one from which the service has the block. */
async function retried<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS - 1; left > 0; left--) {
    try {
      return await ask();
    } catch {
      await setTimeout(PAUSE_MS);
    }
  }
  return ask();
}

/**
 * The outcome of a call. A call of what does not exist counts as reverted. For ethers, every error of a provider is a
 * CALL_EXCEPTION: those are repeated, and then thrown.
 */
function settled(ask: () => Promise<unknown>): Promise<Outcome> {
  return retried(async () => {
    try {
      return { paid: await ask() };
    } catch (error) {
      if (isError(error, 'BAD_DATA')) return { reverted: '0x' };
      const isRevert = isError(error, 'CALL_EXCEPTION') && (error.data || /revert|opcode/i.test(messageOf(error)));
      if (isRevert) return { reverted: (error as { data?: string | null }).data ?? '0x' };
      throw error;
    }
  });
}

/** The provider's own message. */
function messageOf({ info }: { info?: { error?: { message?: string } } }): string {
  return info?.error?.message ?? '';
}

/** Returns a cache of answers by key. A failed request is sent again. */
function createCache() {
  const known = new Map<string, Promise<unknown>>();
  return <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = known.get(key) ?? ask();
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer as Promise<T>;
  };
}

function chainAt(provider: JsonRpcProvider, network: Network & { chainId: number }, block: number): ChainAt {
  const once = createCache();
  const call = (address: string, abi: readonly string[], view: string, args: readonly unknown[]) =>
    once(`${address} ${view} ${JSON.stringify(args, withoutBigints)}`, async () => {
      const contract = new Contract(address, abi, provider);
      const outcome = await settled(() => contract.getFunction(view).staticCall(...args, { blockTag: block }));
      return outcome.paid;
    });
  const addressOf = async (name: Name): Promise<string> => {
    if (name in network) return network[name as 'Storage'];
    if (OPTIONAL.has(name)) return ZeroAddress;
    return call(network.Storage, VIEWS.Storage, 'getAddress(bytes32)', [id(`contract.address${name}`)]);
  };
  const run: ChainAt['run'] = async (name, method, from, args) => {
    const address = await addressOf(name);
    // What has no code accepts everything.
    if (address === ZeroAddress) return { reverted: '0x' };
    const contract = new Contract(address, VIEWS[name], provider);
    return once(`${from} ${address} ${method} ${args}`, () =>
      settled(() => contract.getFunction(method).staticCall(...args, { from, blockTag: block })),
    );
  };
  return {
    chainId: network.chainId,
    block,
    wavax: network.WAVAX,
    heliconTime: network.heliconTime,
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
      // Before the registry itself was deployed, there are no contracts.
      return !address || address === ZeroAddress ? undefined : call(address, VIEWS[name], view, args);
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
