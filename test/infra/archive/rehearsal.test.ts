import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { getAddress, Interface, parseEther } from 'ethers';
import type { Bodies } from '../../../functions/index.ts';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import { type AvalancheApi, startAvalancheApi } from '../../../infra/devnet/avalanche-api.ts';
import { type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import { connect, type Rpc } from '../../../infra/devnet/rpc.ts';
import { seriesOf } from '../../../lib/history/history-store.ts';
import { boundaryFrom } from '../../../lib/history/series.ts';
import type { BlockRef } from '../../../lib/values/block.ts';
import { isoDay } from '../../../lib/values/iso-time.ts';
import { startServer } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Run, run } from '../run.ts';

/** The end of a service, from its last evening on, as its operator types it. The steps follow each other. */

jest.setTimeout(600_000);

type Account = Bodies['/accounts/{address}'];

interface DataPackage {
  block: BlockRef;
  missing: string[];
  resources: { name: string; path: string; rows: number; schema: { fields: { name: string; type: string }[] } }[];
}

const at = (time: string) => Date.parse(`${time}Z`) / 1_000;
const LAST_EVENING = at('2026-12-31T20:10:00');
const CYCLE =
  'The GGP of the rewards cycle that began on 2026-12-06 is missing: it is recorded from 2027-01-05T02:00:00Z on.';

/** The export then finds those of the running `npm start`. */
const WITHOUT_TABLES = 'env --unset=HISTORY_TABLE --unset=LEDGER_TABLE --unset=AWS_ENDPOINT_URL_DYNAMODB';

const tables = tablesForAllTests();
let devnet: Devnet;
let api: AvalancheApi;
let chain: Rpc;
let first: LocalServer;
let second: LocalServer & { isDown: boolean };
let env: NodeJS.ProcessEnv;
/** The folder in which commands are typed. */
let place: string;
let service: Run;
let url: string;

