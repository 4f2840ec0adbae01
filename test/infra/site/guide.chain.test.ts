import { execFile, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Interface } from 'ethers';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { accounts } from '../../../functions/accounts.ts';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import { loadArtifacts } from '../../../infra/devnet/compile.ts';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import { createRoutes, startGateway } from '../../../infra/local/gateway.ts';
import { openApiDocument } from '../../../infra/site/openapi.ts';
import { buildSite } from '../../../infra/site/site.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import { readPage } from '../../../lib/ledger/page.ts';
import { CLAIM_KINDS } from '../../../lib/protocol/claim-kinds.ts';
import { balanceOf, forkDevnet, openChain, pass, transact } from '../../functions/devnet.ts';
import { type Body, sendTo } from '../../support/events.ts';
import { cover } from '../../support/log-chain.ts';
import { recordLedger } from '../../support/recorded.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Runs the guide's examples as a reader would, against the local service and chain. */

const execute = promisify(execFile);
const GG_AVAX = '0xA25EaF2906FA1a3a13EdAc9B9657108Af7B703e3';

tablesForAllTests();
let server: LocalServer;
let folder: string;
let guide: string;
let examples: Map<string, string>;

beforeAll(async () => {
  await recordLedger();
  server = await startGateway({ port: 0, routes: createRoutes(startOnDevnet()), site: await buildSite() });
  folder = temporaryFolder('guide');
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const chain = await openChain();
  const ggAvax = await chain.registered('TokenggAVAX');
  chain.rpc.close();
  guide = await readFile('infra/site/pages/guide/guide.md', 'utf8');
  const blocks = guide.matchAll(/^```\w+ (\w+)\n([\s\S]*?)\n```$/gm);
  const here = (code: string) =>
    code
      .replaceAll('http://localhost:3000', server.url)
      .replaceAll('https://api.avax.network/ext/bc/C/rpc', process.env.DEVNET_RPC_URL as string)
      .replaceAll(GG_AVAX, ggAvax);
  examples = new Map([...blocks].map(([, name = '', code = '']) => [name, here(code)]));
});
afterAll(async () => {
  await server.stop();
});

async function run(name: string, command: string, suffix: string): Promise<string> {
  const path = join(folder, `example.${suffix}`);
  await writeFile(path, examples.get(name) as string);
  return (await execute(command, [path])).stdout;
}

test('the guide has exactly the examples that are tested', () => {
  expect([...examples.keys()]).toEqual([
    ...['redeem', 'income', 'sh', 'ts', 'py', 'pandas', 'sheet', 'prometheus', 'install', 'client'],
    // test/clients runs these.
    ...['pyinstall', 'pyclient', 'mcp'],
    // Run by hand, in the folder of an export.
    ...['sql', 'export'],
    ...['bot', 'cast', 'ethers'],
  ]);
});

test('the TypeScript example works', async () => {
  expect(await run('ts', process.execPath, 'mts')).toMatch(/^1 ggAVAX = 1\.\d+ AVAX at block \d+\n$/);
});

test('the bot gets each final event exactly once, although it restarts', async () => {
  const { opened } = startOnDevnet();
  const ledger = opened.ledger;
  const { toBlock: to, toTimestamp } = (await ledger.progress.latest()).coverage;
  const all = async () =>
    (await ledger.all('protocol')).entries.map(({ type, block, logIndex }) => `${type} ${block} ${logIndex}`);
  /** Starts the bot against new containers, and stops it, without warning, when it has had that many events in all. */
  const printed: string[] = [];
  const runUntil = async (count: number) => {
    let answered = 0;
    const onResponse = () => void answered++;
    const gateway = await startGateway({ port: 0, routes: createRoutes(startOnDevnet()), onResponse });
    const code = (examples.get('bot') as string).replaceAll(server.url, gateway.url).replace('30_000', '100');
    await writeFile(join(folder, 'bot.mts'), code);
    const bot = spawn(process.execPath, ['bot.mts'], { cwd: folder });
    let output = '';
    const isDone = () => printed.length + output.split('\n').length - 1 >= count;
    for await (const chunk of bot.stdout) {
      output += chunk;
      if (isDone()) break;
    }
    // Once the bot sends another request, it has stored its position.
    for (const before = answered; answered < before + 2; ) await new Promise((resolve) => setTimeout(resolve, 50));
    bot.kill('SIGKILL');
    await gateway.stop();
    printed.push(...output.split('\n').slice(0, -1));
  };
  const final = await all();
  await runUntil(final.length);
  expect(printed).toEqual(final);

  const [last] = (await readPage(ledger, 'protocol', { limit: 1 })).entries as [Entry];
  const late = [1, 10].map((later) => ({ ...last, block: to + later, timestamp: toTimestamp + later }));
  await ledger.write(late);
  await cover(ledger, to, to + 20, toTimestamp + 180);
  const more = await all();
  expect(more).toHaveLength(final.length + 2);
  await runUntil(more.length);
  expect(printed).toEqual(more);
});

