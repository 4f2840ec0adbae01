import { Interface, id, solidityPackedKeccak256, toQuantity, ZeroAddress } from 'ethers';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { createChainContext } from '../../lib/chain/chain.ts';
import { LedgerStore } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { createContext, RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import { NETWORKS, type NetworkName } from '../../lib/runtime/networks.ts';
import type { SeriesTable } from '../../lib/tables/series-table.ts';
import { type RpcRequest, receives } from './rpc-providers.ts';
import { recordingTelemetry } from './telemetry.ts';

/**
 * A chain of any length for the search of logs. It consists of contracts, registered from one block to another, and of
 * their events. Its providers are real sockets, which can misbehave in one way each.
 */

const { storage: STORAGE } = NETWORKS.devnet;
export const STAKING = `0x${'51'.repeat(20)}`;
export const OLD_STAKING = `0x${'50'.repeat(20)}`;
export const GG_AVAX = `0x${'99'.repeat(20)}`;
export const ALICE = `0x${'a1'.repeat(20)}`;
export const BOB = `0x${'b0'.repeat(20)}`;

/** Blocks are two seconds apart. */
export const timeOf = (block: number) => 1_700_000_000 + 2 * block;
/** AVAX wei for one ggAVAX after a block. */
export const rateOf = (block: number) => 10n ** 18n + BigInt(block);

const EVENTS = new Interface([
  'event GGPStaked(address indexed from, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const MULTICALL = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
]);
/** Topics and keys are computed once, because that took most of the tests' time. */
const TOPICS = {
  staked: EVENTS.encodeFilterTopics('GGPStaked', [ALICE]) as string[],
  transferred: EVENTS.encodeFilterTopics('Transfer', [ALICE, BOB]) as string[],
};
/** Multicall3's view of its block. */
const BLOCK_NUMBER = id('getBlockNumber()').slice(0, 10);
const BLOCK_TIMESTAMP = id('getCurrentBlockTimestamp()').slice(0, 10);
const word = (number: number | bigint) => `0x${number.toString(16).padStart(64, '0')}`;
const keyOf = (name: string) => solidityPackedKeccak256(['string', 'string'], ['contract.address', name]);
const STAKING_KEY = keyOf('Staking');
const GG_AVAX_KEY = keyOf('TokenggAVAX');

interface Call {
  target: string;
  callData: string;
}

const decoded = new Map<string, readonly Call[]>();
/** The calls in a request, remembered because nearly all requests are the same. */
function callsIn(data: string): readonly Call[] {
  const calls = decoded.get(data) ?? (MULTICALL.decodeFunctionData('aggregate3', data)[0] as Call[]);
  decoded.set(data, calls);
  return calls;
}

export interface Emitted {
  block: number;
  logIndex: number;
  address: string;
  topics: string[];
  data: string;
}

const hashOf = ({ block, logIndex }: Emitted) => word(block * 1_000 + logIndex);
/** An event as providers answer it. */
function toLog(emitted: Emitted) {
  const { block, logIndex, ...log } = emitted;
  const place = { blockNumber: toQuantity(block), logIndex: toQuantity(logIndex) };
  return { ...log, ...place, transactionHash: hashOf(emitted) };
}

/** A GGPStaked event. `amount` distinguishes it from others. */
export function staked(block: number, amount: number, { logIndex = 0, by = STAKING } = {}): Emitted {
  return { block, logIndex, address: by, topics: TOPICS.staked, data: word(amount) };
}

export function transferred(block: number, shares: number, logIndex = 0): Emitted {
  return { block, logIndex, address: GG_AVAX, topics: TOPICS.transferred, data: word(shares) };
}

type RpcError = { code: number; message: string; data?: unknown };

export class LogChain {
  head: number;
  emitted: Emitted[] = [];
  /** The Staking contract that is registered after a block. */
  stakingAt: (block: number) => string = () => STAKING;
  /** Other forks have other hashes. */
  fork = 0;
  /** Calls for rates revert after this block. */
  revertsAt = -1;
  /** Zeros are read from the states of older blocks. */
  stateFrom = 0;

  constructor(head: number) {
    this.head = head;
  }

  logs({ fromBlock, toBlock, address, topics }: Record<string, string | string[] | string[][]>) {
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    const wanted = topics?.[0] as string[];
    return this.emitted
      .filter(({ block }) => from <= block && block <= to && block <= this.head)
      .filter((log) => (address as string[]).includes(log.address) && wanted.includes(log.topics[0] as string))
      .map(toLog);
  }

  header(tag: string) {
    const number = tag === 'latest' ? this.head : Number(tag);
    const hashes = { hash: word(this.fork + number + 1), parentHash: word(this.fork + number) };
    const header = { number: toQuantity(number), timestamp: toQuantity(timeOf(number)), ...hashes };
    return number > this.head ? null : header;
  }

  answer({ method, params }: RpcRequest): unknown {
    switch (method) {
      case 'eth_chainId':
        return toQuantity(NETWORKS.devnet.chainId);
      case 'eth_getBlockByNumber':
        return this.header(params[0]);
      case 'eth_getLogs':
        return this.logs(params[0]);
      case 'eth_getTransactionReceipt':
        return this.#receipt(params[0]);
      case 'eth_call':
        return this.#aggregate(params[0].data, params[1] === 'latest' ? this.head : Number(params[1]));
      default:
        throw new Error(method);
    }
  }

  #receipt(hash: string) {
    const logs = this.emitted.filter((log) => log.block <= this.head && hashOf(log) === hash).map(toLog);
    return logs.length > 0 ? { transactionHash: hash, logs } : null;
  }

  #aggregate(data: string, block: number): string {
    const registered: Record<string, string> = { [STAKING_KEY]: this.stakingAt(block), [GG_AVAX_KEY]: GG_AVAX };
    const results = callsIn(data).map(({ target, callData }) => {
      if (callData === BLOCK_NUMBER) return [true, word(block)];
      if (callData === BLOCK_TIMESTAMP) return [true, word(timeOf(block))];
      const isRegistry = target.toLowerCase() === STORAGE.toLowerCase();
      // The call without arguments is that for the guardian.
      const key = `0x${callData.slice(10)}`;
      const stored = key === '0x' ? ALICE : (registered[key] ?? ZeroAddress);
      if (!isRegistry && block === this.revertsAt) return [false, '0x'];
      const value = isRegistry ? BigInt(stored) : rateOf(block);
      return [true, word(block < this.stateFrom ? 0 : value)];
    });
    return MULTICALL.encodeFunctionResult('aggregate3', [results]);
  }
}

