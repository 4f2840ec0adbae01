/** Reads logs from one provider. One that lags answers `[]` for later blocks, so each request also reads the last block. */

import type { ChainRpc } from '../chain/rpc.ts';
import { failuresIn, NoState, RpcTooLarge, Throttled, type UpstreamFailure } from '../chain/upstream/failures.ts';
import { headerCall, parseNumberedHeader, parseQuantity, requireResult, toTag } from '../chain/upstream/json-rpc.ts';
import { chunked, range } from '../values/arrays.ts';
import { type BlockRef, placeOf } from '../values/block.ts';
import type { Log } from './contract-events.ts';
import { TOPICS } from './event-abis.ts';
import type { Emitters } from './registry.ts';
import type { Blocks } from './vote.ts';

/** Few enough for the cost that gateways allow a batch. */
const RANGES_OF_A_REQUEST = 8;
/** Headers or receipts per request: three JSON-RPC batches. */
const BLOCKS_OF_A_REQUEST = 120;
/** Number of blocks whose logs one call requests at first (the log range), and its factors after refusals and an answer. */
const RANGE = { first: 500, refused: 0.8, refusedAgain: 0.5, answered: 1.03 };
/** More logs in a range make the next ones smaller: memory must not depend on a provider's limits. */
const MOST_LOGS = 200;

/** The last one of some blocks, and the hash of the block before the first one. */
export interface End extends BlockRef {
  hash: string;
  parentHash: string;
}

type LogFacts = Map<string, Log | End>;

/** The first topics of the logs to read; null for all logs. */
type Topics = ReadonlySet<string> | null;

export class LogReader {
  readonly #rpc: ChainRpc;
  readonly #topics: Topics;
  #range = RANGE.first;
  #isRefused = false;

  /** For the ledger, `rpc` asks one provider only. */
  constructor(rpc: ChainRpc, topics: Topics = TOPICS) {
    this.#rpc = rpc;
    this.#topics = topics;
  }

  get blocksOfARequest(): number {
    return RANGES_OF_A_REQUEST * this.#range;
  }

