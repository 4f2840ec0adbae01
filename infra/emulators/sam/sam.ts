/**
 * `npm run sam`: runs the functions in `cdk.out` in SAM CLI's containers, on the local devnet or on the network that the
 * environment names. See docs/contributing.md.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { setIn } from '../../../lib/runtime/config.ts';
import { type System, startSystem } from '../../local/system.ts';
import { describeFailure } from '../../local/terminal.ts';

/** Made by `npm run synth`, of the stage dev. */
const TEMPLATE = 'cdk.out/StakingData-dev.template.json';
/** Next to the assets, because it refers to code by relative paths. */
const SAM_TEMPLATE = 'cdk.out/sam.json';
/** This machine's processor, as Lambda calls it. */
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x86_64';
/** The name of this machine in containers. */
const HOST = 'host.docker.internal';
const LOOPBACK = /\/\/(?:127\.0\.0\.1|localhost):(\d+)/g;
/** A different name for each run: another run may be active, or may have been killed and have left its network. */
const NETWORK = `staking-data-sam-${process.pid}`;
/** The settings that functions get from here. */
const PASSED =
  /^(NETWORK|RPC_URLS|P_CHAIN_URLS|DATA_API_\w+|MAX_HEAD_AGE_SECONDS|\w+_TABLE|AWS_ENDPOINT_URL_DYNAMODB)$/;

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
type Json = any;

type Bridge = ReturnType<typeof createBridge>;

/**
 * Docker Desktop connects containers to this machine's loopback interface. On Linux, they reach only this machine's
 * address in their own network, so they get a network and relays that listen there. Nobody else can connect to those.
 * `reachable`: a text with loopback URLs of this machine as containers reach them.
 */
function createBridge() {
  if (process.platform !== 'linux')
    return { args: [], reachable: async (text: string) => text.replaceAll(LOOPBACK, `//${HOST}:$1`), remove: () => {} };
  docker('network', 'create', NETWORK);
  const gateway = docker('network', 'inspect', NETWORK, '--format', '{{(index .IPAM.Config 0).Gateway}}');
  return {
    args: ['--docker-network', NETWORK, '--add-host', `${HOST}:${gateway}`],
    async reachable(text: string) {
      let reached = text;
      for (const [url, port] of text.matchAll(LOOPBACK))
        reached = reached.replace(url, `//${HOST}:${await relay(gateway, Number(port))}`);
      return reached;
    },
    remove: () => docker('network', 'rm', NETWORK),
  };
}

const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim();

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
async function environment({ tables }: System, { reachable }: Bridge): Promise<Record<string, string>> {
  const all = Object.entries({ NETWORK: 'devnet', ...setIn(process.env), ...tables });
  const passed = all.filter(([name]) => PASSED.test(name));
  const entries = passed.map(async ([name, value = '']) => [name, await reachable(value)] as const);
  return { POWERTOOLS_SERVICE_NAME: 'staking-data-sam', ...Object.fromEntries(await Promise.all(entries)) };
}

/**
 * Adapts the stack's template to SAM CLI: this machine's processor, values instead of references that only AWS can
 * resolve, no pages (SAM CLI cannot serve them from S3), and bodies marked as binary on each method, because SAM CLI
 * ignores the API's setting.
 */
function writeTemplate(variables: Record<string, string>): void {
  const template = JSON.parse(readFileSync(TEMPLATE, 'utf8'));
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

async function sam(args: string[], variables: Record<string, string>): Promise<number> {
  const child = spawn('sam', [...args, '--template', SAM_TEMPLATE], {
    stdio: 'inherit',
    // Protects it from the terminal's Ctrl-C. Together with the signal from here, that would be a second one, upon
    // which it leaves its containers behind.
    detached: true,
    // A variable of this process would override the template's.
    env: { ...process.env, ...variables, SAM_CLI_TELEMETRY: '0' },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.killed || child.kill('SIGINT'));
  const [code] = await once(child, 'exit');
  return code ?? 0;
}

const { values: options } = parseArgs({ options: { port: { type: 'string', default: '3000' } } });
const bridge = createBridge();
let system: System | undefined;
try {
  const env = { ...process.env, PORT: '0' };
  system = await startSystem({ env, onStep: (line) => console.error(line) });
  const variables = await environment(system, bridge);
  writeTemplate(variables);
  const args = ['local', 'start-api', '--port', options.port, '--warm-containers', 'LAZY', ...bridge.args];
  process.exitCode = await sam(args, variables);
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = 1;
} finally {
  await system?.stop();
  bridge.remove();
}
