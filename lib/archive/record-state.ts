/**
 * Records what answers are made from: endpoints answer requests at one block, and whatever they ask the contracts is
 * kept. So there is no second list of what they read, and a new endpoint is recorded like the others.
 */

import { isError } from 'ethers';
import type { Endpoint } from '../api/definition.ts';
import { parseInput } from '../api/http/input.ts';
import type { Request } from '../api/http/message.ts';
import { Cache } from '../cache/cache.ts';
import { archivedKey, type Dataset, readDataset, withDatasets } from '../cache/dataset.ts';
import { NO_TABLE } from '../cache/shared-store.ts';
import { cacheOf } from '../cache/table.ts';
import { Chain, chainOf, type ProtocolState } from '../chain/chain.ts';
import { callKey, slotKey, toRunner } from '../chain/recorded-calls.ts';
import { createRpc } from '../chain/rpc.ts';
import { readAddresses } from '../chain/storage.ts';
import { flagsDataset } from '../flags/flags-dataset.ts';
import { supplyDataset } from '../protocol/operator-reward.ts';
import type { Context } from '../runtime/context.ts';
import { ApiError } from '../runtime/errors.ts';
import type { CallOutcome, Frozen } from '../runtime/frozen.ts';
import { inParallel } from '../runtime/parallel.ts';
import { validatorsDataset } from '../validators/validators-dataset.ts';

/** What answers are made from besides contracts, history and ledger. */
const SOURCES: readonly Dataset<unknown>[] = [validatorsDataset, supplyDataset, flagsDataset];
/** Requests answered at once: their calls share requests to the chain. */
const PARALLEL = 50;

/** A request to an endpoint. */
export interface StateRequest {
  endpoint: Endpoint;
  request: Pick<Request, 'params' | 'query'>;
}

export interface RecordedState extends Frozen {
  /** What could not be read, in words. Answers that need it will be missing. */
  missing: string[];
  /** An endpoint's answer at the block. */
  answer(request: StateRequest): Promise<unknown>;
}

/**
 * Answers the requests at a block, and records it. Throws UPSTREAM_UNAVAILABLE if the chain cannot be read there: a
 * block that is more than some minutes old needs an archive node.
 */
export async function recordState(
  context: Context,
  block: number,
  requests: readonly StateRequest[],
  onStep: (done: number) => void = () => {},
): Promise<RecordedState> {
  const state = await chainOf(context).at(block);
  const recording = new Recording(state);
  const recorded = {
    ...recording.state,
    addresses: await readAddresses(recording.state.runner, state.network.storage),
  };
  const own: Context = { ...context, clients: new Map() };
  cacheOf.replace(own, new Cache(context.config.network.name, NO_TABLE, context.telemetry));
  chainOf.replace(own, new PinnedChain(context, recorded));
  const answer = async ({ endpoint, request }: StateRequest) => {
    const asked = parseInput(endpoint.input, { ...EMPTY, ...request });
    const input = (await endpoint.normalizeInput?.(asked, own)) ?? asked;
    return endpoint.handle(input, withDatasets(own, []));
  };
  let done = 0;
  await inParallel(requests, PARALLEL, async (request) => {
    await answer(request).catch((error) => {
      // No such staker, or a figure that the protocol lacks now: an answer like any other.
      if (!(error instanceof ApiError)) throw error;
    });
    onStep(++done);
  });
  const datasets = new Map<string, unknown>();
  const missing = [...recording.failures];
  for (const dataset of SOURCES) {
    const key = archivedKey(dataset);
    await readDataset(own, dataset).then(
      ({ value }) => datasets.set(key, value),
      () => missing.push(dataset.name),
    );
  }
  return { block: await state.block(), calls: recording.calls, datasets, missing, answer };
}

const EMPTY: Request = { method: 'GET', url: '', headers: {}, params: {}, query: {} };

/** The chain at one block only. */
class PinnedChain extends Chain {
  readonly #state: ProtocolState;

  constructor(context: Context, state: ProtocolState) {
    super(context.config.network, createRpc(context), cacheOf(context));
    this.#state = state;
  }

  override async latest(): Promise<ProtocolState> {
    return this.#state;
  }
}

/** A state each of whose calls is made once, and kept. */
class Recording {
  readonly calls = new Map<string, CallOutcome>();
  /** Calls that got no outcome: nobody knows what the chain would have answered. */
  readonly failures = new Set<string>();
  readonly state: ProtocolState;
  readonly #asked = new Map<string, Promise<string>>();

  constructor(state: ProtocolState) {
    this.state = {
      ...state,
      runner: toRunner((call) => this.#once(callKey(call), () => state.runner.call(call))),
      storageAt: (address, slot) => this.#once(slotKey(address, slot), () => state.storageAt(address, slot)),
    };
  }

  #once(key: string, call: () => Promise<string>): Promise<string> {
    const asked = this.#asked.get(key) ?? this.#record(key, call);
    this.#asked.set(key, asked);
    return asked;
  }

  async #record(key: string, call: () => Promise<string>): Promise<string> {
    try {
      const data = await call();
      this.calls.set(key, { data, reverted: false });
      return data;
    } catch (error) {
      if (isError(error, 'CALL_EXCEPTION')) this.calls.set(key, { data: error.data ?? '0x', reverted: true });
      else this.failures.add(key);
      throw error;
    }
  }
}
