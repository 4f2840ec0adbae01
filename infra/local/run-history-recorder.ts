/**
 * The history's recorder, on one machine. It records as much as a start may wait for; then the rest in the background, then every hour.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { createServices, type Services } from '../../lib/api/services.ts';
import { NoState } from '../../lib/chain/upstream/failures.ts';
import { recordDistributions } from '../../lib/history/distributions.ts';
import { readHistoryStart } from '../../lib/history/history-start.ts';
import { type Filled, type RunLimits, runRecorder } from '../../lib/history/record-history.ts';
import { RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { END_OF_TIME } from '../../lib/values/durations.ts';
import { createProgress } from './progress.ts';
import { reportFailures, warnOnce } from './warn-once.ts';

/** The first run: the newest hour and the days of a quarter, for at most {@link FIRST_MS}. */
const FIRST_BOUNDARIES = 115;
const FIRST_MS = 3_000;
/** Pause in the background after each group of boundaries: requests come first. */
const REST_MS = 50;

const RETRY_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Delay after the full hour, same as in the stack: the last block of the hour is indexed by then. */
const DELAY_MS = 60_000;
/** Time in ms that stopping waits for a boundary that is being recorded. */
const STOP_MS = 1_000;

/**
 * Starts the recorder. It reports failures in one line: only the history depends on it. `recorded` resolves when the
 * days have been recorded as far as they can be, or on `stop`.
 */
export async function startRecorder(
  { config, chain }: Services,
  telemetry: Telemetry,
  onStep: (line: string) => void,
): Promise<{ recorded: Promise<void>; stop(): Promise<void> }> {
  const context = createServices(config, warnOnce(telemetry), {
    limits: RECORDER_LIMITS,
    providers: chain.rpc.failover.providers,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const failed = reportFailures(context.telemetry, signal);

  const { promise: recorded, resolve: onRecorded } = Promise.withResolvers<void>();

  const run = async (what: 'days' | 'hours', limits: RunLimits) => {
    const started = performance.now();
    const progress = createProgress((line) => !signal.aborted && onStep(`History, ${what}: ${line}`));
    let done = 0;
    const onBoundary = (left: number) => progress(1, ++done + left);
    const report = await readHistoryStart(context)
      .then(({ days, hours }) =>
        runRecorder(context, days, { ...limits, onBoundary, hoursFrom: what === 'days' ? END_OF_TIME : hours }),
      )
      .catch(failed('the history'));
    if (report && !signal.aborted) onStep(`History, ${what}: ${describe(report, performance.now() - started)}`);
    return report;
  };
  /** Days first: most people look at them, and there are fewer. */
  const runAll = async () => {
    const mayGoOn = () => rest(REST_MS, signal);
    const days = await run('days', { mayGoOn });
    onRecorded();
    await recordDistributions(context, { mayGoOn: () => !signal.aborted }).catch(failed('distributions'));
    const hours = await run('hours', { mayGoOn });
    return [days, hours];
  };
  const inBackground = async () => {
    while (!signal.aborted) {
      const started = Date.now();
      const reports = await runAll();
      // A provider that did not answer may be back in a minute. One without the states will not have them then.
      const mayRecover = reports.some(
        (report) => !report || (report.failed + report.left > 0 && !lacksState(report.failure)),
      );
      await rest(mayRecover ? RETRY_MS : Math.max(0, nextRun(started) - Date.now()), signal);
    }
  };

  const started = performance.now();
  await run('days', { most: FIRST_BOUNDARIES, mayGoOn: () => performance.now() - started < FIRST_MS });
  const background = inBackground();
  return {
    recorded,
    async stop() {
      stopping.abort();
      onRecorded();
      await Promise.race([background, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Time of the next run: the first hour is due then that a run from `started` on cannot have seen. Both in unix ms. */
function nextRun(started: number): number {
  return (Math.floor((started - DELAY_MS) / HOUR_MS) + 1) * HOUR_MS + DELAY_MS;
}

function describe(report: Filled, ms: number): string {
  const { recorded, failed, left, stopped } = report;
  const done = `${recorded} points in ${(ms / 1_000).toFixed(1)} s`;
  if (stopped === 'limits') return `${done}, ${left} more to come in the background`;
  if (failed === 0) return `${done}, complete`;
  const missing = `${done}; ${failed + left} points are missing`;
  return lacksState(report.failure)
    ? `${missing}: no RPC provider has the state of their blocks; an archive node has it`
    : `${missing}: the RPC providers did not answer, next attempt in a minute`;
}

/** Returns true if every provider answered that it does not keep the state of the block. */
function lacksState(failure: Error | undefined): boolean {
  const { cause } = failure ?? {};
  return cause instanceof AggregateError && cause.errors.every((error) => error instanceof NoState);
}

/** Waits. False if `signal` aborted the wait. */
export async function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
