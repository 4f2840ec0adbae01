import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { ENDPOINTS } from '../../functions/index.ts';
import { type Config, ConfigError } from '../../lib/config.ts';
import { builtFunctions, withoutAliases } from '../lambda/assets.ts';
import { matchPath, proxyEvent } from '../local/event.ts';
import { StartError, startSystem } from '../local/system.ts';
import { terminalTelemetry } from '../local/telemetry.ts';

/**
 * `npm run sam` and `npm run sam:invoke -- <path>`: the functions of `cdk.out` in SAM CLI's containers, on the devnet of this machine
 * or on the network of the environment. See docs/sam-local.md.
 */

const TEMPLATE = 'cdk.out/StakingData-dev.template.json';
/** Paths of code in it are relative, so it stays beside the assets. */
const SAM_TEMPLATE = 'cdk.out/sam.json';
const EVENT = 'cdk.out/sam-event.json';
/** What containers call this machine. */
const HOST = 'host.docker.internal';
const LOOPBACK = /\/\/(127\.0\.0\.1|localhost)(?=[:/])/;
/** Its own for each run: another one may go on, or may have been killed and have left its network. */
const NETWORK = `staking-data-sam-${process.pid}`;
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x86_64';

type Env = Record<string, string>;

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
type Json = any;

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '3000' } },
});
const [command, path] = positionals;

/** How containers reach this machine. */
interface Bridge {
  /** Arguments for SAM CLI. */
  args: string[];
  /** What stands for a URL of this machine's loopback. */
  reachable(url: string): Promise<string>;
  remove(): void;
}

/**
 * Docker Desktop leads containers to this machine's loopback. On Linux they see only the address of their network on this machine, so
 * they are given a network, and relays that listen there: nobody else can connect to them.
 */
function createBridge(): Bridge {
  if (process.platform !== 'linux') {
    const reachable = async (url: string) => url.replace(LOOPBACK, `//${HOST}`);
    return { args: [], reachable, remove: () => {} };
  }
  docker('network', 'create', NETWORK);
  const gateway = docker('network', 'inspect', NETWORK, '--format', '{{(index .IPAM.Config 0).Gateway}}');
  return {
    args: ['--docker-network', NETWORK, '--add-host', `${HOST}:${gateway}`],
    async reachable(url) {
      if (!LOOPBACK.test(url)) return url;
      const relayed = new URL(url);
      const port = await relay(gateway, Number(relayed.port));
      return url.replace(relayed.host, `${HOST}:${port}`);
    },
    remove: () => docker('network', 'rm', NETWORK),
  };
}

