/**
 * `npm run sam`: runs the functions in `cdk.out` in SAM CLI's containers, on the local devnet or on the network that the
 * environment names. See docs/contributing.md.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { type Config, ConfigError } from '../../../lib/runtime/config.ts';
import { StartError } from '../../local/start-error.ts';
import { startSystem } from '../../local/system.ts';
import { terminalTelemetry } from '../../local/terminal-telemetry.ts';

/** Next to the assets, because it refers to code by relative paths. */
const SAM_TEMPLATE = 'cdk.out/sam.json';
/** This machine's processor, as Lambda calls it. */
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x86_64';
/** The name of this machine in containers. */
const HOST = 'host.docker.internal';
const LOOPBACK = /\/\/(127\.0\.0\.1|localhost)(?=[:/])/;
/** A different name for each run: another run may be active, or may have been killed and have left its network. */
const NETWORK = `staking-data-sam-${process.pid}`;

type Env = Record<string, string>;

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
type Json = any;

const { values: options } = parseArgs({ options: { port: { type: 'string', default: '3000' } } });

interface Bridge {
  args: string[];
  /** The URL by which containers reach a loopback URL of this machine. */
  reachable(url: string): Promise<string>;
  remove(): void;
}

/**
 * Docker Desktop connects containers to this machine's loopback interface. On Linux, they reach only this machine's
 * address in their own network, so they get a network and relays that listen there. Nobody else can connect to those.
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

/** Forwards a free port of `host`, which it returns, to a port of the loopback interface. */
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

/** The functions' environment variables. They go into the template, because SAM CLI passes no others to containers. */
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

/** The path of the template that was synthesized last, of whichever stage. */
function newestTemplate(): string {
  const ages = globSync('cdk.out/StakingData-*.template.json').map((path) => [statSync(path).mtimeMs, path] as const);
  const [newest] = ages.sort(([a], [b]) => b - a);
  if (!newest) throw new StartError('cdk.out contains no template: run npm run synth first');
  return newest[1];
}

/**
 * Adapts the stack's template to SAM CLI: this machine's processor, values instead of references that only AWS can
 * resolve, no pages (SAM CLI cannot serve them from S3), and bodies marked as binary on each method, because SAM CLI
 * ignores the API's setting.
 */
function writeTemplate(variables: Env): void {
  const template = JSON.parse(readFileSync(newestTemplate(), 'utf8'));
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

/** Skips SAM CLI's check for a newer image if the image exists locally, so that it works without a network. */
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
    // Protects it from the terminal's Ctrl-C. Together with the signal from here, that would be a second one, upon
    // which it leaves its containers behind.
    detached: true,
    // A variable of this process would override the template's.
    env: { ...process.env, ...variables, SAM_CLI_TELEMETRY: '0' },
  });
  const failed = once(child, 'error').then(() => {
    throw new StartError('SAM CLI is not installed: pip install aws-sam-cli');
  });
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!isInterrupted) child.kill('SIGINT');
      isInterrupted = true;
    });
  }
  const [code] = await Promise.race([once(child, 'exit'), failed]);
  return code ?? 0;
}

/** Runs SAM CLI with the local system behind it, until SAM CLI exits. Returns its exit code. */
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
  process.exitCode = await run(['local', 'start-api', '--port', options.port, '--warm-containers', 'LAZY']);
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
