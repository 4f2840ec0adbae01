import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { getAddress, Interface, parseEther } from 'ethers';
import type { Bodies } from '../../../functions/index.ts';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import { type AvalancheApi, startAvalancheApi } from '../../../infra/devnet/avalanche-api.ts';
import { type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import { seriesOf } from '../../../lib/history/history-store.ts';
import { boundaryFrom } from '../../../lib/history/series.ts';
import type { BlockRef } from '../../../lib/values/block.ts';
import { isoDay } from '../../../lib/values/iso-time.ts';
import { act, balanceOf, type Chain, openChain, transact } from '../../functions/devnet.ts';
import { startServer } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Run, run, runCommand, untilPrinted } from '../run.ts';

/** The end of a service, from its last evening on, as its operator types it. The steps follow each other. */

jest.setTimeout(600_000);

type Account = Bodies['/accounts/{address}'];
type Income = Bodies['/accounts/{address}/income'];

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
let chain: Chain;
/** The second of two providers. */
let second: LocalServer;
let isDown = false;
let env: NodeJS.ProcessEnv;
/** The folder in which commands are typed. */
let place: string;
let service: Run;
let url: string;
let served: Run;
/** Its URL. */
let archive: string;

/** Sets the clock of all programs, mines a block at this time, and waits for what `/health` then says of the ledger. */
async function travelTo(time: number, isReached = isIndexed): Promise<void> {
  writeFileSync(String(env.CLOCK_FILE), String(time - Math.floor(Date.now() / 1_000)));
  await chain.rpc.send('evm_mine', { timestamp: time });
  const head = Number(await chain.rpc.send('eth_blockNumber'));
  while (url && !isReached((await get<Bodies['/health']>('/health')).ledger, head)) await sleep(200);
}
type Ledger = Bodies['/health']['ledger'];
const isIndexed = (ledger: Ledger, head: number) => ledger?.toBlock === head && ledger.waitingSince === undefined;

const get = async <Body>(path: string) => (await (await fetch(url + path)).json()) as Body;

async function type(command: string) {
  const { output, code } = runCommand('bash', ['-ec', `cd ${place}\n${command}`], env);
  return { code: await code, ...output };
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
  chain = await openChain(devnet.url);
  await chain.rpc.send('evm_setAutomine', true);
  second = await startServer((request, response) => {
    if (isDown) return request.socket.destroy();
    const { method, headers } = request;
    return request.pipe(httpRequest(devnet.url, { method, headers }, (answer) => answer.pipe(response)));
  });
  place = temporaryFolder('end');
  for (const name of ['package.json', 'infra', 'node_modules']) symlinkSync(resolve(name), join(place, name));
  env = {
    ...process.env,
    ...{ NETWORK: 'devnet', RPC_URLS: `${devnet.url},${second.url}`, ENDS_ON: '2026-12-31' },
    ...{ P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl, HOURLY_START: String(at('2027-01-05T00:00:00')) },
    ...{ XDG_DATA_HOME: place, CLOCK_FILE: join(place, 'clock') },
    NODE_OPTIONS: `--import=${resolve('test/support/shifted-clock.mjs')}`,
  };
  await travelTo(LAST_EVENING + 60);
  service = run('infra/local/start.ts', [], { ...env, PORT: '0' });
  await untilPrinted(service, /History, days: .*, complete/);
  [, url = ''] = /Ready: (\S+)/.exec(service.output.out) ?? [];
  expect(await type('npm run --silent backfill -- --all')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  for (const program of [service, served]) program?.child.kill('SIGINT');
  await Promise.all([service?.code, served?.code]);
  chain?.rpc.close();
  for (const part of [second, api, devnet]) await part?.stop();
});

test('with a dead provider, the export is refused with the reasons, and writes nothing', async () => {
  isDown = true;
  await travelTo(at('2026-12-31T20:40:00'), (ledger) => ledger?.waitingSince !== undefined);
  const { code, err } = await type('npm run --silent export -- archive');
  expect([code, readdirSync(join(place, 'archive'))]).toEqual([1, []]);
  expect(
    err
      .replace(/^warning: .*\n/gm, '')
      .trim()
      .split('\n'),
  ).toEqual([
    'Not exported: the copy would be incomplete.',
    expect.stringMatching(/^- The last indexed block is \d+ of 2026-12-31T20:11:00Z: it is now 2026-12-31T20:4\S+Z\.$/),
    expect.stringMatching(/^- Too few RPC providers answer for events since 2026-12-31T20:4\S+Z\.$/),
    expect.stringMatching(/^- The events are not compared with the contracts at block \d+: too few RPC providers /),
    `- ${CYCLE}`,
    expect.stringMatching(/^Mend this first .* or add --incomplete/),
  ]);
});