async function startProvider(): Promise<LocalServer & { isDown: boolean }> {
  const provider = { isDown: false };
  const server = await startServer((request, response) => {
    if (provider.isDown) return request.socket.destroy();
    const { method, headers } = request;
    const sent = httpRequest(devnet.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    return request.pipe(sent.on('error', () => response.destroy()));
  });
  return Object.assign(provider, server);
}

/** Sets the clock of all programs, mines a block at this time, and waits for what `/health` then says of the ledger. */
async function travelTo(time: number, isReached = isIndexed): Promise<void> {
  writeFileSync(String(env.CLOCK_FILE), String(time - Math.floor(Date.now() / 1_000)));
  await chain.batch([['evm_mine', { timestamp: time }]]);
  const head = Number(await chain.send('eth_blockNumber'));
  while (url && !isReached((await get<Bodies['/health']>('/health')).ledger, head)) await sleep(200);
}
type Ledger = Bodies['/health']['ledger'];
const isIndexed = (ledger: Ledger, head: number) => ledger?.toBlock === head && ledger.waitingSince === undefined;

const get = async <Body>(path: string) => (await (await fetch(url + path)).json()) as Body;

async function type(command: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const ran = promisify(execFile)('bash', ['-ec', command], { cwd: place, env, maxBuffer: 2 ** 26 });
  return ran.then(
    (printed) => ({ code: 0, ...printed }),
    (failed) => failed,
  );
}

/** The commands of the list "End" that need no account, without the settings above them. */
function commandsOfTheEnd(): string {
  const [, end = ''] = readFileSync('docs/operations.md', 'utf8').split(/^## End$/m);
  const [, block = ''] = /^ *```sh\n(.*?)^ *```/ms.exec(end) ?? [];
  const [settings, ...commands] = block.trim().split(/\n */);
  expect(settings).toMatch(/^export NETWORK=\S+ HISTORY_TABLE=\S+ LEDGER_TABLE=\S+ ENDS_ON=\S+ RPC_URLS=/);
  return commands.join('\n');
}

const read = (path: string, copy = 'archive') => readFileSync(join(place, copy, path), 'utf8');
const readJson = <Body>(path: string, copy?: string): Body => JSON.parse(read(path, copy));
const filesIn = (copy: string) =>
  readdirSync(join(place, copy), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

beforeAll(async () => {
  devnet = await startDevnet({ live: false, now: LAST_EVENING, historyDays: 7 });
  api = await startAvalancheApi(devnet);
  chain = connect(devnet.url);
  first = await startProvider();
  second = await startProvider();
  place = temporaryFolder('end');
  for (const name of ['package.json', 'infra', 'node_modules']) symlinkSync(resolve(name), join(place, name));
  env = {
    ...process.env,
    ...{ NETWORK: 'devnet', RPC_URLS: [first.url, second.url].join(), ENDS_ON: '2026-12-31' },
    ...{ P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl, HOURLY_START: String(at('2027-01-05T00:00:00')) },
    ...{ XDG_DATA_HOME: place, CLOCK_FILE: join(place, 'clock') },
    NODE_OPTIONS: `--import=${resolve('test/support/shifted-clock.mjs')}`,
  };
  await travelTo(LAST_EVENING + 60);
  service = run('infra/local/start.ts', [], { ...env, PORT: '0' });
  await new Promise<void>((resolve, reject) => {
    service.child.stdout?.on('data', () => /History, days: .*, complete/.test(service.output.out) && resolve());
    service.code.then(() => reject(new Error(service.output.text)));
  });
  [, url = ''] = /Ready: (\S+)/.exec(service.output.out) ?? [];
  expect(await type('npm run --silent backfill -- --all')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  service?.child.kill('SIGINT');
  await service?.code;
  chain?.close();
  for (const part of [first, second, api, devnet]) await part?.stop();
});

test('with a dead provider, the export is refused with the reasons, and writes nothing', async () => {
  second.isDown = true;
  await travelTo(at('2026-12-31T20:40:00'), (ledger) => ledger?.waitingSince !== undefined);
  const { code, stderr } = await type('npm run --silent export -- archive');
  expect([code, existsSync(join(place, 'archive'))]).toEqual([1, false]);
  const lines = stderr.replace(/^warning: .*\n/gm, '');
  expect(lines.trim().split('\n')).toEqual([
    'Not exported: the copy would be incomplete.',
    expect.stringMatching(/^- The last indexed block is \d+ of 2026-12-31T20:11:00Z: it is now 2026-12-31T20:4\S+Z\.$/),
    expect.stringMatching(/^- Too few RPC providers answer for events since 2026-12-31T20:4\S+Z\.$/),
    expect.stringMatching(/^- The events are not compared with the contracts at block \d+: too few RPC providers /),
    `- ${CYCLE}`,
    expect.stringMatching(/^Mend this first .* or add --incomplete/),
  ]);
});

test('with --incomplete, the files and the pages that the gaps are about name them', async () => {
  const { code, stdout } = await type(`${WITHOUT_TABLES} npm run --silent export -- part --incomplete`);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Reading the service at http/)]);
  const { missing } = readJson<DataPackage>('datapackage.json', 'part');
  expect(missing).toHaveLength(4);
  const saysAll = (path: string) => missing.filter((gap) => !read(path, 'part').includes(gap));
  expect([saysAll('README.md'), saysAll('index.html')]).toEqual([[], []]);
  const pages = filesIn('part').filter((path) => /\/(address|node)\//.test(path));
  const kinds = pages.map((path) => missing.filter((gap) => readFileSync(path, 'utf8').includes(gap)).length);
  // Only stakers miss the GGP of a cycle.
  expect(new Set(kinds)).toEqual(new Set([3, 4]));
});

test('once the provider is back, the events are indexed anew beside the recorder', async () => {
  second.isDown = false;
  await travelTo(at('2026-12-31T21:00:00'));
  expect(await type('npm run --silent backfill -- --again')).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('Switched to the new events.\n') },
  });
});

const ERC20 = new Interface([
  ...['function transfer(address, uint256)', 'function transferFrom(address, address, uint256)'],
  ...['function approve(address, uint256)', 'function balanceOf(address) view returns (uint256)'],
]);
const { TokenGGP, TokenggAVAX, TokenpstAVAX, WAVAX } = DEVNET_ADDRESSES;
const TOKENS: Record<string, string> = { GGP: TokenGGP, ggAVAX: TokenggAVAX, pstAVAX: TokenpstAVAX, WAVAX };
/** Addresses that others have put into events: with nothing, with an approval, or with one wei. */
const strangerOf = (index: number) => `0x${String(index + 1).padStart(40, 'a')}`;

test('strangers write themselves into the events', async () => {
  const from = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
  for (const to of [TokenggAVAX, TokenpstAVAX])
    for (const index of [0, 1, 2, 3, 4]) {
      const calls = [
        ERC20.encodeFunctionData('transfer', [strangerOf(index), 1n]),
        ERC20.encodeFunctionData('transferFrom', [strangerOf(index + 10), strangerOf(index + 20), 0n]),
        ERC20.encodeFunctionData('approve', [strangerOf(index + 30), 1n]),
      ];
      for (const data of calls) await chain.send('eth_sendTransaction', { from, to, data, gasPrice: '0x0' });
    }
});

test('on the day after, everything is there but the running cycle, which is named with its date', async () => {
  await travelTo(at('2027-01-01T00:05:00'));
  const { code, stdout, stderr } = await type(commandsOfTheEnd());
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`\nAll that is due is recorded\\. ${CYCLE}\n$`));
  expect(stderr).toMatch(new RegExp(`^Not exported: .*\n- ${CYCLE}\nMend .*\n$`));
});

