import { parseArgs } from 'node:util';
import { INTERVALS, type Interval } from '../../lib/history/series.ts';
import { UsageError } from './command.ts';

/** Range of boundaries of the history. `from` and `to` are unix seconds, both included. */
export interface HistoryArguments {
  from: number;
  to: number;
  interval: Interval;
}

/** All events; all events anew; or everything. */
type Kind = 'ledger' | 'again' | 'all';

/** Parses the arguments of `npm run backfill`. Throws {@link UsageError}. */
export function readArguments(args: string[]): HistoryArguments | Kind {
  const { ledger, again, all, ...range } = parse(args);
  const kinds = Object.entries({ ledger, again, all }).flatMap(([kind, isGiven]) => (isGiven ? (kind as Kind) : []));
  const [kind] = kinds;
  if (kind && (Object.keys(range).length > 0 || kinds.length > 1))
    throw new UsageError(`--${kinds.at(-1)}: takes no other options`);
  if (kind) return kind;
  const { from, to } = range;
  if (!from)
    throw new UsageError(
      '--from is required: npm run backfill -- --from <date> [--to <date>] [--interval 1h|1d], or npm run backfill -- --ledger, --again or --all',
    );
  const interval = INTERVALS.find((one) => one === (range.interval ?? '1d'));
  if (!interval) throw new UsageError(`--interval: must be one of ${INTERVALS.join(', ')}`);
  const times = { from: parseTime('--from', from), to: to ? parseTime('--to', to) : Math.floor(Date.now() / 1_000) };
  if (times.from > times.to) throw new UsageError('--from: must not be after --to');
  return { ...times, interval };
}

function parse(args: string[]) {
  try {
    const [text, flag] = [{ type: 'string' } as const, { type: 'boolean' } as const];
    const options = { from: text, to: text, interval: text, ledger: flag, again: flag, all: flag };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Parses a date, a UTC time or Unix seconds; returns Unix seconds. */
function parseTime(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z?)?$/.test(text);
  const time = isDate ? Date.parse(text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new UsageError(`${name}: must be a date (2026-08-01), a UTC time (2026-08-01T12:00Z) or Unix seconds`);
  }
  return time / 1_000;
}
