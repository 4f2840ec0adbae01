import { readConfig } from '../../lib/runtime/config.ts';
import { type Context, createContext, ENDPOINT_LIMITS, type Limits } from '../../lib/runtime/context.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';
import { GUARD_MS } from './guard.ts';
import { type RecordingTelemetry, recordingTelemetry } from './telemetry.ts';

/** A handler's runtime with access to its context. Each one is a container of its own: it shares only the tables. */
export interface TestRuntime extends Runtime {
  telemetry: RecordingTelemetry;
  opened: Context;
}

/** Limits that suffice on any machine. A late source changes the response and the further requests for it. */
export const PATIENT: Limits = {
  rpc: { attemptMs: GUARD_MS, budgetMs: 3 * GUARD_MS },
  cacheTableMs: GUARD_MS,
  durableTableMs: GUARD_MS,
  optionalMs: GUARD_MS,
};
/** The service's own, for tests of sources that hang. */
export const IMPATIENT = ENDPOINT_LIMITS;

/** A container with these settings. Start the tables first. */
export function startContainer(env: Record<string, string>, limits: Limits = PATIENT): TestRuntime {
  const telemetry = recordingTelemetry();
  const opened = createContext(readConfig({ ...process.env, ...env }), telemetry, limits);
  return { telemetry, opened, context: async () => opened };
}

/**
 * A container on the shared devnet, with two providers as in production. A single provider would hide faults in the
 * choice between providers.
 */
export function startOnDevnet(env: Record<string, string> = {}, limits?: Limits): TestRuntime {
  return startContainer(
    {
      NETWORK: 'devnet',
      RPC_URLS: `${process.env.DEVNET_RPC_URL},${process.env.DEVNET_RPC_URL}`,
      P_CHAIN_URLS: process.env.DEVNET_P_CHAIN_URL as string,
      DATA_API_URL: process.env.DEVNET_DATA_API_URL as string,
      MAX_HEAD_AGE_SECONDS: '0',
      ...env,
    },
    limits,
  );
}
