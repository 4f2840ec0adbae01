/**
 * Runs views of contracts, all at one block. Calls made in the same tick are batched as one Multicall3 `aggregate3`, so
 * code is written call by call and still costs one HTTP request:
 *
 *     const [assets, supply] = await Promise.all([ggAvax.totalAssets(), ggAvax.totalSupply()]);
 *
 * The first batch also asks for the block it runs at; every later batch is pinned to that block, so all values of a
 * snapshot are consistent. The same call is sent once. A call that reverts rejects only its own promise, with ethers'
 * CALL_EXCEPTION.
 */

import type { TransactionRequest } from 'ethers';
import type { BlockRef } from '../values/block.ts';
import { requireHex } from './abi-words.ts';
import { type BlockTag, toTag } from './block-calls.ts';
import {
  DEFAULT_CALL_GAS,
  type DirectCall,
  halvesIfTooLarge,
  isConclusive,
  type PendingCall,
  rejectAll,
  requireConclusive,
  requireData,
  settle,
  settleDirect,
  splitByGas,
  sumGas,
  toOutcome,
} from './call-batches.ts';
import type { Runner } from './contract.ts';
import {
  decodeAggregate3,
  encodeAggregate3,
  GET_BLOCK_NUMBER,
  GET_CURRENT_BLOCK_TIMESTAMP,
  type InnerCall,
  type InnerResult,
} from './multicall.ts';
import type { ChainRpc } from './rpc.ts';
import { NoState } from './upstream/failures.ts';

export class Snapshot implements Runner {
  /** There are no names to resolve, transactions to send or events to listen to. */
  readonly provider = null;
  readonly #rpc: ChainRpc;
  readonly #multicall: string;
  readonly #tag: BlockTag;
  readonly #proof: readonly InnerCall[];
  /** The answer of each call that was made, by its key: a repeated call gets the same one. */
  readonly #asked = new Map<string, Promise<string>>();
  #pending: PendingCall[] = [];
  #direct: DirectCall[] = [];
  #isScheduled = false;
  #block: Promise<BlockRef> | undefined;

  /**
   * `proof` is a call that returns zero only where the state is missing: some nodes that lack a past state read zeros
   * from it. Another provider is then asked.
   */
  constructor(rpc: ChainRpc, multicall: string, tag: BlockTag = 'latest', proof?: InnerCall) {
    this.#rpc = rpc;
    this.#multicall = multicall;
    this.#tag = tag;
    this.#proof = proof ? [proof] : [];
  }

  /** The block that this snapshot reads. Free once anything has been read. */
  async block(): Promise<BlockRef> {
    if (!this.#block) this.#schedule();
    // Waits for the immediate that opens the snapshot, if this tick's calls are its first.
    await new Promise<void>((resolve) => setImmediate(resolve));
    return this.#block as Promise<BlockRef>;
  }

  /**
   * The data that a call returns; `gasLimit` is the gas to reserve for it in its batch. Rejects with CALL_EXCEPTION,
   * which has the revert data, if the call reverts. A call with a `from` cannot be part of the batch, whose caller is
   * Multicall3.
   */
  async call({ to, data, gasLimit, from }: TransactionRequest): Promise<string> {
    const call = { to: String(to), data: String(data) };
    const gas = gasLimit == null ? undefined : Number(gasLimit);
    if (from) return requireData(await this.#askDirectly(gas, 'eth_call', { from, to, data }), call);
    if (gas !== undefined) return this.#ask(call, gas);
    return this.#askOnce(call);
  }

  /** 32 bytes of a contract's storage, 0x-prefixed hex. */
  async storageAt(address: string, slot: string): Promise<string> {
    return requireData(await this.#askDirectly(0, 'eth_getStorageAt', address, slot), { to: address, data: slot });
  }

  /**
   * The outcome, a result or an error, of a JSON-RPC call with these parameters and the block, in the same request as
   * the batch of this tick. The first request asks for the latest block: if a new block comes while it is answered, this
   * call may be read at the new one. Later requests name the block.
   */
  #askDirectly(gas: number | undefined, method: string, ...params: unknown[]): Promise<string | Error> {
    this.#schedule();
    return new Promise((settle) => {
      this.#direct.push({ at: (tag) => ({ method, params: [...params, tag] }), gas: gas ?? DEFAULT_CALL_GAS, settle });
    });
  }

  #askOnce(call: InnerCall): Promise<string> {
    const key = `${call.to} ${call.data}`;
    const asked = this.#asked.get(key) ?? this.#ask(call);
    this.#asked.set(key, asked);
    return asked;
  }

  #ask(call: InnerCall, gas = DEFAULT_CALL_GAS): Promise<string> {
    this.#schedule();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#pending.push({ ...call, gas, resolve, reject });
    return promise;
  }

