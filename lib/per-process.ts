import type { Config } from './config.ts';
import type { Telemetry } from './telemetry.ts';

/** What a process has from its start. */
export interface Process {
  config: Config;
  telemetry: Telemetry;
}

/**
 * A client that only some endpoints need, made once per process when it is first used, and anew when the settings have changed. Kept out
 * of the context that all share, so that only the functions that use it carry its code.
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