test('after the cycle, the commands of the end make the whole copy', async () => {
  await travelTo(at('2027-01-05T08:00:00'));
  const { code, stdout, stderr } = await type(commandsOfTheEnd());
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\nEverything is recorded\.\nExporting devnet up to block /);
  expect(stdout).toMatch(/\nDone: \d+ files, \d+\.\d MB in \d+\.\d s\.\n$/);
  const files = filesIn('archive').length;
  expect([files, read('README.md')]).toEqual([
    read('SHA256SUMS').trimEnd().split('\n').length + 1,
    expect.stringContaining(`, and has ${files} files.`),
  ]);
  const rows = read('README.md').match(/^\|.*$/gm);
  expect(rows?.filter((row) => !/^(\| ([^|\\]|\\.)+ ){3}\|$/.test(row))).toEqual([]);
  expect(readJson<DataPackage>('datapackage.json').missing).toEqual([]);
});

test('strangers have no files: those with one wei are in a list', () => {
  const found = filesIn('archive').filter((path) => /0xaaaaaaaa/.test(path));
  const listed = Array.from({ length: 40 }, (_, index) => strangerOf(index)).filter((one) =>
    read('lists/small.js').includes(one),
  );
  expect([found, listed]).toEqual([[], [0, 1, 2, 3, 4].map(strangerOf)]);
});

const CELLS: Record<string, RegExp> = {
  integer: /^(-?\d+)?$/,
  number: /^(-?\d+(\.\d+)?(e[-+]\d+)?)?$/,
  boolean: /^(true|false)?$/,
  datetime: /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$/,
  string: /^/,
};

test('each table has its columns, types and rows; histories reach from the first event to the block', () => {
  const { block, resources } = readJson<DataPackage>('datapackage.json');
  expect(resources.length).toBeGreaterThan(20);
  for (const { path, rows, schema } of resources) {
    const [header, ...lines] = read(path).split('\r\n').slice(0, -1);
    expect([path, header, lines.length]).toEqual([path, schema.fields.map(({ name }) => name).join(), rows]);
    const cells = lines.map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
    const wrong = schema.fields.filter(({ type }, place) =>
      cells.some((row) => row.length !== schema.fields.length || !CELLS[type]?.test(row[place] ?? '')),
    );
    const isNode = schema.fields.map(({ name }) => /^node/.test(name));
    const addresses = cells.flatMap((row) => row.filter((cell, at) => /^0x[\da-f]{40}$/i.test(cell) && !isNode[at]));
    expect([path, addresses.filter((cell) => getAddress(cell) !== cell)]).toEqual([path, []]);
    expect([path, wrong]).toEqual([path, []]);
  }
  const [events] = resources.filter(({ name }) => name.startsWith('events-'));
  const [firstEvent = ''] = /\d{4}-\d\d-\d\dT[\d:]+Z/.exec(read(events?.path ?? '')) ?? [];
  const days = [...read('data/metrics-daily.csv').matchAll(/(\d{4}-\d\d-\d\d)T00:00:00Z/g)].map(([, date]) => date);
  expect(days[0]).toBe(isoDay(boundaryFrom(Date.parse(firstEvent) / 1_000, '1d')));
  expect(days.at(-1)).toBe(isoDay(block.timestamp - 1));
});

