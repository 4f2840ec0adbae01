import type { Config } from './config.ts';
import type { Telemetry } from './telemetry.ts';

/** What every process has. */
export interface Process {
  config: Config;
  telemetry: Telemetry;
}

/**
 * A client that only some endpoints need: created on first use, once per process, and again when the settings have
 * changed. It is not part of the shared context, so that only the functions that use it bundle its code.
 */
export function perProcess<Client, From extends Process = Process>(
  create: (process: From) => Client,
): (process: From) => Client {
  const clients = new WeakMap<Config, Client>();
  return (process) => {
    const client = clients.get(process.config) ?? create(process);
    clients.set(process.config, client);
    return client;
  };
}