test('with --incomplete, the files and the pages that the gaps are about name them', async () => {
  const { code, out } = await type(`${WITHOUT_TABLES} npm run --silent export -- part --incomplete`);
  expect([code, out]).toEqual([0, expect.stringMatching(/^Reading the service at http/)]);
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
  isDown = false;
  await travelTo(at('2026-12-31T21:00:00'));
  expect(await type('npm run --silent backfill -- --again')).toMatchObject({
    ...{ code: 0, out: expect.stringContaining('Switched to the new events.\n') },
  });
});

const ALBA = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
/** Addresses that others have put into events: with nothing, with an approval, or with one wei. */
const strangerOf = (index: number) => `0x${String(index + 1).padStart(40, 'a')}`;

test('strangers write themselves into the events', async () => {
  for (const to of [DEVNET_ADDRESSES.TokenggAVAX, DEVNET_ADDRESSES.TokenpstAVAX])
    for (const index of [0, 1, 2, 3, 4]) {
      await act(chain, ALBA, to, 'transfer(address,uint256)', [strangerOf(index), 1n]);
      await act(chain, ALBA, to, 'transferFrom(address,address,uint256)', [
        strangerOf(index + 10),
        strangerOf(index + 20),
        0n,
      ]);
      await act(chain, ALBA, to, 'approve(address,uint256)', [strangerOf(index + 30), 1n]);
    }
});

test('on the day after, only the running cycle is missing, and an export begun before does not go on', async () => {
  await travelTo(at('2027-01-01T00:05:00'));
  const { code, out, err } = await type(commandsOfTheEnd());
  expect(code).toBe(1);
  expect(out).toMatch(new RegExp(`\nAll that is due is recorded\\. ${CYCLE}\n$`));
  expect(err).toMatch(new RegExp(`^Not exported: .*\n- ${CYCLE}\nMend .*\n$`));
  const pin = readJson<DataPackage>('datapackage.json', 'part');
  const value = { pin, edition: { network: 'devnet', madeOn: '2026-12-31', missing: [] } };
  mkdirSync(join(place, 'begun'));
  writeFileSync(join(place, 'begun/unfinished.jsonl'), `${JSON.stringify({ step: 'start', files: [], value })}\n`);
  const begun = await type('npm run --silent export -- begun');
  expect(begun.err).toMatch(/^begun: holds an unfinished export of devnet up to \S+; delete it, or choose another /);
});

test('after the cycle, the commands of the end make the whole copy', async () => {
  await travelTo(at('2027-01-05T08:00:00'));
  const { code, out, err } = await type(commandsOfTheEnd());
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/\nEverything is recorded\.\nExporting devnet up to block /);
  expect(out).toMatch(/\nDone: \d+ files, \d+\.\d MB in \d+\.\d s\.\n$/);
  const files = filesIn('archive').length;
  expect(read('SHA256SUMS').trimEnd().split('\n')).toHaveLength(files - 1);
  expect(read('README.md')).toContain(`, and has ${files} files.`);
  const rows = read('README.md').match(/^\|.*$/gm);
  expect(rows?.filter((row) => !/^(\| ([^|\\]|\\.)+ ){3}\|$/.test(row))).toEqual([]);
  // Requests and services mean nothing in a copy.
  expect(rows?.filter((row) => /sort|default|coverage|service/.test(row))).toEqual([]);
  expect(readJson<DataPackage>('datapackage.json').missing).toEqual([]);
  // Strangers have no files: those with one wei are in a list.
  expect(filesIn('archive').filter((path) => /0xaaaaaaaa/.test(path))).toEqual([]);
  const listed = Array.from({ length: 40 }, (_, index) => strangerOf(index)).filter((one) =>
    read('lists/small.js').includes(one),
  );
  expect(listed).toEqual([0, 1, 2, 3, 4].map(strangerOf));
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
    // The addresses of nodes have no capitals.
    const isCell = (cell: string, { name, type }: { name: string; type: string }) =>
      CELLS[type]?.test(cell) && (!/^0x[\da-f]{40}$/i.test(cell) || /^node/.test(name) || getAddress(cell) === cell);
    const isRow = (line: string) => {
      const cells = line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);
      return cells.length === schema.fields.length && schema.fields.every((field, at) => isCell(`${cells[at]}`, field));
    };
    expect([path, lines.filter((line) => !isRow(line))]).toEqual([path, []]);
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

