/**
 * `npm run backfill -- --from 2026-08-01 [--to 2026-09-01] [--interval 1h|1d]`: records history for the boundaries in
 * that range that have no point yet, newest first. `npm run backfill -- --ledger`: records all events since the
 * protocol's first block; `--again` does so anew, beside the events that answer, and then takes their place.
 * `npm run backfill -- --all`: all of this, from the protocol's first day, and what each rewards
 * cycle paid to whom. Uses the same environment variables as the functions: NETWORK, RPC_URLS, HISTORY_TABLE or
 * LEDGER_TABLE, AWS_*. Can be interrupted and run again at any time.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../lib/api/services.ts';
import { toCycleGap, toGap, toRefusalGap } from '../../lib/archive/edition.ts';
import { readUnrecordedCycles } from '../../lib/history/distributions.ts';
import { readHistoryStart } from '../../lib/history/history-start.ts';
import { updateHolderList } from '../../lib/history/holder-list.ts';
import { recordDistributions } from '../../lib/history/record-distributions.ts';
import { type Filled, fill, newestBoundary, readMissingBoundaries } from '../../lib/history/record-history.ts';
import { countBoundaries } from '../../lib/history/series.ts';
import { checkLedger } from '../../lib/ledger/check-ledger.ts';
import { LedgerStore } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder, type LedgerRunReport, type Step } from '../../lib/ledger/record-ledger.ts';
import { createProgress } from '../local/progress.ts';
import { reasonOf, terminalTelemetry } from '../local/terminal.ts';
import { type HistoryArguments, readArguments } from './backfill-arguments.ts';
import { contextOfTables, INTERRUPTED, runCommand } from './command.ts';

/** Signals that are no further apart are one Ctrl-C. */
const TWICE_MS = 500;
/** Failures of the ledger's endpoints or table are retried after 1, 2, 4, 8 and 16 seconds. */
const MAX_FAILURES_IN_A_ROW = 6;

const isInterrupted = onInterrupt();

await runCommand(async () => {
  const given = readArguments(process.argv.slice(2));
  if (given === 'all') process.exitCode = await backfillAll();
  else if (given === 'again') process.exitCode = await backfillAgain();
  else process.exitCode = await (given === 'ledger' ? backfillLedger() : backfillHistory(given));
});

/**
 * Records everything, one kind after another: the ledger first, because the others ask it when the protocol began and
 * what happened. Returns the exit code: 0 if nothing is missing any more.
 */
async function backfillAll(): Promise<number> {
  const context = contextOfTables();
  const to = Math.floor(Date.now() / 1_000);
  const kinds: [name: string, run: () => Promise<number>][] = [
    ['events', backfillLedger],
    ['days', async () => backfillHistory({ from: (await readHistoryStart(context)).days, to, interval: '1d' })],
    ['hours', async () => backfillHistory({ from: (await readHistoryStart(context)).hours, to, interval: '1h' })],
    ['distributions', () => backfillDistributions(context)],
  ];
  const incomplete: string[] = [];
  for (const [name, run] of kinds) {
    const code = await run();
    if (code === INTERRUPTED) return INTERRUPTED;
    if (code > 0) incomplete.push(name);
  }
  if (incomplete.length > 0) {
    console.log(`Incomplete: ${incomplete.join(', ')}. The reasons are above.`);
    return 1;
  }
  const { coverage } = await context.ledger.progress.latest();
  const cycles = await readUnrecordedCycles(context);
  const running = cycles.map((startTime) => toCycleGap(startTime, coverage.toTimestamp).text);
  console.log(running.length > 0 ? `All that is due is recorded. ${running.join(' ')}` : 'Everything is recorded.');
  return 0;
}