  /** Calls may be a few microtasks apart; an immediate runs once all those of this tick have been made. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const batches = splitByGas(this.#pending);
      const direct = this.#direct;
      [this.#pending, this.#direct] = [[], []];
      void this.#run(batches, direct);
    });
  }

  async #run(batches: PendingCall[][], direct: DirectCall[]): Promise<void> {
    const isFirst = !this.#block && this.#tag === 'latest';
    if (!this.#block) {
      this.#block = this.#open(batches.shift() ?? [], isFirst ? direct : []);
      // Callers get its failure through their own calls; the block itself may have no waiting caller.
      this.#block.catch(() => {});
    }
    if (!isFirst) for (const call of direct) void this.#readDirectly(call);
    await Promise.all(batches.map((batch) => this.#read(batch)));
  }

  /** Reads the first batch, the direct calls of its tick, and the block they were read at. */
  async #open(batch: PendingCall[], direct: DirectCall[]): Promise<BlockRef> {
    const head = [GET_BLOCK_NUMBER, GET_CURRENT_BLOCK_TIMESTAMP].map((data) => ({ to: this.#multicall, data }));
    try {
      const results = await this.#aggregateFirst([...head, ...batch], direct, sumGas(batch));
      settle(batch, results.slice(head.length));
      return parseHead(results);
    } catch (error) {
      const halves = halvesIfTooLarge(batch, error);
      if (!halves) {
        rejectAll(batch, error);
        for (const { settle } of direct) settle(error as Error);
        throw error;
      }
      const block = this.#open(halves[0], direct);
      await this.#read(halves[1], block);
      return block;
    }
  }

  /** Reads a direct call at the snapshot's block. */
  async #readDirectly({ at, gas, settle }: DirectCall): Promise<void> {
    try {
      const number = this.#tag === 'latest' ? ((await this.#block) as BlockRef).number : this.#tag;
      settle(await this.#rpc.settlePast(at(toTag(number)), requireConclusive, gas));
    } catch (error) {
      settle(error as Error);
    }
  }

  /** Reads a batch at the snapshot's block, in halves if a provider finds it too large. */
  async #read(batch: PendingCall[], at = this.#block): Promise<void> {
    try {
      const { number } = (await at) as BlockRef;
      settle(batch, await this.#aggregatePast(batch, number, sumGas(batch)));
    } catch (error) {
      const halves = halvesIfTooLarge(batch, error);
      if (halves) await Promise.all(halves.map((half) => this.#read(half, at)));
      else rejectAll(batch, error);
    }
  }

  /** The results at the snapshot's block, which is not known yet, unless it is a past one. */
  async #aggregateFirst(
    calls: readonly InnerCall[],
    direct: readonly DirectCall[],
    gas: number,
  ): Promise<InnerResult[]> {
    if (this.#tag !== 'latest') return this.#aggregatePast(calls, this.#tag, gas);
    const { call, parse } = this.#aggregateCall(calls, this.#tag);
    const { results, outcomes } = await this.#rpc.call(call, {
      others: direct.map(({ at }) => at(toTag(this.#tag))),
      parse: (returned, outcomes = []) => ({ results: parse(returned), outcomes: outcomes.map(toOutcome) }),
      isComplete: ({ outcomes }) => outcomes.every(isConclusive),
      headOf: ({ results }) => parseLatest(results),
    });
    settleDirect(direct, outcomes);
    return results;
  }

  /** The results at a known block, in one request with all other calls of this tick about known blocks. */
  #aggregatePast(calls: readonly InnerCall[], block: number, gas: number): Promise<InnerResult[]> {
    const checks = [{ to: this.#multicall, data: GET_BLOCK_NUMBER }, ...this.#proof];
    const { call, parse } = this.#aggregateCall([...checks, ...calls], block);
    const parseChecked = (returned: unknown) => {
      const [number, ...results] = parse(returned);
      if (!number?.success || Number(number.data) !== block) throw new RangeError('read at another block');
      if (this.#proof.length > 0 && isZero(results[0]?.data)) throw new NoState();
      return results.slice(this.#proof.length);
    };
    return this.#rpc.callPast(call, parseChecked, gas);
  }

  #aggregateCall(calls: readonly InnerCall[], tag: BlockTag) {
    const multicall = { to: this.#multicall, data: encodeAggregate3(calls) };
    return {
      call: { method: 'eth_call', params: [multicall, toTag(tag)] },
      parse: (returned: unknown) => decodeAggregate3(requireHex(returned), calls.length),
    };
  }
}

/** True if all bytes are zero. False for an empty answer: there was no contract. */
function isZero(data = ''): boolean {
  return /^0x0+$/.test(data);
}

function parseHead([number, timestamp]: readonly InnerResult[]): BlockRef {
  const block = { number: Number(number?.data), timestamp: Number(timestamp?.data) };
  if (!Number.isSafeInteger(block.number) || !Number.isSafeInteger(block.timestamp))
    throw new RangeError('Multicall3 did not return its block');
  return block;
}

/** The block at which the latest state was read. Throws RangeError for the genesis block, which is never a head. */
function parseLatest(results: readonly InnerResult[]): BlockRef {
  const block = parseHead(results);
  if (block.number === 0 || block.timestamp === 0) throw new RangeError('the genesis block is not the latest');
  return block;
}
