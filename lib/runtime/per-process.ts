import type { Config } from './config.ts';
import type { Telemetry } from './telemetry.ts';

/** What every process has. */
export interface Process {
  config: Config;
  telemetry: Telemetry;
  /** The clients it has created so far, by what creates them. Copies of a context share them. */
  clients: Map<unknown, unknown>;
}

/**
 * A client that only some endpoints need: created on first use, once per process, and again when the settings have
 * changed. It is not part of the shared context, so that only the functions that use it bundle its code.
 */
export function perProcess<Client, From extends Process = Process>(
  create: (process: From) => Client,
): (process: From) => Client {
  return (process) => {
    const { clients } = process;
    if (!clients.has(create)) clients.set(create, create(process));
    return clients.get(create) as Client;
  };
}
