/**
 * `npm run bench:archive [EVENTS YEARS NODES]`: exports and imports tables of that size (infra/bench/large-tables.ts), by
 * default a million events and five years of points. Fails above a budget.
 */

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifest } from '../../lib/archive/verify-files.ts';
import { messageOf } from './processes.ts';

const BUDGETS = {
  /** Megabytes of memory of the exporting and of the importing process. */
  memory: 512,
  /** Bytes of Parquet for a byte of CSV. Most digits here are random: of those, no format keeps less than their entropy. */
  ratio: 0.3,
};

/**
 * Megabytes of V8's heap. Without a limit, garbage stays for as long as the machine has room for it, and the peak says how
 * large the machine is.
 */
const HEAP = 300;

/** What the process reports when it ends: the most memory that it ever had, kilobytes. */
const REPORT_MEMORY = `process.on('exit', () => process.send(process.resourceUsage().maxRSS))`;

const size = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'bench-archive-'));
const archive = join(folder, 'archive');
process.once('exit', () => rmSync(folder, { recursive: true }));

const exported = await measure('export', [archive, '--incomplete'], {});
const { files } = readManifest(archive);
const imported = await measure('import', [archive], { EMPTY: 'yes' });

const rows = sumOf('csv', 'rows');
const [parquet, csv] = [sumOf('parquet', 'bytes'), sumOf('csv', 'bytes')];
console.table(
  Object.entries({ export: exported, import: imported }).map(([name, { seconds, megabytes }]) => ({
    what: name,
    rows,
    seconds: seconds.toFixed(1),
    'rows/s': Math.round(rows / seconds),
    'peak MB': Math.round(megabytes),
  })),
);
const kinds = [...new Set(files.map(({ kind }) => kind))].filter((kind) => kind !== undefined);
console.table(
  [...kinds, undefined].map((kind) => {
    const bytesPerRow = (format: string) => sumOf(format, 'bytes', kind) / sumOf(format, 'rows', kind);
    return {
      kind: kind ?? 'all',
      rows: sumOf('csv', 'rows', kind),
      'Parquet B/row': bytesPerRow('parquet').toFixed(1),
      'CSV B/row': bytesPerRow('csv').toFixed(1),
      ratio: (bytesPerRow('parquet') / bytesPerRow('csv')).toFixed(3),
    };
  }),
);
const isOver = Math.max(exported.megabytes, imported.megabytes) > BUDGETS.memory || parquet / csv > BUDGETS.ratio;
if (isOver)
  console.error(`Over budget: at most ${BUDGETS.memory} MB, and ${BUDGETS.ratio} bytes of Parquet for one of CSV`);
process.exitCode = isOver ? 1 : 0;

function sumOf(format: string, field: 'rows' | 'bytes', kind?: string): number {
  const wanted = files.filter((file) => file.name.endsWith(`.${format}`) && (kind === undefined || file.kind === kind));
  return wanted.reduce((sum, file) => sum + (file[field] ?? 0), 0);
}

/** Runs a command on tables of their own, and returns its time and its peak memory. */
async function measure(command: 'export' | 'import', args: string[], env: Record<string, string>) {
  const tables = fork(join(import.meta.dirname, 'large-tables.ts'), size, { env: { ...process.env, ...env } });
  try {
    return await run(command, args, await messageOf<string>(tables));
  } finally {
    tables.kill();
  }
}

async function run(command: string, args: string[], url: string) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, `../tools/archive/${command}.ts`), ...args], {
    env: {
      ...process.env,
      NETWORK: 'avalanche',
      // Without the last state, which the chain decides.
      RPC_URLS: 'http://127.0.0.1:1',
      HISTORY_TABLE: 'history',
      LEDGER_TABLE: 'ledger',
      AWS_ENDPOINT_URL_DYNAMODB: url,
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      NODE_OPTIONS: `--max-old-space-size=${HEAP} --import=data:text/javascript,${encodeURIComponent(REPORT_MEMORY)}`,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // It may arrive after the process has ended.
  const reported = once(child, 'message');
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the ${command} failed`);
  const seconds = (performance.now() - started) / 1_000;
  const [kilobytes] = (await reported) as [number];
  return { seconds, megabytes: kilobytes / 1_024 };
}
