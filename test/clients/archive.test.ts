import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startService } from './service.ts';

/**
 * Other tools can read an archive: Python's own CSV reader, pandas and DuckDB get the API's figures from its files
 * alone. Pandas, DuckDB and Frictionless are in test/clients/requirements.txt.
 */

jest.setTimeout(300_000);

const execute = promisify(execFile);
// biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
type Body = any;

let folder: string;
let service: Awaited<ReturnType<typeof startService>>;
let url: string;
let manifest: Body;
let holder: string;
/** Unix seconds, one day ago. An archive requires the whole hourly history, and one day suffices instead of 90. */
const HOURLY_START = `${Math.floor(Date.now() / 1_000) - 86_400}`;

const get = async (path: string): Promise<Body> => (await fetch(url + path)).json();

beforeAll(async () => {
  folder = temporaryFolder('readers');
  service = await startService(/Archive: \d+ files/, { HOURLY_START });
  url = service.url;
  const { archives } = await get('/archive');
  manifest = await get(archives[0].manifest);
  for (const { name } of manifest.files) {
    const file = await fetch(new URL(name, url + archives[0].manifest));
    await writeFile(join(folder, name), new Uint8Array(await file.arrayBuffer()));
  }
  holder = await plainHolder();
});
afterAll(() => service.stop());

/**
 * Returns a holder whose ggAVAX has moved but was never in the queue, because the queue takes more code to recompute.
 */
async function plainHolder(): Promise<string> {
  const { activity } = await get('/activity?type=ggAvaxDeposited,ggAvaxTransferred&limit=1000');
  const holders = new Set<string>(activity.flatMap(({ owner, to }: Body) => owner ?? to));
  for (const address of holders) {
    const own = (await get(`/ggAvax/${address}/activity?limit=1000`)).activity;
    const isPlain = own.every(({ type }: Body) => /^ggAvax/.test(type));
    if (isPlain && own.length > 1) return address;
  }
  throw new Error('nobody');
}

test.each(['csv', 'pandas', 'duckdb'])(
  "%s gets the supply at a block, a holder's rewards and a yield from the files alone",
  recompute,
);

test('Frictionless finds every CSV file as datapackage.json describes it', () => {
  const report = execFileSync('frictionless', ['validate', '--json', join(folder, 'datapackage.json')], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 ** 2,
  });
  const { valid, tasks } = JSON.parse(report) as Body;
  const files = manifest.files.filter((file: Body) => file.kind && file.name.endsWith('.csv'));
  expect(valid).toBe(true);
  expect(tasks.map(({ place, stats }: Body) => [place, stats.rows])).toEqual(
    files.map(({ name, rows }: Body) => [name, rows]),
  );
});

test('the SQL in the guide reads a file where it is, in parts', async () => {
  const guide = await readFile('infra/site/pages/guide/guide.md', 'utf8');
  const [, code = ''] = /^```sql sql\n([\s\S]*?)\n```$/m.exec(guide) ?? [];
  const deposits = `/activity?type=ggAvaxDeposited&limit=1000&to=${manifest.block.timestamp}`;
  // Of the year of the newest deposit, which at New Year is the one before.
  const newest = new Date((await get(deposits)).activity[0].timestamp * 1_000).getUTCFullYear();
  const here = code
    .replace('http://localhost:3000', url)
    .replace(/\/archive\/[\d-]+\/events-\d+\.parquet/, `/archive/${manifest.day}/events-${newest}.parquet`);
  expect(here).toContain(url);
  const [[year, count, avax]] = JSON.parse(
    execFileSync('python3', ['test/clients/archive-sql.py'], { input: here, encoding: 'utf8' }),
  );
  const { activity } = await get(`${deposits}&from=${Date.UTC(year, 0) / 1_000}`);
  expect([year, count]).toEqual([newest, activity.length]);
  const sum = activity.reduce((total: bigint, { assets }: Body) => total + parseEther(assets), 0n);
  expect(parseEther(avax)).toBe(sum);
});

test.each([['events'], ['yield-daily'], ['settings']])(
  'a spreadsheet opens %s.csv: its rules are those of LibreOffice',
  async (kind) => {
    const { name, rows } = manifest.files.find((file: Body) => file.kind === kind && file.name.endsWith('.csv'));
    const text = await readFile(join(folder, name), 'utf8');
    // Quotes are doubled, each row has as many cells as the header, and times are what a spreadsheet takes for dates.
    const cells = cellsOf(text);
    expect(cells).toHaveLength(rows + 1);
    const [header = [], ...body] = cells;
    for (const row of body) expect(row).toHaveLength(header.length);
    const times = header.flatMap((column, place) => (header.includes(`${column}_unix`) ? place : []));
    for (const row of body) {
      for (const place of times) {
        const [cell, unix] = [row[place] as string, row[header.indexOf(`${header[place]}_unix`)]];
        if (cell !== '') expect([cell, Date.parse(cell) / 1_000]).toEqual([expect.stringMatching(ISO), Number(unix)]);
      }
    }
  },
);

/** The time format that LibreOffice, Excel and Google Sheets recognise. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** CSV as in RFC 4180, cell by cell. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') lines.push([]);
  }
  return lines.slice(0, -1);
}

async function recompute(reader: string): Promise<void> {
  const { stdout } = await execute('python3', ['test/clients/archive.py', reader, folder, holder.toLowerCase()]);
  const figures = JSON.parse(stdout);
  const events = manifest.files.filter(({ name }: Body) => /^events-\d+\.csv$/.test(name));
  expect(figures.events).toBe(events.reduce((sum: number, { rows }: Body) => sum + rows, 0));

  const at = `interval=1d&from=${figures.day}&to=${figures.day}`;
  const [pool] = (await get(`/ggAvax/history?${at}`)).points;
  expect(figures.supply).toBe(String(parseEther(pool.totalSupply)));

  const { days } = await get(`/ggAvax/${holder}/rewards?to=${figures.day - 1}&limit=1000`);
  const rewards = days.reduce((sum: bigint, { rewardAVAX }: Body) => sum + parseEther(rewardAVAX), 0n);
  expect(rewards).toBeGreaterThan(0n);
  expect(figures.rewards).toBe(String(rewards));

  const [apy] = (await get(`/metrics/apy/history?${at}`)).points;
  expect(figures.apy_7d).toBeCloseTo(apy.apy_7d, 9);
}
