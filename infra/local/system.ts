import { join } from 'node:path';
import { stop as stopEsbuild } from 'esbuild';
import { createServices, type Services } from '../../lib/api/services.ts';
import { TABLE_FAILED } from '../../lib/cache/table.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { requireFreePort } from '../devnet/listen.ts';
import { buildSite } from '../site/site.ts';
import { computeRelease } from '../stack/release.ts';
import { requireFree, useDynamoDB } from './dynamodb.ts';
import { createRoutes, type GatewayOptions, startGateway } from './gateway.ts';
import { DEVNET_LIMITS, type Env, PUBLIC_PROVIDER_LIMITS, startLocalServices } from './local-services.ts';
import { startRecorder } from './run-history-recorder.ts';
import { startLedgerRecorder } from './run-ledger-recorder.ts';
import { StartError } from './start-error.ts';

export interface SystemOptions {
  env: Env;
  /** Folder for the recorded data of real networks, each in a subfolder; by default the data is not kept. */
  data?: string;
  telemetry: Telemetry;
  onStep: (line: string) => void;
  onResponse?: GatewayOptions['onResponse'];
  /** Called with a line to print when a part that was started here fails for good. */
  onFault?: (line: string) => void;
}

export interface System {
  url: string;
  /** Environment variables that name the chain and the tables, if they were started here. */
  tables?: Env;
  context: Services;
  /** Resolves when the recorder, in the background, has recorded the days. */
  recorded: Promise<void>;
  stop(): Promise<void>;
}

export const DEFAULT_PORT = '3000';

/**
 * Starts the whole service on this machine: the gateway, and a chain, a validator index and a DynamoDB engine unless
 * the environment names others. If a part does not start, those started before it are stopped.
 */
export async function startSystem({
  env,
  data,
  telemetry,
  onStep,
  onResponse,
  onFault = () => {},
}: SystemOptions): Promise<System> {
  const running: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    closeConnections();
    for (const stopPart of running.splice(0).reverse()) await stopPart();
  };
  try {
    // All settings are checked and the port is taken before the slow parts start: a typo should not cost a wait.
    const named = { CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' };
    const local = { NETWORK: 'devnet', RELEASE: computeRelease(), ...named, ...env };
    const { network } = readConfig(local);
    let opened: Services | undefined;
    const whenOpened = async () => {
      if (!opened) throw isStarting();
      return opened;
    };
    const seen: Telemetry = {
      ...telemetry,
      // Nothing is wrong with a cache's table that is slow on a busy machine: memory answers then.
      warn: (message, fields) => message !== TABLE_FAILED && telemetry.warn(message, fields),
    };
    // Nor with a 503 to who comes too early.
    const seenOpened: Telemetry = { ...seen, warn: (...line) => opened && seen.warn(...line) };
    const runtime = { telemetry: seenOpened, clock: systemClock, context: whenOpened };
    const onLater: typeof onResponse = (response) => opened && onResponse?.(response);
    const url = await startServer(env.PORT ?? DEFAULT_PORT, runtime, onLater, running);
    const isDevnet = network.name === 'devnet';
    const folder = data && !isDevnet && !env.AWS_ENDPOINT_URL_DYNAMODB ? join(data, network.name) : undefined;
    if (folder) await requireFree(folder);
    const services = await startLocalServices(isDevnet, env, { onStep, onFault }, folder);
    running.push(services.stop);
    if (services.env.AWS_ENDPOINT_URL_DYNAMODB) useDynamoDB(services.env);

    const config = readConfig({ ...local, ...services.env });
    const context = createServices(config, seenOpened, { limits: isDevnet ? DEVNET_LIMITS : PUBLIC_PROVIDER_LIMITS });
    await reportFirstBlock(context, onStep);
    const ledgerRecorder = await startLedgerRecorder(context, seen, onStep);
    running.push(() => ledgerRecorder.stop());
    const recorder = await startRecorder(context, seen, onStep);
    running.push(() => recorder.stop());
    opened = context;
    return { url, tables: services.env, context, recorded: recorder.recorded, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The answer to requests that come before there is anything to answer. */
function isStarting(): ApiError {
  return new ApiError('UPSTREAM_UNAVAILABLE', 'The service is starting. Please try again shortly.');
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new StartError('PORT: must be a port number from 0 to 65535');
  return port;
}

async function startServer(
  portText: string,
  runtime: Runtime<Services>,
  onResponse: GatewayOptions['onResponse'],
  running: (() => Promise<unknown>)[],
): Promise<string> {
  const port = parsePort(portText);
  // Before the site is built, which takes seconds.
  await requireFreePort(port).catch(unusable(port));
  const site = await buildSite();
  // Its process would run on, for builds to come.
  await stopEsbuild();
  const routes = createRoutes(runtime);
  const { url, stop } = await startGateway({ port, routes, site, onResponse }).catch(unusable(port));
  running.push(stop);
  return url.replace('127.0.0.1', 'localhost');
}

export function unusable(port: number): (error: NodeJS.ErrnoException) => never {
  return ({ code }) => {
    throw new StartError(
      code === 'EADDRINUSE'
        ? `PORT: ${port} is in use; choose another one, for example PORT=${port + 1}`
        : `PORT: ${port} cannot be used (${code})`,
    );
  };
}

async function reportFirstBlock(context: Services, onStep: (line: string) => void) {
  const { config } = context;
  try {
    const { number } = await (await context.chain.latest()).block();
    onStep(`Reading ${config.network.name} at block ${number}`);
  } catch {
    const providers = context.chain.rpc.failover.providers.map(({ name }) => name);
    throw new StartError(
      `RPC_URLS: no provider of ${config.network.name} could be read (${providers.join(', ')}). Check the network connection, or name other providers in RPC_URLS. NETWORK=devnet needs no network.`,
    );
  }
}