interface Refused {
  status: number;
  text: string;
}

export interface Behaviour {
  /** Returns an error to answer with, if any. */
  refuse?: (from: number, to: number, found: number) => RpcError | undefined;
  /** Changes an answer. */
  change?: (method: string, result: unknown) => unknown;
  /** True if a request is to fail, or what it is answered with instead. */
  isDown?: (calls: readonly RpcRequest[]) => boolean | Refused | Promise<boolean>;
}

/** Starts a provider of a chain. */
export async function serve(chain: LogChain, { refuse, change, isDown }: Behaviour = {}) {
  const answer = (request: RpcRequest) => {
    const result = chain.answer(request);
    if (request.method === 'eth_getLogs') {
      const { fromBlock, toBlock } = request.params[0];
      const error = refuse?.(Number(fromBlock), Number(toBlock), (result as unknown[]).length);
      if (error) return { id: request.id, error };
    }
    return { id: request.id, result: change ? change(request.method, result) : result };
  };
  const provider = await receives(async (response, calls, isBatch) => {
    const isRefused = await isDown?.(calls);
    const answers = isRefused ? [] : calls.map(answer);
    if (isRefused) response.writeHead(isRefused === true ? 503 : isRefused.status);
    response.end(isRefused && isRefused !== true ? isRefused.text : JSON.stringify(isBatch ? answers : answers[0]));
  });
  return { ...provider, methods: () => provider.requests.flat().map(({ method }) => method) };
}

export function openStore(table: SeriesTable, firstBlock = 0, clock = systemClock): LedgerStore {
  return new LedgerStore({ rows: table, network: { name: 'devnet', firstBlock }, clock, warn: () => {} });
}

/** Covers blocks of a ledger, as its recorder does. */
export function cover(
  { progress }: Pick<LedgerStore, 'progress'>,
  from: number,
  to: number,
  timestamp: number,
  { sources = 2, generation = 0 } = {},
): Promise<boolean> {
  return progress.extend({ from, to, end: { timestamp }, sources }, generation);
}

/** A recorder with these providers, in this order. */
export function recorderOf(
  servers: readonly LocalServer[],
  store: LedgerStore,
  sources = 2,
  firstBlock = 0,
  name: NetworkName = 'devnet',
) {
  const config = readConfig({
    NETWORK: 'devnet',
    // The same one may be several providers.
    RPC_URLS: servers.map(({ url }, place) => `${url}?${place}`).join(','),
    ...{ CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger', MAX_HEAD_AGE_SECONDS: '0' },
  });
  const onChain = { ...config, network: { ...config.network, firstBlock, name } };
  const telemetry = recordingTelemetry();
  const { chain } = createChainContext(createContext(onChain, telemetry, { limits: RECORDER_LIMITS }));
  return { recorder: new LedgerRecorder(chain, store, sources), telemetry };
}