test('the ethers example finds that the service and the contract agree', async () => {
  expect(await run('ethers', process.execPath, 'mts')).toBe('equal, to the wei\n');
});

test('the example of a typed client works', async () => {
  expect(await run('client', process.execPath, 'mts')).toMatch(/^(0x\w{40} has staked [\d.]+ GGP\n){3}$/);
});

test('the lines that install a typed client name packages that exist here, and the last one generates it', async () => {
  const lines = (examples.get('install') as string).split('\n');
  const generate = lines.pop() as string;
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const packages = lines.flatMap((line) => /^npm install (?:--save-dev )?(.+)$/.exec(line)?.[1]?.split(' ') ?? line);
  for (const name of packages) expect(devDependencies).toHaveProperty(name);
  await execute('sh', ['-c', generate], { cwd: folder });
  expect(await readFile(join(folder, 'service.ts'), 'utf8')).toContain('"/stakers": {');
});

test('the TypeScript examples compile with the options that tsc --init suggests', async () => {
  await writeFile(join(folder, 'service.ts'), astToString(await openapiTS(openApiDocument() as unknown as OpenAPI3)));
  for (const language of ['ts', 'client', 'ethers']) {
    await writeFile(join(folder, `${language}.mts`), examples.get(language) as string);
  }
  await rm(join(folder, 'tsconfig.json'), { force: true });
  await execute(resolve('node_modules/.bin/tsc'), ['--init'], { cwd: folder });
  const files = ['ts.mts', 'client.mts', 'ethers.mts'];
  const compilerOptions = { noEmit: true, lib: ['es2024'], types: ['node'] };
  await writeFile(join(folder, 'check.json'), JSON.stringify({ extends: './tsconfig.json', compilerOptions, files }));
  const { stdout } = await execute('node_modules/.bin/tsc', ['-p', join(folder, 'check.json')]).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toBe('');
});

/** The rows of the table in the section with this heading. */
function tableOf(heading: string): string[] {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return section.split('\n').filter((line) => line.startsWith('| '));
}

test('the words that it explains are names in the API', () => {
  const words = tableOf('Words').flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`(…?\w+)`/g)].map(([, word = '']) => word),
  );
  expect(words.length).toBeGreaterThan(20);
  const document = JSON.stringify(openApiDocument());
  const isName = (word: string) => document.includes(word.startsWith('…') ? `${word.slice(1)}"` : `"${word}"`);
  expect(words.filter((word) => !isName(word))).toEqual([]);
});

/** The calls in the table of transactions: contract, function, and its inputs, unless those differ between versions. */
function callsToClaim(): [contract: string, name: string, inputs?: string][] {
  const calls = tableOf('Claim without a website')
    .join('\n')
    .matchAll(/`(\w+)\.(\w+)(?:\((.*?)\))?`/g);
  return [...calls].map(([, contract = '', name = '', inputs]) => [contract, name, inputs]);
}

/** Calls that pay nothing by themselves: they start a pending withdrawal. */
const STARTS = ['approve(address,uint256)', 'requestUnstake(uint256,uint48)'];
/** All calls that the next test sends. */
const SENT = [...Object.values(CLAIM_KINDS).map(({ signature }) => signature), 'withdrawAVAX(uint256)'];