const TAX_FILES = { income: 'csv', koinly: 'koinly&currency=usd', rotki: 'rotki&currency=usd' };

test('served by npm start, an account and its files are what the service said last', async () => {
  const refused = run('infra/local/start.ts', ['--archive', place], env);
  expect([await refused.code, refused.output.err]).toEqual([1, expect.stringContaining('has no SHA256SUMS')]);
  served = run('infra/local/start.ts', ['--archive', join(place, 'archive')], { ...env, PORT: '0' });
  await untilPrinted(served, /Ready/);
  [, archive = ''] = /Ready: (\S+)/.exec(served.output.out) ?? [];
  const texts = (urls: string[]) => Promise.all(urls.map(async (from) => (await fetch(from)).text()));
  for (const { address } of richest()) {
    const paths = [`/accounts/${address}`, `/accounts/${address}/calendar.ics`, '/metrics', '/withdrawals'];
    const [copy, said] = await Promise.all([archive, url].map((from) => texts(paths.map((path) => from + path))));
    expect(copy).toEqual(said);
    const parts = ['source=ggAvax&interval=1mo', 'source=minipools', 'source=ggp'];
    const income = `/accounts/${address}/income`;
    for (const [file, format] of Object.entries(TAX_FILES)) {
      const [whole = '', ...others] = await texts(parts.map((part) => `${url}${income}?${part}&format=${format}`));
      const rows = others.map((text) => text.replace(/^.*\r\n/, '')).join('');
      expect(read(`tax/${address.toLowerCase()}/${file}.csv`)).toBe(whole + rows);
    }
    const inJson = await Promise.all(parts.map((part) => get<Income>(`${income}?${part}`)));
    const kept = readJson<Income>(`api${income.toLowerCase()}.json`);
    for (const list of ['entries', 'totals'] as const)
      expect(new Set<object>(kept[list])).toEqual(new Set(inJson.flatMap((part): object[] => part[list] ?? [])));
  }
});