/** Records what the rewards cycles that are over paid to whom. Returns the exit code: 0 if all of them are recorded. */
async function backfillDistributions(context: Services): Promise<number> {
  const { coverage } = await context.ledger.ofType('rewardsCycleStarted');
  const { left: total } = await recordDistributions(context, { mayGoOn: () => false });
  console.log(`${context.config.network.name}, distributions: ${total} cycles to record`);
  if (!coverage.complete) {
    console.log('Cycles can be recorded only after all events.');
    return 1;
  }
  const progress = createProgress(console.log);
  const run = { mayGoOn: () => !isInterrupted(), onCycle: () => progress(1, total) };
  const done = await recordDistributions(context, run).catch(reasonOf);
  if (typeof done === 'string') console.log(`Gave up: ${done}. Run it again to continue.`);
  else console.log(`${isInterrupted() ? 'Interrupted' : 'Done'}: ${done.recorded} recorded.`);
  const { refused } = await context.ledger.progress.doubts(coverage.generation);
  for (const refusal of refused) console.log(toRefusalGap(refusal).text);
  if (isInterrupted()) return INTERRUPTED;
  return typeof done === 'object' && done.left === 0 ? 0 : 1;
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
  const context = contextOfTables({ LEDGER_TABLE: 'none' }, telemetry);
  const head = await context.chain.head();
  const last = Math.min(to, newestBoundary(head));
  const missing = await readMissingBoundaries(context.history, interval, from, last);
  const total = countBoundaries(interval, from, last);
  const recorded = total - missing.length;
  console.log(`${context.config.network.name}, ${interval}: ${total} points, ${recorded} already recorded`);

  const progress = createProgress(console.log);
  const started = performance.now();
  const limits = { mayGoOn: () => !isInterrupted(), onBoundary: () => progress(1, missing.length) };
  const filled = await fill(context, head, missing, limits);
  console.log(summarize(filled, (performance.now() - started) / 1_000, reason));
  if (filled.stopped === 'limits') return INTERRUPTED;
  return filled.failed > 0 ? 1 : 0;
}

/** Records the missing events. Returns the exit code: 0 if all are recorded, and none contradicts the contracts. */
async function backfillLedger(): Promise<number> {
  const context = contextOfTables({ HISTORY_TABLE: 'none' }, { ...terminalTelemetry, warn: () => {} });
  const recorder = recorderOf(context, context.ledger);
  return (await fillLedger(context, context.ledger, recorder)) || compareLedger(context, recorder);
}

function recorderOf({ chain, config }: Services, ledger: LedgerStore) {
  return new LedgerRecorder(chain, ledger, config.ledgerSources);
}

/**
 * Records all events, holders and distributions anew, in a generation beside the one that answers, which it replaces in the end.
 * Returns the exit code: 0 if it has done so, and nothing contradicts the contracts.
 */
async function backfillAgain(): Promise<number> {
  const context = contextOfTables({}, { ...terminalTelemetry, warn: () => {} });
  const { generation } = await context.ledger.progress.read();
  const [next, recorder] = await openNext(context, generation + 1);
  const { progress } = context.ledger;
  const code = await fillLedger(context, next, recorder);
  const paid = code === 0 ? await backfillDistributions({ ...context, ledger: next }) : 0;
  for (let mayGoOn = code === 0; code !== INTERRUPTED && paid !== INTERRUPTED; ) {
    // Another process may have filled it, too, and switched.
    if ((await progress.takeOver(await next.progress.read())) || (await progress.read()).generation > generation) {
      console.log('Switched to the new events.');
      return (await compareLedger(context, recorderOf(context, context.ledger))) || paid;
    }
    if (!mayGoOn) break;
    // A recorder has indexed more meanwhile.
    const { disputed, waiting } = await recorder.run({ mayGoOn: () => true });
    mayGoOn = !disputed && !waiting;
  }
  console.log('Not switched: the old events go on answering. Run it again to continue.');
  return code || 1;
}

