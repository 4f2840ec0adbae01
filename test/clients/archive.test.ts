import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parseEther } from 'ethers';

/**
 * Others can read an archive: Python's own CSV reader, pandas and DuckDB get the API's figures from its files alone. The
 * last two are in test/clients/requirements.txt; where they are not installed, their tests say so.
 */

jest.setTimeout(300_000);

const execute = promisify(execFile);
// biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
type Body = any;

let folder: string;
let service: ChildProcess;
let url: string;
let manifest: Body;
let holder: string;
const get = async (path: string): Promise<Body> => (await fetch(url + path)).json();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readers-'));
  service = spawn(process.execPath, ['infra/local/start.ts'], { env: { ...process.env, PORT: '0' } });
  let output = '';
  service.stdout?.on('data', (chunk) => (output += chunk));
  while (!/Archive: \d+ files/.test(output)) {
    if (service.exitCode !== null) throw new Error(`npm start ended: ${output}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  url = /Ready: (\S+)/.exec(output)?.[1] as string;
  const { archives } = await get('/archive');
  manifest = await get(archives[0].manifest);
  for (const { name } of manifest.files) {
    const file = await fetch(new URL(name, url + archives[0].manifest));
    await writeFile(join(folder, name), new Uint8Array(await file.arrayBuffer()));
  }
  holder = await plainHolder();
});
afterAll(async () => {
  service.kill('SIGINT');
  await rm(folder, { recursive: true, force: true });
});

/** Somebody whose ggAVAX has moved, and has never been in the queue, which would take more lines to recompute. */
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

/** Why a reader cannot be tested here; empty if it can. */
function missing(reader: string): string {
  const modules = { csv: 'csv', pandas: 'pandas, pyarrow', duckdb: 'duckdb' }[reader];
  try {
    execFileSync('python3', ['-c', `import ${modules}`], { stdio: 'ignore' });
    return '';
  } catch {
    return `python3 has no ${modules}: pip install -r test/clients/requirements.txt`;
  }
}

describeReaders(['csv', 'pandas', 'duckdb']);

function describeReaders(readers: readonly string[]): void {
  for (const reader of readers) {
    const reason = missing(reader);
    const name = `${reader} gets the supply at a block, a holder's rewards and a yield from the files alone`;
    if (reason) test.skip(`${name} (${reason})`, () => {});
    else test(name, () => recompute(reader));
  }
}

async function recompute(reader: string): Promise<void> {
  const { stdout } = await execute('python3', ['test/clients/archive.py', reader, folder, holder.toLowerCase()]);
  const figures = JSON.parse(stdout);
  const { rows } = manifest.files.find(({ name }: Body) => /^events-\d+\.csv$/.test(name));
  expect(figures.events).toBe(rows);

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
