import type { BlockRef } from '../values/block.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Telemetry } from './telemetry.ts';

/** The basics of every process. Each layer adds its services: `CacheContext`, `ChainContext` … up to `Services` (lib/api). */
export interface Context {
  config: Config;
  telemetry: Telemetry;
  clock: Clock;
  limits: Limits;
  /** The block at which an export reads all answers. Default: the latest block. */
  pinned?: BlockRef | undefined;
}

/** Time limits in ms of requests to the C-Chain and the tables, and of the optional parts of an answer. */
export interface Limits {
  /** Limits of one attempt at a C-Chain provider, and of all attempts of a call. `isPatient`: wait out rate limits. */
  rpc: { attemptMs: number; budgetMs: number; isPatient?: boolean };
  /** Reading the source is better than a cache that is slower. */
  cacheTableMs: number;
  /** History or ledger: a page takes about 20 ms, but is worth a wait, as there is little else. */
  durableTableMs: number;
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

export type ContextOptions = Partial<Pick<Context, 'clock' | 'limits' | 'pinned'>>;

/** One per process, and a new one when its secret changes. */
export function createContext(config: Config, telemetry: Telemetry, options: ContextOptions = {}): Context {
  return { config, telemetry, clock: systemClock, limits: ENDPOINT_LIMITS, ...options };
}

/** The current time in unix seconds; the block's time in an export. */
export function secondsNow({ pinned, clock }: Pick<Context, 'pinned' | 'clock'>): number {
  return pinned?.timestamp ?? Math.floor(clock.unix() / 1_000);
}
