import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chainOf } from '../../lib/chain/chain.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { historyOf } from '../../lib/history/history-store.ts';
import { type Filled, fill, newestBoundary, readMissingBoundaries } from '../../lib/history/record-history.ts';
import { countBoundaries, INTERVALS, type Interval } from '../../lib/history/series.ts';
import { sumUpHolders } from '../../lib/history/sum-holders.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder, type Step } from '../../lib/ledger/record-ledger.ts';
import { ConfigError, readConfig } from '../../lib/runtime/config.ts';
import { createContext, RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { startProgress } from './progress.ts';
import { reasonOf } from './reason.ts';

/**
 * `npm run backfill -- --from 2026-08-01 [--to 2026-09-01] [--interval 1h|1d]`: records history for the boundaries in
 * that range that have no point yet, newest first. `npm run backfill -- --ledger`: records all events since the
 * protocol's first block. Uses the same environment variables as the functions: NETWORK, RPC_URLS, HISTORY_TABLE or
 * LEDGER_TABLE, AWS_*. Can be interrupted and run again at any time.
 */

const PARALLEL = 3;
/** Exit code, by convention 128 + SIGINT. */
const INTERRUPTED = 130;
/** Failures of the ledger's endpoints or table are retried after 1, 2, 4, 8 and 16 seconds. */
const MAX_FAILURES_IN_A_ROW = 6;

/** Something the user can fix: reported in one line, without a stack. */
class UsageError extends Error {}

interface HistoryArguments {
  from: number;
  to: number;
  interval: Interval;
}

try {
  const given = readArguments(process.argv.slice(2));
  process.exitCode = await (given === 'ledger' ? backfillLedger() : backfillHistory(given));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof ConfigError || error instanceof ApiError)) throw error;
  console.error(reasonOf(error));
  process.exitCode = 1;
} finally {
  closeConnections();
}

/** Records the missing points. Returns the exit code: 0 if none is missing any more. */
async function backfillHistory({ from, to, interval }: HistoryArguments): Promise<number> {
  let reason = '';
  const telemetry = {
    ...terminalTelemetry,
    warn: (_: string, { error }: Record<string, unknown>) => {
      if (error instanceof Error) reason = ` (${reasonOf(error)})`;
    },
  };
  // The configuration requires these names, but nothing reads the tables.
  const config = readConfig({ CACHE_TABLE: 'none', LEDGER_TABLE: 'none', ...process.env });
  const context = createContext(config, telemetry, RECORDER_LIMITS);
  const recording = { chain: chainOf(context), telemetry, store: historyOf(context) };

  const head = await recording.chain.head();
  const last = Math.min(to, newestBoundary(head));
  const missing = await readMissingBoundaries(recording.store, interval, from, last);
  const total = countBoundaries(interval, from, last);
  console.log(`${config.network.name}, ${interval}: ${total} points, ${total - missing.length} already recorded`);

  const interrupted = onInterrupt();
  const progress = startProgress(missing.length);
  const started = performance.now();
  const filled = await fill(recording, head, missing, {
    parallel: PARALLEL,
    mayGoOn: () => !interrupted(),
    onBoundary: () => progress.step(),
  });
  progress.end();
  console.log(summaryOf(filled, (performance.now() - started) / 1_000, reason));
  if (filled.stopped === 'limits') return INTERRUPTED;
  return filled.failed > 0 ? 1 : 0;
}