/** Calls in texts for people: `redeemAVAX(shares)`, `WithdrawQueue.requestUnstake`. A call's name is not an English word, or has inputs. */
test('every call in a text is one that is sent here, with its inputs, none of which is a number', async () => {
  const functions = Object.values(await loadArtifacts()).flatMap(({ abi }) =>
    abi.flatMap(({ type, stateMutability, name = '' }) =>
      type === 'function' && !/view|pure/.test(stateMutability ?? '') ? name : [],
    ),
  );
  const named = functions.map((name) => (/[A-Z]/.test(name) ? `\\b${name}\\b` : `(?<=\`(?:\\w+\\.)?)${name}(?=\\()`));
  const pattern = new RegExp(`(${[...new Set(named)].join('|')})(?:\\(([^)]*)\\))?`, 'g');
  const files = ['{README,docs/*}.md', 'infra/{site/**,archive-site}/*.{md,ts,tsx}', 'lib/**/claim-kinds.ts'];
  const texts = await Promise.all(globSync(files).map((path) => readFile(path, 'utf8')));
  const document = JSON.stringify(openApiDocument(), (key, value) => (/^examples?$/.test(key) ? undefined : value));
  const calls = [...texts, document].flatMap((text) => [...text.matchAll(pattern)]);
  expect(calls.length).toBeGreaterThan(40);
  const isSent = ([, name = '', inputs]: readonly (string | undefined)[]) =>
    SENT.filter((signature) => signature.startsWith(`${name}(`)).some((signature) => {
      const types = signature.slice(name.length + 1, -1).split(',');
      const isInput = (input: string, place: number) =>
        !/^(\d|u?int|address|bytes)/.test(input) || input.startsWith(String(types[place]));
      const given = inputs?.split(/, ?/);
      return !given || (given.length === types.length && given.every(isInput));
    });
  expect(calls.filter((call) => !isSent(call)).map(([call]) => call)).toEqual([]);
});

test('each call that the guide lists pays, and each way out that /accounts can list has a row', async () => {
  const fork = await forkDevnet();
  try {
    const { alba, deployer: _, ...others } = fork.people;
    const everybody = [alba, ...Object.values(others)];
    /** Returns the transactions with which people can withdraw funds now, each with its sender. */
    const offered = async (): Promise<Body[]> => {
      const on = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
      const { body } = await sendTo(accounts, on, { query: { address: everybody.join(',') } });
      // On a busy machine, the first response of a new chain may come too late for its optional fields.
      if (!body.accounts?.every(({ availableNow }: Body) => availableNow)) return offered();
      return body.accounts.flatMap(({ address, availableNow, insteadOfWaiting }: Body) =>
        [...availableNow, ...insteadOfWaiting].map(({ what, call }: Body) => ({ what, from: address, ...call })),
      );
    };
    const sendCall = async (row: string, { from, contract: to, function: signature, arguments: args }: Body) => {
      const call = new Interface([`function ${signature}`]);
      const data = call.encodeFunctionData(signature.split('(')[0], args);
      const wallet = () => Promise.all(['AVAX', 'GGP', 'ggAVAX'].map((token) => balanceOf(fork, from, token)));
      const before = await wallet();
      const isAccepted = await transact(fork, { from, to, data });
      const isPaid = (await wallet()).some((amount, place) => amount > (before[place] as bigint));
      expect([row, isAccepted, isPaid]).toEqual([row, true, !STARTS.includes(signature)]);
    };
    // No waiting minipool is old enough yet, and claimable requests may expire before one is.
    const before = await fork.rpc.send('evm_snapshot');
    await pass(fork, 6 * 86_400);
    const canceled = (await offered()).find(({ what }: Body) => what === 'cancelMinipool');
    await sendCall('MinipoolManager.cancelMinipool', canceled);
    await fork.rpc.send('evm_revert', before);

    await fork.rpc.send('anvil_setBlockTimestampInterval', 0);
    const pool = await fork.registered('TokenggAVAX');
    const ofAlba = (to: string, signature: string, ...args: string[]) => ({
      ...{ from: alba, contract: to, function: signature, arguments: args },
    });
    const shares = String(10n ** 18n);
    const now: Body[] = [
      // These are not offered: they duplicate other calls, or start a pending withdrawal.
      ofAlba(pool, 'withdrawAVAX(uint256)', shares),
      ofAlba(pool, 'approve(address,uint256)', DEVNET_ADDRESSES.WithdrawQueue, shares),
      ofAlba(DEVNET_ADDRESSES.WithdrawQueue, 'requestUnstake(uint256,uint48)', shares, '864000'),
      // The chain would refuse alba's other transactions once these have been sent.
      ...(await offered()).filter(({ from }: Body) => from !== alba),
      ...(await offered()).filter(({ what }: Body) => what !== 'redeem'),
    ];
    const listed = (await (await fetch(`${server.url}/contracts`)).json()) as Body;
    const addresses = new Map(listed.contracts.map(({ name, address }: Body) => [name, address]));
    const rows = callsToClaim();
    const entries: Body[] = [canceled, ...now].filter(({ what }) => what !== undefined);
    const kinds = Object.entries(CLAIM_KINDS).filter(([, { signature }]) => !STARTS.includes(signature));
    expect(new Set(entries.map(({ what }) => what))).toEqual(new Set(kinds.map(([what]) => what)));
    const isIn = ({ contract, function: signature }: Body) =>
      rows.some(([name, method]) => contract === addresses.get(name) && signature.startsWith(`${method}(`));
    expect(entries.filter((call) => !isIn(call))).toEqual([]);
    for (const [contract, name] of rows) {
      if (name === 'cancelMinipool') continue;
      const isThat = (one: Body) => one.contract === addresses.get(contract) && one.function.startsWith(`${name}(`);
      await sendCall(`${contract}.${name}`, now.find(isThat));
    }
  } finally {
    await fork.stop();
  }
});

