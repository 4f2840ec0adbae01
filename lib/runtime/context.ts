/**
 * `lib/runtime`: the basics of every process: settings, addresses of each network, logs, clock, errors, time limits,
 * Lambda's handler. It reads neither chain nor tables. All layers may use it.
 */

import type { BlockRef } from '../values/block.ts';
import type { Config } from './config.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * The context of every function: settings, logs, and clients of its sources. A function of the context (`chainOf`,
 * `cacheOf`, `historyOf` …) returns a client. It is exported beside the client's class, so a bundle holds only the
 * clients that its function uses.
 */
export interface Context {
  config: Config;
  telemetry: Telemetry;
  limits: Limits;
  /** The block at which an export reads all answers. Default: the latest block. */
  pinned?: BlockRef | undefined;
  /** The clients created so far, by name. Copies of a context share them. */
  clients: Map<string, unknown>;
}

/** Time limits in ms of requests to the C-Chain and the tables, and of the optional parts of an answer. */
export interface Limits {
  /** Limits of one attempt at a C-Chain provider, and of all attempts of a call. `isPatient`: wait out rate limits. */
  rpc: { attemptMs: number; budgetMs: number; isPatient?: boolean };
  /** Limit of a request to the cache table: if the cache is slower than this, reading the source is better. */
  cacheTableMs: number;
  /** Limit of a request to history or ledger: a page takes about 20 ms, but is worth a wait, as there is little else. */
  durableTableMs: number;
  /** Limit of the optional parts of an answer, from the start of the request. */
  optionalMs: number;
}

/** Limits of endpoints: well below the functions' time-out, which is in infra/stack/limits.ts. */
export const ENDPOINT_LIMITS: Limits = {
  rpc: { attemptMs: 1_000, budgetMs: 3_000 },
  cacheTableMs: 150,
  durableTableMs: 1_500,
  optionalMs: 4_000,
};
/** Limits of recorders: no client waits for them, and old states are slower to read. */
export const RECORDER_LIMITS: Limits = {
  ...ENDPOINT_LIMITS,
  rpc: { attemptMs: 5_000, budgetMs: 15_000, isPatient: true },
};

/** A context with these settings: one per process, and a new one when its secret changes. */
export function createContext(
  config: Config,
  telemetry: Telemetry,
  limits = ENDPOINT_LIMITS,
  pinned?: BlockRef,
): Context {
  return { config, telemetry, limits, pinned, clients: new Map() };
}

/** The current time in unix seconds; the block's time in an export. */
export function secondsNow({ pinned }: Pick<Context, 'pinned'>): number {
  return pinned?.timestamp ?? Math.floor(Date.now() / 1_000);
}

interface PerProcess<Client> {
  (context: Context): Client;
  /** Makes a context use another client, before it is first asked for. */
  replace(context: Context, client: Client): void;
}

/** A client that is created when it is first used, once per process and again when the settings have changed. */
export function perProcess<Client>(name: string, create: (context: Context) => Client): PerProcess<Client> {
  const clientOf = (context: Context) => {
    const { clients } = context;
    if (!clients.has(name)) clients.set(name, create(context));
    return clients.get(name) as Client;
  };
  return Object.assign(clientOf, {
    replace: ({ clients }: Context, client: Client) => void clients.set(name, client),
  });
}