/** Records the missing events. Returns the exit code: 0 if the ledger reaches back to the protocol's first block. */
async function backfillLedger(): Promise<number> {
  const config = readConfig({ CACHE_TABLE: 'none', HISTORY_TABLE: 'none', ...process.env });
  const context = createContext(config, { ...terminalTelemetry, warn: () => {} }, RECORDER_LIMITS);
  const recorder = new LedgerRecorder(chainOf(context), ledgerOf(context));
  const total = await recorder.countLeft();
  console.log(`${config.network.name}, ledger: ${total} blocks to search`);

  const interrupted = onInterrupt();
  const progress = startProgress(total);
  const started = performance.now();
  const done = { events: 0, failuresInARow: 0, error: undefined as Error | undefined };
  const limits = {
    mayGoOn: () => !interrupted(),
    onStep: ({ from, to, added }: Step) => {
      done.events += added;
      done.failuresInARow = 0;
      progress.step(to - from + 1, `${done.events} events`);
    },
  };
  do {
    try {
      await recorder.run(limits);
      await sumUpHolders({ chain: chainOf(context), ledger: ledgerOf(context), mayGoOn: limits.mayGoOn });
      done.error = undefined;
    } catch (error) {
      done.error = error as Error;
      done.failuresInARow += 1;
      if (done.failuresInARow < MAX_FAILURES_IN_A_ROW) await sleep(500 * 2 ** done.failuresInARow);
    }
  } while (done.error && done.failuresInARow < MAX_FAILURES_IN_A_ROW && !interrupted());
  progress.end();

  const counts = `${done.events} events in ${((performance.now() - started) / 1_000).toFixed(1)} s`;
  if (interrupted()) console.log(`Interrupted: ${counts}. Run it again to continue.`);
  else if (done.error)
    console.log(`Gave up after repeated failures: ${counts} (${reasonOf(done.error)}). Run it again to continue.`);
  else console.log(`Done: ${counts}.`);
  if (interrupted()) return INTERRUPTED;
  return done.error ? 1 : 0;
}

function summaryOf({ recorded, existing, failed, left, stopped }: Filled, seconds: number, reason: string): string {
  const counts = `${recorded} recorded in ${seconds.toFixed(1)} s${existing > 0 ? `, ${existing} by another process` : ''}`;
  if (stopped === 'limits') return `Interrupted: ${counts}, ${left} left. Run it again to continue.`;
  if (stopped === 'unborn') return `Done: ${counts}. The other ${left + 1} are older than the chain.`;
  if (stopped === 'failures')
    return `Gave up after repeated failures: ${counts}, ${failed + left} still missing${reason}.`;
  return failed > 0 ? `Done: ${counts}, ${failed} failed${reason}. Run it again to retry them.` : `Done: ${counts}.`;
}

/** The first Ctrl-C lets the work in progress finish; the second exits at once. */
function onInterrupt(): () => boolean {
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interrupted) process.exit(INTERRUPTED);
      interrupted = true;
    });
  }
  return () => interrupted;
}

function readArguments(args: string[]): HistoryArguments | 'ledger' {
  const { ledger, ...range } = parse(args);
  if (ledger && Object.keys(range).length > 0) throw new UsageError('--ledger: takes no other options');
  if (ledger) return 'ledger';
  const { from, to, interval = '1d' } = range;
  if (!from)
    throw new UsageError(
      '--from is required: npm run backfill -- --from <date> [--to <date>] [--interval 1h|1d], or npm run backfill -- --ledger',
    );
  if (!isInterval(interval)) throw new UsageError(`--interval: must be one of ${INTERVALS.join(', ')}`);
  const times = { from: timeOf('--from', from), to: to ? timeOf('--to', to) : Math.floor(Date.now() / 1_000) };
  if (times.from > times.to) throw new UsageError('--from: must not be after --to');
  return { ...times, interval };
}

function parse(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const options = { from: text, to: text, interval: text, ledger: { type: 'boolean' } } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function isInterval(text: string): text is Interval {
  return (INTERVALS as readonly string[]).includes(text);
}

/** Parses a date, a UTC time or Unix seconds; returns Unix seconds. */
function timeOf(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z?)?$/.test(text);
  const time = isDate ? Date.parse(text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new UsageError(`${name}: must be a date (2026-08-01), a UTC time (2026-08-01T12:00Z) or Unix seconds`);
  }
  return time / 1_000;
}
