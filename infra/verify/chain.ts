/** Reads the chain with plain ethers: no code that reads is shared with the service that is verified. */

import { setTimeout } from 'node:timers/promises';
import { Contract, id, isError, type JsonRpcPayload, JsonRpcProvider, ZeroAddress } from 'ethers';
import { NETWORKS, type Network } from './networks.ts';
import { VIEWS } from './views.ts';

type Name = keyof typeof VIEWS;

/** Not in the registry, and not on every network. */
const OPTIONAL: ReadonlySet<Name> = new Set(['TokenpstAVAX', 'XGGP', 'XAVAX', 'AssetLocker', 'EurUsdFeed']);

const TOKEN = ['function decimals() view returns (uint8)', 'function balanceOf(address) view returns (uint256)'];
/** A Uniswap V2 pair. */
const PAIR = [
  ...['token0', 'token1'].map((name) => `function ${name}() view returns (address)`),
  'function getReserves() view returns (uint112, uint112, uint32)',
];

interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: what ethers decodes by the ABI
  paid?: any;
  reverted?: string;
}

export interface ChainAt {
  chainId: number;
  wavax: string;
  /** The result of a view, or undefined if it reverts or does not exist. */
  // biome-ignore lint/suspicious/noExplicitAny: what ethers decodes by the ABI above
  read(contract: Name, view: string, ...args: unknown[]): Promise<any>;
  /** The tokens of a V2 pair, each with its reserve in wei. */
  pair(address: string): Promise<{ token: string; reserve: bigint }[]>;
  /** Simulates a transaction of `from`: its result, or the data that it reverts with. */
  run(contract: Name, method: string, from: string, args: readonly unknown[]): Promise<Outcome>;
  /** The address of a contract; the zero address if the network does not have the contract. */
  addressOf(contract: Name): Promise<string>;
  /** WAVAX balance of a registered contract. */
  wavaxOf(contract: Name): Promise<bigint>;
}

export interface ChainSource {
  /** The timestamp of a block. Throws if the provider does not have the block after a few seconds. */
  timeOf(block: number): Promise<number>;
  /** The last block at or before a time; 0 if the chain is younger. */
  lastBlockBy(time: number): Promise<number>;
  at(block: number): ChainAt;
  requests(): number;
  close(): void;
}

/** Connects to the chain with this ID. Throws if the chain is unknown or the provider serves another one. */
export async function connectChain(chainId: unknown, rpcUrl?: string): Promise<ChainSource> {
  const network = NETWORKS[String(chainId)];
  if (!network) throw new Error(`The service reads chain ${chainId}, on which no deployment of the protocol is known`);
  const url = rpcUrl ?? network.rpcUrl;
  if (!url) throw new Error(`Chain ${chainId} has no public RPC provider: pass one with --rpc`);
  // Public providers accept at most 40 calls per batch.
  const provider = new CountingProvider(url, Number(chainId), { staticNetwork: true, batchMaxCount: 40 });
  const actual = Number(await provider.send('eth_chainId', []));
  if (actual !== Number(chainId))
    throw new Error(`The service reads chain ${chainId}, but --rpc serves chain ${actual}`);
  const once = createCache();
  const timeOf = (block: number) =>
    once(`time ${block}`, () =>
      retried(async () => {
        const found = await provider.getBlock(block);
        if (!found) throw new Error(`The provider does not have block ${block}`);
        return found.timestamp;
      }),
    );
  const blocks = new Map<number, ChainAt>();
  return {
    timeOf,
    async lastBlockBy(time) {
      let [low, high] = [0, await provider.getBlockNumber()];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((await timeOf(middle)) <= time) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    at(block) {
      const known = blocks.get(block) ?? chainAt(provider, network, actual, block);
      blocks.set(block, known);
      return known;
    },
    requests: () => provider.requests,
    close: () => provider.destroy(),
  };
}

class CountingProvider extends JsonRpcProvider {
  requests = 0;

  override _send(payload: JsonRpcPayload | JsonRpcPayload[]) {
    this.requests += 1;
    return super._send(payload);
  }
}

/** Repeats a request that fails: a provider may be a little behind the one from which the service has the block. */
async function retried<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = 4; left > 0; left--) {
    try {
      return await ask();
    } catch {
      await setTimeout(1_000);
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
      const { message = '' } = (error as { info?: { error?: { message?: string } } }).info?.error ?? {};
      if (isError(error, 'CALL_EXCEPTION') && (error.data || /revert|opcode/i.test(message)))
        return { reverted: error.data ?? '0x' };
      throw error;
    }
  });
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

function chainAt(provider: JsonRpcProvider, network: Network, chainId: number, block: number): ChainAt {
  const once = createCache();
  const simulate = (address: string, abi: readonly string[], method: string, args: readonly unknown[], from?: string) =>
    once(`${from} ${address} ${method} ${args}`, () => {
      const contract = new Contract(address, abi, provider);
      return settled(() => contract.getFunction(method).staticCall(...args, { from, blockTag: block }));
    });
  const call = async (address: string, abi: readonly string[], view: string, args: readonly unknown[] = []) =>
    (await simulate(address, abi, view, args)).paid;
  const addressOf = async (name: Name): Promise<string> => {
    if (name in network) return network[name as 'Storage'];
    if (OPTIONAL.has(name)) return ZeroAddress;
    return call(network.Storage, VIEWS.Storage, 'getAddress(bytes32)', [id(`contract.address${name}`)]);
  };
  return {
    chainId,
    wavax: network.WAVAX,
    addressOf,
    async run(name, method, from, args) {
      const address = await addressOf(name);
      // What has no code accepts everything.
      return address === ZeroAddress ? { reverted: '0x' } : simulate(address, VIEWS[name], method, args, from);
    },
    wavaxOf: async (name) => call(network.WAVAX, TOKEN, 'balanceOf', [await addressOf(name)]),
    async read(name, view, ...args) {
      const address = await addressOf(name);
      // Before the registry itself was deployed, there are no contracts.
      return !address || address === ZeroAddress ? undefined : call(address, VIEWS[name], view, args);
    },
    async pair(address) {
      const [reserves, ...tokens] = await Promise.all(
        ['getReserves', 'token0', 'token1'].map((view) => call(address, PAIR, view)),
      );
      return tokens.map((token, index) => ({ token, reserve: reserves[index] }));
    },
  };
}