test('the example of a redemption brings AVAX into the account', async () => {
  const programs = await Promise.allSettled(['jq', 'cast'].map((program) => execute('which', [program])));
  if (programs.some(({ status }) => status === 'rejected')) return console.log('skipped: jq or cast is not installed');
  const fork = await forkDevnet();
  try {
    // All blocks have the same timestamp, so that nothing is streamed meanwhile; and no wallet signs for the devnet.
    await fork.rpc.send('anvil_setBlockTimestampInterval', 0);
    const program = (examples.get('redeem') as string)
      .replaceAll(process.env.DEVNET_RPC_URL as string, fork.url)
      .replace('--ledger', '--unlocked --gas-price 0 --legacy');
    const { alba } = fork.people;
    const before = await balanceOf(fork, alba, 'AVAX');
    const held = await fork.read('TokenggAVAX', 'balanceOf', [alba]);
    const path = join(folder, 'redeem.sh');
    await writeFile(path, program);
    const { stdout } = await execute('sh', ['-e', path]);
    const [promised = '', ...sent] = stdout.trim().split('\n');
    const paid = BigInt(promised.split(' ')[0] as string);
    expect(BigInt(sent.at(-1) as string) - before).toBe(paid);
    expect(paid).toBeGreaterThan(held);
    expect(await fork.read('TokenggAVAX', 'balanceOf', [alba])).toBe(0n);
  } finally {
    await fork.stop();
  }
});

test('the URLs of the spreadsheet example return a number and a table', async () => {
  const urls = [...(examples.get('sheet') as string).matchAll(/^=IMPORTDATA\("([^"]+)"\)$/gm)].map(
    ([, url]) => url as string,
  );
  const [figure, table] = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
  expect(Number(figure)).toBeGreaterThan(1);
  const [header = '', ...rows] = (table as string).trimEnd().split('\r\n');
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) expect(row.split(',')).toHaveLength(header.split(',').length);
});

test('the cast example makes the same call as the ethers example', () => {
  const [, address, signature, amount] =
    /cast call (\w+)[\s\\]+'([^']+)' (\d+)/.exec(examples.get('cast') as string) ?? [];
  expect(examples.get('ethers')).toContain(address);
  expect(amount).toBe(String(10n ** 18n));
  const view = new Interface(['function convertToAssets(uint256) view returns (uint256)']).getFunction(
    'convertToAssets',
  );
  expect(signature).toBe(`${view?.format()}(uint256)`);
});
