import { makeError, type TransactionRequest } from 'ethers';
import { ApiError } from '../runtime/errors.ts';
import type { BlockRef } from '../values/block.ts';
import type { Runner } from './contract.ts';
import { type FollowUps, keyOf } from './follow-ups.ts';
import {
  decodeAggregate3,
  encodeAggregate3,
  GET_BLOCK_NUMBER,
  GET_CURRENT_BLOCK_TIMESTAMP,
  type InnerCall,
  type InnerResult,
} from './multicall.ts';
import { type BlockTag, type ChainRpc, toTag } from './rpc.ts';
import { RpcTooLarge } from './upstream/json-rpc.ts';

/**
 * Runs views of contracts, all at one block. Calls made in the same tick travel together as one Multicall3
 * `aggregate3`, so code is written call by call and still costs one HTTP request:
 *
 *     const [assets, supply] = await Promise.all([ggAvax.totalAssets(), ggAvax.totalSupply()]);
 *
 * The first batch also asks for the block it runs at; every later batch is pinned to that block, so all values of a
 * snapshot are consistent. What the last reading of the same kind asked for later is prefetched in the first batch (see
 * {@link FollowUps}). A call that reverts rejects only its own promise, with ethers' CALL_EXCEPTION.
 */

/** Under every node's `eth_call` gas cap (50 M on avalanchego) with room to spare. */
const MAX_BATCH_GAS = 30_000_000;
const MAX_BATCH_CALLS = 300;
/** Gas reserved for a call without a `gasLimit`: more than any plain getter of the protocol needs. */
const DEFAULT_CALL_GAS = 100_000;

const TOO_LARGE = 'The data source refused a request of this size.';

interface PendingCall extends InnerCall {
  /** How much gas to reserve. */
  gas: number;
  resolve: (data: string) => void;
  reject: (error: unknown) => void;
}

export class Snapshot implements Runner {
  /** There are no names to resolve, transactions to send or events to listen to. */
  readonly provider = null;
  readonly #rpc: ChainRpc;
  readonly #multicall: string;
  readonly #tag: BlockTag;
  readonly #followUps: FollowUps | undefined;
  /** The answers of prefetched follow-ups, by call. */
  readonly #prefetched = new Map<string, Promise<string>>();
  #pending: PendingCall[] = [];
  #block: Promise<BlockRef> | undefined;

  constructor(rpc: ChainRpc, multicall: string, tag: BlockTag = 'latest', followUps?: FollowUps) {
    this.#rpc = rpc;
    this.#multicall = multicall;
    this.#tag = tag;
    this.#followUps = followUps;
  }