/** Sends the target as it is: fetch would normalize it. */
async function ask(path: string, { method = 'GET', accept = '*/*' } = {}) {
  const { hostname, port } = new URL(archive);
  const sent = httpRequest({ hostname, port, path, method, headers: { accept } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const LOWER = ALBA.toLowerCase();
const HTML = 'text/html; charset=utf-8';

test.each([
  ['/?fbclid=x', 'index.html', HTML],
  ['//', 'index.html', HTML],
  ['/metrics/?utm_source=x', 'api/metrics.json', 'application/json'],
  [`/accounts/${ALBA}`, `api/accounts/${LOWER}.json`, 'application/json'],
  [`/accounts/${ALBA}/calendar.ics`, `accounts/${LOWER}/calendar.ics`, 'text/calendar; charset=utf-8'],
  [`/address/${ALBA}.html`, `address/${LOWER}.html`, HTML],
  ['http://any.host/metrics', 'api/metrics.json', 'application/json'],
  ['/dashboard/?address=0x1', 'dashboard/index.html', HTML],
  ['/data/metrics-daily.csv', 'data/metrics-daily.csv', 'text/csv; charset=utf-8'],
])('npm start serves %s from %s', async (target, file, type) => {
  expect(await ask(target)).toMatchObject({
    ...{ status: 200, body: read(file) },
    headers: { 'content-type': type, 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' },
  });
});

test.each<[status: number, targets: string[], method?: string]>([
  [404, ['/.env', '/.git/config', '/other.txt', '/../package.json', '/%2e%2e/package.json', '/CITATION.cff']],
  [404, ['/data', '/unfinished.jsonl', '/%00', `/${'a'.repeat(5_000)}`]],
  [400, ['/%E0%A4%A', '/metrics?interval=1d']],
  [405, ['/metrics'], 'POST'],
  [405, ['/nothing'], 'DELETE'],
  [204, ['/metrics'], 'OPTIONS'],
])('npm start answers %d to %j', async (status, targets, method = 'GET') => {
  const folder = join(place, 'archive');
  mkdirSync(join(folder, '.git'), { recursive: true });
  for (const foreign of ['.env', '.git/config', 'other.txt']) writeFileSync(join(folder, foreign), 'dependencies');
  rmSync(join(folder, 'CITATION.cff'));
  symlinkSync('../package.json', join(folder, 'CITATION.cff'));
  for (const target of targets) {
    const { status: answered, headers, body } = await ask(target, { method });
    const { vary, 'access-control-allow-origin': origin } = headers;
    expect([target, answered, origin, vary]).toEqual([target, status, '*', 'Accept']);
    expect(body).not.toContain('dependencies');
  }
});

test('for a missing path, browsers get the page with the search; a redirect to a folder keeps the query', async () => {
  expect(await ask('/nothing', { accept: 'text/html' })).toMatchObject({ status: 404, body: read('404.html') });
  const { status, headers } = await ask('/dashboard?address=0x1');
  expect([status, headers.location]).toEqual([301, '/dashboard/?address=0x1']);
});

/** The accounts with the most transactions to send. */
function richest(): Account[] {
  const accounts = filesIn('archive')
    .filter((path) => /\/api\/accounts\/0x[0-9a-f]{40}\.json$/.test(path))
    .map((path): Account => JSON.parse(readFileSync(path, 'utf8')));
  return accounts.sort((a, b) => (b.availableNow?.length ?? 0) - (a.availableNow?.length ?? 0)).slice(0, 3);
}

test('the transactions on the pages pay what the pages say', async () => {
  for (const { address, availableNow = [] } of richest()) {
    const page = read(`address/${address.toLowerCase()}.html`);
    const calls = page.matchAll(/<dt>Contract.*?(0x[\da-fA-F]{40})<.*?<dt>Calldata<.*?<code[^>]*>(0x[\da-f]+)/gs);
    const transactions = [...calls].map(([, to = '', data = '']) => ({ from: address, to, data }));
    // Each row names a view, which answers.
    const views = [...page.matchAll(/Ask first.*?<code[^>]*>(\w+)\((.*?)\)( of)?/g)];
    expect(views).toHaveLength(transactions.length);
    const snapshot = await chain.rpc.send('evm_snapshot');
    for (const [index, claim] of availableNow.filter(({ call }) => call).entries()) {
      const transaction = transactions[index] as (typeof transactions)[number];
      const [, name = '', values = '', isElsewhere] = views[index] as RegExpExecArray;
      const given = values.split(', ');
      const types = given.map((value) => (/^0x/.test(value) ? 'address' : 'uint256'));
      const data = new Interface([`function ${name}(${types})`]).encodeFunctionData(name, given);
      const to = isElsewhere ? DEVNET_ADDRESSES.Staking : transaction.to;
      await chain.rpc.send('eth_call', { to, data }, 'latest');

      const { title, detail, token, amount = '0', call } = claim;
      expect([transaction.data, page.replace(/<[^>]+>/g, ' ')]).toEqual([call?.data, expect.stringContaining(title)]);
      expect(page).toContain(detail);
      const before = await balanceOf(chain, address, token);
      const isAccepted = await transact(chain, transaction);
      const off = (await balanceOf(chain, address, token)) - before - parseEther(amount);
      expect([title, isAccepted, off ** 2n <= (parseEther(amount) / 1_000n) ** 2n]).toEqual([title, true, true]);
    }
    await chain.rpc.send('evm_revert', snapshot);
  }
});

test('while a day is missing, it is refused', async () => {
  // Its recorder would record the day again.
  service.child.kill('SIGINT');
  await service.code;
  const Key = { series: { S: seriesOf('devnet', '1d') }, timestamp: { N: String(at('2026-12-01T00:00:00')) } };
  await tables.client.send(new DeleteItemCommand({ TableName: 'history', Key }));
  const err = expect.stringMatching(/\n- 1 of the daily points since \S+ are not recorded\.\n/);
  expect(await type('npm run --silent export -- archive-2')).toMatchObject({ code: 1, err });
});
