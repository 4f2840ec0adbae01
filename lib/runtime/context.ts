/**
 * `lib/runtime`: what a process has, whatever it serves: settings, addresses of each network, logs, clock, errors, time
 * limits, Lambda's handler. It reads neither chain nor tables. Everybody may use it.
 */

import type { BlockRef } from '../values/block.ts';
import type { Config } from './config.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * What every function is given: settings, logs, and the clients of what it reads from. A client is reached by a function
 * of the context (`chainOf`, `cacheOf`, `historyOf` …), which is exported beside the client's class. So a bundle holds
 * only the clients that its function uses.
 */
export interface Context {
  config: Config;
  telemetry: Telemetry;
  limits: Limits;
  /** The block at which an export asks for all answers. Undefined: the latest one. */
  pinned?: BlockRef | undefined;
  /** The clients created so far, by name. Copies of a context share them. */
  clients: Map<string, unknown>;
}

/** Time limits of the requests to the C-Chain and the tables, and of what an answer can do without. */
export interface Limits {
  /** Of one attempt at a provider of the C-Chain, and of all attempts of a call. Who is patient asks no faster than providers allow. */
  rpc: { attemptMs: number; budgetMs: number; isPatient?: boolean };
  /** Of a request to the cache table: asking the source beats waiting for a cache that is slower than this. */
  cacheTableMs: number;
  /** Of one to history or ledger: a page takes about 20 ms, but it is worth waiting for, because little else can answer. */
  durableTableMs: number;
  /** Of the optional parts of an answer, from the start of the request. */
  optionalMs: number;
}

/** Well below the functions' time-out, which is in infra/stack/limits.ts. */
export const ENDPOINT_LIMITS: Limits = {
  rpc: { attemptMs: 1_000, budgetMs: 3_000 },
  cacheTableMs: 150,
  durableTableMs: 1_500,
  optionalMs: 4_000,
};
/** Nobody waits for a recorder, and old states are slower to read. */
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

/** What counts as now, unix seconds. */
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