/** The generation to fill. One that has been begun goes on, unless more providers than it rests on keep old states now. */
async function openNext(context: Services, generation: number): Promise<[LedgerStore, LedgerRecorder]> {
  const next = new LedgerStore(context.ledger.table, generation);
  const recorder = recorderOf(context, next);
  const { coverage } = await next.progress.read();
  if (!coverage || coverage.complete || coverage.sources >= (await recorder.countArchives())) return [next, recorder];
  console.log('What was indexed anew rests on one provider, but two keep old states now: it begins from the start.');
  return openNext(context, generation + 1);
}

/** Fills a generation of the ledger, lists its holders, and returns the exit code. */
async function fillLedger(context: Services, ledger: LedgerStore, recorder: LedgerRecorder): Promise<number> {
  const total = await recorder.countLeft();
  console.log(`${context.config.network.name}, ledger: ${total} blocks to index`);

  const progress = createProgress(console.log);
  const started = performance.now();
  let [events, failures] = [0, 0];
  let report: LedgerRunReport | undefined;
  let error: unknown;
  const limits = {
    mayGoOn: () => !isInterrupted(),
    onStep: ({ from, to, added }: Step) => {
      events += added;
      failures = 0;
      progress(to - from + 1, total, `${events} events`);
    },
  };
  for (; !isInterrupted(); await sleep(500 * 2 ** failures)) {
    [report, error] = await recorder.run(limits).then(
      (done) => [done, done.waiting],
      (cause: unknown) => [undefined, cause],
    );
    if (!error || ++failures === MAX_FAILURES_IN_A_ROW) break;
  }

  const counts = `${events} events in ${((performance.now() - started) / 1_000).toFixed(1)} s`;
  if (isInterrupted()) {
    console.log(`Interrupted: ${counts}. Run it again to continue.`);
    return INTERRUPTED;
  }
  if (error) {
    console.log(`Gave up after repeated failures: ${counts} (${reasonOf(error as Error)}). Run it again to continue.`);
    return 1;
  }
  console.log(`Done: ${counts}.`);
  await updateHolderList(ledger);
  if (!report?.disputed) return 0;
  const { fromBlock, toBlock, reason, providers } = report.disputed;
  const remedy = providers.length > 0 ? 'Add a third RPC URL.' : 'It needs a release that decodes the event.';
  console.log(`Stopped at blocks ${fromBlock} to ${toBlock}: ${reason}. ${remedy}`);
  return 1;
}

/** Compares the ledger that answers with the contracts. Returns the exit code: 1 if a figure differs. */
async function compareLedger(context: Services, recorder: LedgerRecorder): Promise<number> {
  const checked = await checkLedger({ ...context, recorder }).catch(reasonOf);
  if (typeof checked !== 'object') {
    console.log(`Not compared with the contracts: ${checked ?? 'the ledger is incomplete'}`);
    return 0;
  }
  for (const mismatch of checked) console.log(toGap(mismatch).text);
  return checked.some(({ chain }) => chain !== undefined) ? 1 : 0;
}

function summarize({ recorded, existing, failed, left, stopped }: Filled, seconds: number, reason: string): string {
  const counts = `${recorded} recorded in ${seconds.toFixed(1)} s${existing > 0 ? `, ${existing} by another process` : ''}`;
  if (stopped === 'limits') return `Interrupted: ${counts}, ${left} left. Run it again to continue.`;
  if (stopped === 'unborn') return `Done: ${counts}. The other ${left + 1} are older than the chain.`;
  if (stopped === 'failures')
    return `Gave up after repeated failures: ${counts}, ${failed + left} still missing${reason}.`;
  return failed > 0 ? `Done: ${counts}, ${failed} failed${reason}. Run it again to retry them.` : `Done: ${counts}.`;
}

/**
 * The first Ctrl-C lets the work in progress finish; the second exits at once. A Ctrl-C may arrive twice: from the terminal
 * and from npm.
 */
function onInterrupt(): () => boolean {
  let interrupted: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      interrupted ??= performance.now();
      if (performance.now() - interrupted > TWICE_MS) process.exit(INTERRUPTED);
    });
  }
  return () => interrupted !== undefined;
}
