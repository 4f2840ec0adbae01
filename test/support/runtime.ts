import { createServices, type Services } from '../../lib/api/services.ts';
import { type Config, readConfig } from '../../lib/runtime/config.ts';
import { ENDPOINT_LIMITS, type Limits } from '../../lib/runtime/context.ts';
import { type Runtime, runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import { GUARD_MS } from './guard.ts';
import { type RecordingTelemetry, recordingTelemetry } from './telemetry.ts';

/** A handler's runtime with access to its context. Each one is a container of its own: it shares only the tables. */
export interface TestRuntime extends Runtime<Services> {
  telemetry: RecordingTelemetry;
  opened: Services;
}

/** Limits that suffice on any machine. A late source changes the response and the further requests for it. */
const PATIENT: Limits = {
  rpc: { attemptMs: GUARD_MS, budgetMs: 3 * GUARD_MS },
  cacheTableMs: GUARD_MS,
  durableTableMs: GUARD_MS,
  optionalMs: GUARD_MS,
};
/** The service's own, for tests of sources that hang. */
export const IMPATIENT = ENDPOINT_LIMITS;

/** Services that replace a container's own: its clock, for example. */
export type Given = Parameters<typeof createServices>[2];

/** A container with these environment variables. Start the tables first. */
export function startContainer(env: Record<string, string>, limits: Limits = PATIENT, given: Given = {}): TestRuntime {
  return startWith(readConfig({ ...process.env, ...env }), { limits, ...given });
}

/** A container with this configuration. */
export function startWith(config: Config, given: Given = {}): TestRuntime {
  const telemetry = recordingTelemetry();
  const opened = createServices(config, telemetry, { limits: PATIENT, ...given });
  return { ...runtimeWith(opened), telemetry, opened };
}

/**
 * A container on the shared devnet, with two providers as in production. A single provider would hide faults in the
 * choice between providers.
 */
export function startOnDevnet(env: Record<string, string> = {}, limits?: Limits, given?: Given): TestRuntime {
  return startContainer(
    {
      NETWORK: 'devnet',
      RPC_URLS: `${process.env.DEVNET_RPC_URL},${process.env.DEVNET_RPC_URL}/?2`,
      P_CHAIN_URLS: process.env.DEVNET_P_CHAIN_URL as string,
      DATA_API_URL: process.env.DEVNET_DATA_API_URL as string,
      MAX_HEAD_AGE_SECONDS: '0',
      ...env,
    },
    limits,
    given,
  );
}