  /** The block that this snapshot reads. Free once anything has been read. */
  async block(): Promise<BlockRef> {
    if (!this.#block && this.#pending.length === 0) this.#schedule();
    // Waits for the immediate that opens the snapshot, if this tick's calls are its first.
    await new Promise<void>((resolve) => setImmediate(resolve));
    return this.#block as Promise<BlockRef>;
  }

  /**
   * The data that a call returns; `gasLimit` is how much gas to reserve for it in its batch. Rejects with
   * CALL_EXCEPTION, which has the revert data, if it reverts.
   */
  call({ to, data, gasLimit }: TransactionRequest): Promise<string> {
    const call = { to: String(to), data: String(data) };
    if (gasLimit != null) return this.#ask(call, Number(gasLimit));
    if (this.#block) this.#followUps?.note(call);
    return this.#prefetched.get(keyOf(call)) ?? this.#ask(call);
  }

  #ask(call: InnerCall, gas = DEFAULT_CALL_GAS): Promise<string> {
    if (this.#pending.length === 0) this.#schedule();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#pending.push({ ...call, gas, resolve, reject });
    return promise;
  }

  #prefetchFollowUps(): void {
    for (const call of this.#followUps?.begin() ?? []) {
      const asked = this.#ask(call);
      // Nobody may want it this time, so its failure has to count as handled.
      asked.catch(() => {});
      this.#prefetched.set(keyOf(call), asked);
    }
  }

  /** Calls may be a few microtasks apart; an immediate runs once all those of this tick have been made. */
  #schedule(): void {
    setImmediate(() => {
      if (!this.#block) this.#prefetchFollowUps();
      const batches = splitByGas(this.#pending);
      this.#pending = [];
      void this.#run(batches);
    });
  }

  async #run(batches: PendingCall[][]): Promise<void> {
    if (!this.#block) {
      this.#block = this.#open(batches.shift() ?? []);
      // Callers learn of its failure through their own calls; nobody may be waiting for the block itself.
      this.#block.catch(() => {});
    }
    await Promise.all(batches.map((batch) => this.#read(batch)));
  }

  /** Reads the first batch, and the block it was read at. */
  async #open(batch: PendingCall[]): Promise<BlockRef> {
    const head = [GET_BLOCK_NUMBER, GET_CURRENT_BLOCK_TIMESTAMP].map((data) => ({ to: this.#multicall, data }));
    try {
      const results = await this.#aggregate([...head, ...batch], this.#tag, gasOf(batch));
      settle(batch, results.slice(head.length));
      return headOf(results);
    } catch (error) {
      const halves = halvesIfTooLarge(batch, error);
      if (!halves) {
        rejectAll(batch, error);
        throw error;
      }
      const block = this.#open(halves[0]);
      await this.#read(halves[1], block);
      return block;
    }
  }

  /** Reads a batch at the snapshot's block, in halves if a provider finds it too large. */
  async #read(batch: PendingCall[], at = this.#block): Promise<void> {
    try {
      const { number } = (await at) as BlockRef;
      settle(batch, await this.#aggregate(batch, number, gasOf(batch)));
    } catch (error) {
      const halves = halvesIfTooLarge(batch, error);
      if (halves) await Promise.all(halves.map((half) => this.#read(half, at)));
      else rejectAll(batch, error);
    }
  }

  /** Calls at a known block share a request with all others that are made in this tick. */
  #aggregate(calls: readonly InnerCall[], tag: BlockTag, gas: number): Promise<InnerResult[]> {
    const multicall = { to: this.#multicall, data: encodeAggregate3(calls) };
    const call = { method: 'eth_call', params: [multicall, toTag(tag)] };
    const parse = (returned: unknown) => decodeAggregate3(String(returned), calls.length);
    if (tag === 'latest') return this.#rpc.call(call, { parse, headOf });
    return this.#rpc.callPast(call, parse, gas);
  }
}

function headOf([number, timestamp]: readonly InnerResult[]): BlockRef {
  const block = { number: Number(number?.data), timestamp: Number(timestamp?.data) };
  if (!(block.number >= 0 && block.timestamp > 0)) throw new RangeError('Multicall3 did not name its block');
  return block;
}

function gasOf(calls: readonly PendingCall[]): number {
  return calls.reduce((sum, { gas }) => sum + gas, 0);
}

function splitByGas(calls: readonly PendingCall[]): PendingCall[][] {
  const batches: PendingCall[][] = [];
  let batch: PendingCall[] = [];
  let gas = 0;
  for (const call of calls) {
    if (batch.length > 0 && (batch.length === MAX_BATCH_CALLS || gas + call.gas > MAX_BATCH_GAS)) {
      batches.push(batch);
      batch = [];
      gas = 0;
    }
    batch.push(call);
    gas += call.gas;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

function halvesIfTooLarge(batch: PendingCall[], error: unknown): [PendingCall[], PendingCall[]] | undefined {
  if (!(error instanceof RpcTooLarge) || batch.length < 2) return undefined;
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

function settle(batch: readonly PendingCall[], results: readonly InnerResult[]): void {
  for (const [index, { to, data, resolve, reject }] of batch.entries()) {
    const result = results[index] as InnerResult;
    if (result.success) resolve(result.data);
    else reject(reverted({ to, data }, result.data));
  }
}

/** What ethers' own providers reject with. */
function reverted(transaction: InnerCall, data: string): Error {
  const unknown = { reason: null, invocation: null, revert: null };
  return makeError('execution reverted', 'CALL_EXCEPTION', { action: 'call', data, transaction, ...unknown });
}

function rejectAll(batch: readonly PendingCall[], cause: unknown): void {
  const error = cause instanceof RpcTooLarge ? new ApiError('UPSTREAM_UNAVAILABLE', TOO_LARGE, { cause }) : cause;
  for (const { reject } of batch) reject(error);
}