function docker(...args: string[]): string {
  try {
    return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (cause) {
    const complaint = String((cause as { stderr?: string }).stderr ?? '').split('\n', 1)[0];
    throw new StartError(`docker ${args.join(' ')} failed: ${complaint || 'is Docker installed?'}`, { cause });
  }
}

/** Listens at `host`, on a port that it returns, for a port of the loopback. */
async function relay(host: string, port: number): Promise<number> {
  const server = createServer((socket) => {
    const target = connect(port, '127.0.0.1');
    socket.pipe(target).pipe(socket);
    for (const side of [socket, target]) side.on('error', () => socket.destroy() && target.destroy());
  });
  server.listen(0, host);
  server.unref();
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The environment of the functions. SAM CLI passes on only what the template names, so it is written into that. */
async function environment(config: Config, { reachable }: Bridge): Promise<Env> {
  const reachableAll = async (urls: readonly string[]) => (await Promise.all(urls.map(reachable))).join(',');
  return {
    POWERTOOLS_SERVICE_NAME: 'staking-data-sam',
    NETWORK: config.network.name,
    RPC_URLS: await reachableAll(config.rpcUrls),
    P_CHAIN_URLS: await reachableAll(config.pChainUrls),
    ...(config.dataApiUrl && { DATA_API_URL: await reachable(config.dataApiUrl) }),
    ...(config.dataApiKey && { DATA_API_KEY: config.dataApiKey }),
    MAX_HEAD_AGE_SECONDS: String(config.maxHeadAgeSeconds),
    CACHE_TABLE: config.cacheTable,
    HISTORY_TABLE: config.historyTable,
    LEDGER_TABLE: config.ledgerTable,
    AWS_ENDPOINT_URL_DYNAMODB: await reachable(process.env.AWS_ENDPOINT_URL_DYNAMODB as string),
  };
}

/**
 * The stack's template for SAM CLI: this machine's processor, no names that only AWS could fill in, no pages (SAM CLI does not read
 * from S3), and bodies marked as binary on each method, because SAM CLI overlooks the mark on the API.
 */
function writeTemplate(variables: Env): void {
  const template = withoutAliases(JSON.parse(readFileSync(TEMPLATE, 'utf8')));
  for (const [id, { Type, Properties }] of Object.entries<{ Type: string; Properties: Json }>(template.Resources)) {
    if (Type === 'AWS::Lambda::Function') {
      Object.assign(Properties, { Architectures: [ARCHITECTURE], Environment: { Variables: variables } });
    } else if (Type === 'AWS::ApiGateway::Method') {
      const { Integration } = Properties;
      if (Integration.Type !== 'AWS_PROXY') delete template.Resources[id];
      Object.assign(Integration, { ContentHandling: 'CONVERT_TO_BINARY', ContentType: '*/*' });
    }
  }
  writeFileSync(SAM_TEMPLATE, JSON.stringify(template));
}

/** SAM CLI's arguments for one call of the function that answers `url`, with the checked-in event. */
function invocation(url: string): string[] {
  const endpoint = Object.values(ENDPOINTS).find((candidate) => matchPath(candidate.path, url.split('?')[0] ?? ''));
  if (!endpoint) throw new StartError(`No endpoint answers ${url}; try npm run sam:invoke -- /prices`);
  const event = JSON.parse(readFileSync(new URL('event.json', import.meta.url), 'utf8'));
  const { requestContext: _, ...route } = proxyEvent(endpoint.path, { method: 'GET', url, headers: event.headers });
  writeFileSync(EVENT, JSON.stringify({ ...event, ...route }));
  const { id } = builtFunctions().find(({ description }) => description === endpoint.summary) ?? {};
  return ['local', 'invoke', id as string, '--event', EVENT];
}

/** With the image here already, SAM CLI need not ask for a newer one, and works without a network. */
function withoutPull(): string[] {
  try {
    docker('image', 'inspect', `public.ecr.aws/lambda/nodejs:24-${ARCHITECTURE}`);
    return ['--skip-pull-image'];
  } catch {
    return [];
  }
}

async function sam(args: string[], variables: Env): Promise<number> {
  const child = spawn('sam', [...args, '--template', SAM_TEMPLATE, ...withoutPull()], {
    stdio: 'inherit',
    // Out of reach of the terminal's Ctrl-C: a second one, from here, would make it leave its containers behind.
    detached: true,
    // A variable of this process would go before the template's.
    env: { ...process.env, ...variables, SAM_CLI_TELEMETRY: '0' },
  });
  const failed = once(child, 'error').then(() => {
    throw new StartError('SAM CLI is not installed: pip install aws-sam-cli');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill('SIGINT'));
  const [code] = await Promise.race([once(child, 'exit'), failed]);
  return code ?? 0;
}

/** The devnet or network, and SAM CLI in front of it, until that ends. */
async function run(args: string[]): Promise<number> {
  const onStep = (line: string) => console.error(line);
  const bridge = createBridge();
  try {
    const system = await startSystem({ env: { ...process.env, PORT: '0' }, telemetry: terminalTelemetry, onStep });
    try {
      const variables = await environment(system.context.config, bridge);
      writeTemplate(variables);
      return await sam([...args, ...bridge.args], variables);
    } finally {
      await system.stop();
    }
  } finally {
    bridge.remove();
  }
}

try {
  if (!existsSync(TEMPLATE)) throw new StartError('cdk.out holds no template: run npm run synth first');
  const startApi = ['local', 'start-api', '--port', options.port, '--warm-containers', 'LAZY'];
  process.exitCode = await run(command === 'invoke' ? invocation(path ?? '/prices') : startApi);
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