test('every link of every page leads to a file: from a folder, and below any path', () => {
  for (const page of filesIn('archive').filter((path) => path.endsWith('.html') && !path.endsWith('404.html'))) {
    const links = [...readFileSync(page, 'utf8').matchAll(/ (?:href|src)="(?!https?:|data:|#)([^"#]+)/g)];
    const broken = links.map(([, link = '']) => link).filter((link) => !existsSync(join(dirname(page), link)));
    expect([page, broken]).toEqual([page, []]);
  }
});

test('served by npm start, an account and its files are what the service said last', async () => {
  const served = run('infra/local/start.ts', ['--archive', join(place, 'archive')], { ...env, PORT: '0' });
  while (!/Ready/.test(served.output.out)) await sleep(50);
  const [, archive = ''] = /Ready: (\S+)/.exec(served.output.out) ?? [];
  for (const { address } of richest()) {
    const paths = [`/accounts/${address}`, `/accounts/${address}/calendar.ics`, '/metrics', '/withdrawals'];
    for (const path of paths) {
      const [kept, said] = await Promise.all([archive, url].map(async (from) => (await fetch(from + path)).text()));
      expect([path, kept]).toEqual([path, said]);
    }
    const kept = readJson<Bodies['/accounts/{address}/income']>(`api/accounts/${address.toLowerCase()}/income.json`);
    const parts = ['source=ggAvax&interval=1mo', 'source=minipools', 'source=ggp'];
    for (const file of ['income', 'koinly', 'rotki']) {
      const format = file === 'income' ? 'csv' : `${file}&currency=usd`;
      const paths = parts.map((part) => `${url}/accounts/${address}/income?${part}&format=${format}`);
      const [whole = '', ...others] = await Promise.all(paths.map(async (path) => (await fetch(path)).text()));
      const said = whole + others.map((text) => text.replace(/^.*\r\n/, '')).join('');
      expect(read(`tax/${address.toLowerCase()}/${file}.csv`)).toBe(said);
    }
    for (const part of parts) {
      const said = await get<Partial<typeof kept>>(`/accounts/${address}/income?${part}`);
      const [, source] = /source=(\w+)/.exec(part) ?? [];
      expect(kept.entries.filter((entry) => entry.source === source)).toEqual(said.entries ?? []);
      expect(kept.totals.filter((total) => total.source === source)).toEqual(said.totals ?? []);
    }
  }
  served.child.kill('SIGINT');
  await served.code;
});

/** The accounts with the most transactions to send. */
function richest(): Account[] {
  const accounts = filesIn('archive')
    .filter((path) => /\/api\/accounts\/0x[0-9a-f]{40}\.json$/.test(path))
    .map((path): Account => JSON.parse(readFileSync(path, 'utf8')));
  return accounts.sort((a, b) => (b.availableNow?.length ?? 0) - (a.availableNow?.length ?? 0)).slice(0, 3);
}

async function balanceOf(address: string, token: string): Promise<bigint> {
  if (token === 'AVAX') return BigInt(String(await chain.send('eth_getBalance', address, 'latest')));
  const data = ERC20.encodeFunctionData('balanceOf', [address]);
  return BigInt(String(await chain.send('eth_call', { to: TOKENS[token], data }, 'latest')));
}

test('the transactions on the pages pay what the pages say', async () => {
  for (const { address, availableNow = [] } of richest()) {
    const page = read(`address/${address.toLowerCase()}.html`);
    const claims = availableNow.filter(({ call }) => call);
    const calls = page.matchAll(/<dt>Contract.*?(0x[\da-fA-F]{40})<.*?<dt>Calldata<.*?<code[^>]*>(0x[\da-f]+)/gs);
    const transactions = [...calls].map(([, to = '', data = '']) => ({ to, data })).slice(0, claims.length);
    const snapshot = await chain.send('evm_snapshot');
    expect(transactions.map(({ data }) => data)).toEqual(claims.map(({ call }) => call?.data));
    // Each row names a view, which answers.
    const views = [...page.matchAll(/Ask first.*?<code[^>]*>(\w+)\((.*?)\)( of)?/g)];
    expect(views).toHaveLength(page.match(/<dt>Calldata/g)?.length ?? 0);
    for (const [index, [, name = '', values = '', isElsewhere]] of views.slice(0, claims.length).entries()) {
      const given = values.split(', ');
      const types = given.map((value) => (/^0x/.test(value) ? 'address' : 'uint256'));
      const abi = new Interface([`function ${name}(${types})`]);
      const to = isElsewhere ? DEVNET_ADDRESSES.Staking : transactions[index]?.to;
      await chain.send('eth_call', { to, data: abi.encodeFunctionData(name, given) }, 'latest');
    }
    for (const [index, { to, data }] of transactions.entries()) {
      const { title, detail, token, amount = '0' } = claims[index] as (typeof claims)[number];
      expect(page.replace(/<[^>]+>/g, ' ')).toContain(title);
      expect(page).toContain(detail);
      const before = await balanceOf(address, token);
      const transaction = { from: address, to, data, gas: '0x1c9c380', gasPrice: '0x0' };
      const hash = await chain.send('eth_sendTransaction', transaction);
      await chain.send('evm_mine');
      const { status } = (await chain.send('eth_getTransactionReceipt', hash)) as { status: string };
      const paid = (await balanceOf(address, token)) - before;
      const off = Math.abs(Number(paid - parseEther(amount)) / Number(parseEther(amount)));
      expect([title, status, off < 1e-3]).toEqual([title, '0x1', true]);
    }
    await chain.send('evm_revert', snapshot);
  }
});

test('while a day is missing, it is refused', async () => {
  // Its recorder would record the day again.
  service.child.kill('SIGINT');
  await service.code;
  const Key = { series: { S: seriesOf('devnet', '1d') }, timestamp: { N: String(at('2026-12-01T00:00:00')) } };
  await tables.client.send(new DeleteItemCommand({ TableName: 'history', Key }));
  const { code, stderr } = await type('npm run --silent export -- archive-2');
  expect(code).toBe(1);
  expect(stderr).toMatch(/\n- 1 of the daily points since \S+ are not recorded\.\n/);
});
