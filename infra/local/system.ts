import { join } from 'node:path';
import { stop as stopEsbuild } from 'esbuild';
import { createServices } from '../../lib/api/services.ts';
import { TABLE_FAILED } from '../../lib/cache/table.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { type Env, readConfig, setIn } from '../../lib/runtime/config.ts';
import { ENDPOINT_LIMITS, type Limits } from '../../lib/runtime/context.ts';
import { runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { requireFreePort } from '../devnet/listen.ts';
import { buildSite } from '../site/site.ts';
import { computeRelease } from '../stack/release.ts';
import { startDynamoDB, TABLE_NAMES, useDynamoDB } from './dynamodb.ts';
import { createRoutes, type GatewayOptions, startGateway } from './gateway.ts';
import { startRecorders } from './recorders.ts';
import { explainFailures, StartError, terminalTelemetry } from './terminal.ts';

interface SystemOptions {
  env: Env;
  /** Folder for the recorded data of real networks, each in a subfolder; by default the data is not kept. */
  data?: string;
  telemetry?: Telemetry;
  onStep: (line: string) => void;
  onResponse?: GatewayOptions['onResponse'];
  /** Called with a line to print when a part that was started here fails for good. */
  onFault?: (line: string) => void;
}

export type System = Awaited<ReturnType<typeof startSystem>>;

/** The devnet shares this machine's cores: it is slow while they are busy, and there is no other provider. */
export const DEVNET_LIMITS: Limits = {
  ...ENDPOINT_LIMITS,
  rpc: { attemptMs: 10_000, budgetMs: 20_000 },
  optionalMs: 8_000,
};
/** On a real network, free public providers are slow while the recorders read from them. */
const PUBLIC_PROVIDER_LIMITS: Limits = { ...ENDPOINT_LIMITS, rpc: { attemptMs: 1_000, budgetMs: 8_000 } };

/**
 * Starts the whole service: the gateway, and a chain, a validator index and a DynamoDB engine unless the environment names
 * others. `tables` are the variables of the started parts. `recorded` resolves when the days have been recorded.
 */
export async function startSystem(options: SystemOptions) {
  const { data, telemetry = terminalTelemetry, onStep, onResponse, onFault = () => {} } = options;
  const env: Env = setIn(options.env);
  let isStopping = false;
  const running: { stop(): Promise<unknown> }[] = [];
  const started = <Part extends { stop(): Promise<unknown> }>(part: Part): Part => {
    running.push(part);
    return part;
  };
  const stop = async () => {
    isStopping = true;
    closeConnections();
    for (const part of running.splice(0).reverse()) await part.stop();
  };
  try {
    // All settings are checked before the slow parts start: a typo should not cost a wait.
    const local = { NETWORK: 'devnet', RELEASE: computeRelease(), ...TABLE_NAMES, ...env };
    const { network } = readConfig(local);
    const port = parsePort(env.PORT);
    await requireFreePort(port).catch(unusable(port));
    const isDevnet = network.name === 'devnet';
    const folder = data && !isDevnet && !env.AWS_ENDPOINT_URL_DYNAMODB ? join(data, network.name) : undefined;
    const tables: Env = {};
    if (!env.AWS_ENDPOINT_URL_DYNAMODB) {
      const database = started(await startDynamoDB(folder, onStep));
      onStep(`DynamoDB: ready with the stack's tables, ${folder ? `kept in ${folder}` : 'in memory'}`);
      Object.assign(tables, database.env);
      useDynamoDB(database.env);
    }
    // esbuild's process would run on, for builds to come.
    const site = await buildSite(env.SECURITY_CONTACT).finally(stopEsbuild);
    if (isDevnet && !env.RPC_URLS) {
      // Earlier days have fewer blocks: anvil keeps a state of 0.3 MB for each.
      const devnet = started(await startDevnet({ historyDays: 7, onProgress: onStep }));
      devnet.ended.then(() => isStopping || onFault('The local chain has stopped. Start again.'));
      const api = started(await startAvalancheApi(devnet));
      onStep(`P-Chain and Data API: ready with ${devnet.validators.length} validators`);
      Object.assign(tables, { RPC_URLS: devnet.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl });
    }

    // Nothing is wrong with a cache's table that is slow on a busy machine (memory answers then), nor with parts that are stopped.
    const warn: Telemetry['warn'] = (message, fields) =>
      isStopping || message === TABLE_FAILED || telemetry.warn(message, fields);
    const quiet = { ...telemetry, warn };
    const limits = isDevnet ? DEVNET_LIMITS : PUBLIC_PROVIDER_LIMITS;
    const context = createServices(readConfig({ ...local, ...tables }), quiet, { limits });
    const latest = context.chain.latest().then((state) => state.block());
    const { number } = await latest.catch((error) => {
      const why = explainFailures(error, context.chain.rpc.failover.providers, env);
      throw new StartError(`RPC_URLS: no provider of ${network.name} could be read: ${why}`);
    });
    onStep(`Reading ${network.name} at block ${number}`);
    const { recorded } = started(await startRecorders(context, onStep));
    const routes = createRoutes(runtimeWith(context));
    const { url } = started(await startGateway({ port, routes, site, onResponse }).catch(unusable(port)));
    return { url: url.replace('127.0.0.1', 'localhost'), tables, context, recorded, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function parsePort(text = '3000'): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new StartError('PORT: must be a port number from 0 to 65535');
  return port;
}

export function unusable(port: number): (error: NodeJS.ErrnoException) => never {
  return ({ code }) => {
    const inUse = `is in use; choose another one, for example PORT=${port + 1}`;
    throw new StartError(`PORT: ${port} ${code === 'EADDRINUSE' ? inUse : `cannot be used (${code})`}`);
  };
}
