import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Interface } from 'ethers';
import type { LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { routesOf, startGateway } from '../../infra/local/gateway.ts';
import type { LocalServer } from '../../infra/local/listen.ts';
import { openChain } from '../functions/devnet.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { startTables } from '../support/tables.ts';

/** The guide's examples, taken from the page and run as a reader runs them, against this machine's service and chain. */

const execute = promisify(execFile);
const GG_AVAX = '0xA25EaF2906FA1a3a13EdAc9B9657108Af7B703e3';

let database: LocalDynamoDB;
let server: LocalServer;
let folder: string;
let examples: Map<string, string>;

beforeAll(async () => {
  database = await startTables();
  server = await startGateway({ port: 0, routes: routesOf(startOnDevnet()) });
  // Inside the project, where ethers is.
  folder = await mkdtemp('node_modules/.guide-');
  const chain = await openChain();
  const ggAvax = await chain.registered('TokenggAVAX');
  chain.rpc.close();
  const html = await readFile('infra/web/guide/index.html', 'utf8');
  const blocks = html.matchAll(/<code data-language="(\w+)">([\s\S]*?)<\/code>/g);
  const here = (code: string) =>
    code
      .replaceAll('http://localhost:3000', server.url)
      .replaceAll('https://api.avax.network/ext/bc/C/rpc', process.env.DEVNET_RPC_URL as string)
      .replaceAll(GG_AVAX, ggAvax);
  const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
  const decoded = (code: string) => code.replace(/&(amp|lt|gt);/g, (entity) => entities[entity] as string);
  examples = new Map([...blocks].map(([, language, code]) => [language as string, here(decoded(code as string))]));
});
afterAll(async () => {
  await server.stop();
  await database.stop();
  await rm(folder, { recursive: true });
});

async function run(language: string, command: string, suffix: string): Promise<string> {
  const path = join(folder, `example.${suffix}`);
  await writeFile(path, examples.get(language) as string);
  return (await execute(command, [path])).stdout;
}

/** Whether this machine has a program. */
const has = (program: string) =>
  execute('which', [program]).then(
    () => true,
    () => false,
  );

test('every example of the guide is run here', () => {
  expect([...examples.keys()]).toEqual(['sh', 'ts', 'py', 'cast', 'ethers']);
});

test('curl', async () => {
  if (!(await has('curl'))) return console.log('skipped: curl is not on this machine');
  const output = await run('sh', 'sh', 'sh');
  expect(output).toContain('"total_assets"');
  expect(output).toContain('"ggpReward"');
});

test('TypeScript', async () => {
  expect(await run('ts', process.execPath, 'mjs')).toMatch(/^1 ggAVAX = 1\.\d+ AVAX at block \d+\n$/);
});

test('Python', async () => {
  if (!(await has('python3'))) return console.log('skipped: python3 is not on this machine');
  expect(await run('py', 'python3', 'py')).toMatch(/^\d+\.\d+ AVAX are not staked, at block \d+\n$/);
});

test('ethers says that the number is the contract’s', async () => {
  expect(await run('ethers', process.execPath, 'mjs')).toBe('equal, to the wei\n');
});

test('cast asks what the ethers example asks', () => {
  const [, address, signature, amount] =
    /cast call (\w+)[\s\\]+'([^']+)' (\d+)/.exec(examples.get('cast') as string) ?? [];
  expect(examples.get('ethers')).toContain(address);
  expect(amount).toBe(String(10n ** 18n));
  const view = new Interface(['function convertToAssets(uint256) view returns (uint256)']).getFunction(
    'convertToAssets',
  );
  expect(signature).toBe(`${view?.format()}(uint256)`);
});