  /**
   * All logs of these blocks by their places, and the {@link End} by its number. Throws UPSTREAM_UNAVAILABLE, also if the
   * provider lacks the last block, or refuses the logs of a single one.
   */
  async read(blocks: Blocks, emitters: Emitters): Promise<LogFacts> {
    const { from, to } = blocks;
    const facts: LogFacts = new Map();
    for (let next = from; next <= to; ) {
      const size = Math.min(this.#range, to - next + 1);
      try {
        const { end, logs } = await this.#readRanges(next, size, blocks, emitters);
        for (const log of logs.flat()) facts.set(placeIn(log), log);
        facts.set(String(to), end);
        this.#resize(size, Math.max(...logs.map(({ length }) => length)));
        next += logs.length * size;
      } catch (error) {
        if (size === 1) throw error;
        const failures = failuresIn(error) as UpstreamFailure[];
        const isSlow = failures.some((one) => one instanceof Throttled || one.outcome === 'timeout');
        const isTooLarge = failures.some(({ outcome }) => outcome === 'too_large' || outcome === 'oversized');
        // Any failure may be a refusal of the range, unless the provider fails without logs, too.
        if (!isSlow && !isTooLarge) await this.#rpc.header(blocks.to);
        this.#shrink(size);
        // The next run asks for less.
        if (isSlow) throw error;
      }
    }
    return facts;
  }

  /** The end, and the logs of ranges from block `start` on, up to one that is refused: a batch's calls may be limited. */
  #readRanges(start: number, size: number, blocks: Blocks, emitters: Emitters): Promise<{ end: End; logs: Log[][] }> {
    const filter = { address: [...emitters.keys()], topics: [this.#topics && [...this.#topics]] };
    const count = Math.min(RANGES_OF_A_REQUEST, Math.ceil((blocks.to - start + 1) / size));
    const starts = range(0, count).map((place) => start + place * size);
    const ranges = starts.map((from) => ({ from, to: Math.min(blocks.to, from + size - 1) }));
    const calls = ranges.map(({ from, to }) => ({
      method: 'eth_getLogs',
      params: [{ ...filter, fromBlock: toTag(from), toBlock: toTag(to) }],
    }));
    const parse = ([first, last, ...answers]: unknown[]) => {
      const end = parseEnd(blocks, requireResult(first), requireResult(last));
      const refused = answers.findIndex((answer) => answer instanceof Error);
      const isRateLimit = answers[0] instanceof Throttled && answers[0].isCertain;
      // The provider answers, but not this. Its words for that are its own.
      if (refused === 0 && !isRateLimit && size > 1) throw new RpcTooLarge({ cause: answers[0] });
      const answered = refused > 0 ? ranges.slice(0, refused) : ranges;
      const logs = answered.map((range, place) => this.#requireLogs(answers[place], range, emitters));
      return { end, logs };
    };
    return this.#rpc.send({ calls: [headerCall(blocks.from), headerCall(blocks.to), ...calls], parse });
  }

  /** Adapts the range after an answer for as many blocks, with at most so many logs in a range. */
  #resize(blocks: number, logs: number): void {
    this.#isRefused = false;
    if (logs > MOST_LOGS) this.#range = Math.min(this.#range, Math.ceil((blocks * MOST_LOGS) / logs));
    else if (blocks >= this.#range) this.#range = Math.ceil(blocks * RANGE.answered);
  }

  /** Adapts the range after a refusal of as many blocks. Refusals of requests at the same time count once. */
  #shrink(blocks: number): void {
    if (blocks > this.#range) return;
    const factor = this.#isRefused ? RANGE.refusedAgain : RANGE.refused;
    this.#range = Math.max(1, Math.floor(factor * blocks));
    this.#isRefused = true;
  }

  /** The headers of these blocks. Throws UPSTREAM_UNAVAILABLE. */
  async headers(numbers: ReadonlySet<number>): Promise<Map<string, BlockRef>> {
    const headers = new Map<string, BlockRef>();
    for (const some of chunked([...numbers], BLOCKS_OF_A_REQUEST))
      await Promise.all(some.map(async (number) => headers.set(String(number), await this.#rpc.header(number))));
    return headers;
  }

  /**
   * All logs, like {@link read}, with those of disputed transactions as their receipts have them. A missing receipt is no
   * answer: many providers prune that index.
   */
  async readWithReceipts(blocks: Blocks, emitters: Emitters, disputed: readonly Log[]): Promise<LogFacts> {
    const facts = await this.read(blocks, emitters);
    const hashes = [...new Set(disputed.map(({ transactionHash }) => transactionHash))];
    for (const some of chunked(hashes, BLOCKS_OF_A_REQUEST)) {
      const calls = some.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
      const receipts = await this.#rpc.send({ calls, parse: (outcomes) => outcomes.map(parseReceipt) });
      const known = new Set(some.filter((_, index) => receipts[index]));
      for (const [place, fact] of facts) if (isLog(fact) && known.has(fact.transactionHash)) facts.delete(place);
      for (const log of receipts.flatMap((logs) => logs ?? []))
        if (known.has(log.transactionHash) && this.#isWanted(log, blocks, emitters)) facts.set(placeIn(log), log);
    }
    return facts;
  }

  /** The logs of an answer, each once. Throws if it cannot be true: unwanted or removed logs, or two in one place. */
  #requireLogs(answer: unknown, blocks: Blocks, emitters: Emitters): Log[] {
    const byPlace = new Map<string, Log>();
    for (const raw of requireResult(answer) as RawLog[]) {
      const log = normalized(raw);
      if (raw.removed === true || !this.#isWanted(log, blocks, emitters)) throw new RangeError('not a requested log');
      requireHash(log.transactionHash);
      const known = byPlace.get(placeIn(log)) ?? log;
      if (JSON.stringify(known) !== JSON.stringify(log)) throw new RangeError(`two logs at ${placeIn(log)}`);
      byPlace.set(placeIn(log), log);
    }
    return [...byPlace.values()];
  }

  #isWanted({ blockNumber, address, topics: [topic = ''] }: Log, { from, to }: Blocks, emitters: Emitters): boolean {
    const isInRange = from <= Number(blockNumber) && Number(blockNumber) <= to;
    return isInRange && emitters.has(address) && (this.#topics?.has(topic) ?? true);
  }
}

/** The end that the headers of the first and the last block describe. Throws if they are not headers of these blocks. */
function parseEnd({ from, to }: Blocks, first: unknown, last: unknown): End {
  parseNumberedHeader(from, first);
  const hash = requireHash((last as Partial<End>).hash);
  return { ...parseNumberedHeader(to, last), hash, parentHash: requireHash((first as Partial<End>).parentHash) };
}

function requireHash(hash: unknown): string {
  if (typeof hash !== 'string' || !/^0x[\da-f]{64}$/.test(hash)) throw new RangeError('no hash');
  return hash;
}

type RawLog = Log & { removed?: boolean };

/** The logs of a receipt; undefined if the provider does not have it. */
function parseReceipt(receipt: unknown): Log[] | undefined {
  if (receipt instanceof NoState) return undefined;
  return (requireResult(receipt) as { logs: RawLog[] }).logs.map(normalized);
}

/** The fields of a log in which two providers must agree, normalized. */
function normalized({ address, topics, data, blockNumber, logIndex, transactionHash }: Log): Log {
  return {
    address: address.toLowerCase(),
    topics: topics.map((topic) => topic.toLowerCase()),
    data: data.toLowerCase(),
    blockNumber: toTag(parseQuantity(blockNumber)),
    logIndex: toTag(parseQuantity(logIndex)),
    transactionHash: transactionHash.toLowerCase(),
  };
}

export function isLog(fact: Log | End): fact is Log {
  return 'transactionHash' in fact;
}

export function placeIn({ blockNumber, logIndex }: Log): string {
  return placeOf({ block: Number(blockNumber), logIndex: Number(logIndex) });
}
