/** The recorders of the ledger and of the history, on one machine. They report failures in one line and retry. */

import { setTimeout as sleep } from 'node:timers/promises';
import { createServices, type Services } from '../../lib/api/services.ts';
import { readHistoryStart } from '../../lib/history/history-start.ts';
import { updateHolderList } from '../../lib/history/holder-list.ts';
import { recordDistributions } from '../../lib/history/record-distributions.ts';
import { type Filled, type RunLimits, runRecorder } from '../../lib/history/record-history.ts';
import { checkIfDue } from '../../lib/ledger/check-ledger.ts';
import { LedgerRecorder, type LedgerRunLimits, type Step } from '../../lib/ledger/record-ledger.ts';
import { lacksState, TooFewSources } from '../../lib/ledger/sources.ts';
import { RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import { levelOf } from '../../lib/runtime/errors.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { END_OF_TIME } from '../../lib/values/durations.ts';
import { createProgress } from './progress.ts';
import { reasonOf } from './terminal.ts';

/** Time in ms that a start may wait for each of the two. On the devnet, it waits for the whole ledger. */
const FIRST_MS = 3_000;
/** Pause in ms before each step in the background: requests come first. */
const PAUSE_MS = 50;
/** Interval in ms of runs of the history. */
const POINTS_MS = 60_000;
const HOUR_MS = 3_600_000;

type Recording = ReturnType<typeof createRecording>;

function createRecording({ config, chain, telemetry }: Services, signal: AbortSignal, onStep: (line: string) => void) {
  const { providers } = chain.rpc.failover;
  const context = createServices(config, warnOnce(telemetry), { limits: RECORDER_LIMITS, providers });
  return {
    context,
    recorder: new LedgerRecorder(context.chain, context.ledger, context.config.ledgerSources),
    signal,
    print: (line: string) => signal.aborted || onStep(line),
    /** Waits. False if the recorders were stopped. */
    pause: (ms: number) => sleep(ms, true, { signal }).catch(() => false),
    failed: reportFailures(context.telemetry, signal),
  };
}

/** Starts both. `recorded` resolves when the days have been recorded as far as they can be, or on `stop`. */
export async function startRecorders(services: Services, onStep: (line: string) => void) {
  const stopping = new AbortController();
  const recording = createRecording(services, stopping.signal, onStep);
  const { promise: recorded, resolve: onRecorded } = Promise.withResolvers<void>();
  await indexFirst(recording);
  const started = performance.now();
  await recordPoints(recording, 'days', { mayGoOn: () => performance.now() - started < FIRST_MS });
  const background = Promise.all([followBlocks(recording), followTime(recording, onRecorded)]);
  return {
    recorded,
    async stop() {
      stopping.abort();
      onRecorded();
      // A step that takes longer ends with the process.
      await Promise.race([background, sleep(1_000, undefined, { ref: false })]);
    },
  };
}

async function index({ context, recorder }: Recording, limits: LedgerRunLimits): Promise<void> {
  const { waiting, disputed } = await recorder.run(limits);
  if (waiting) throw waiting;
  if (disputed) context.telemetry.warn('blocks are disputed', { ...disputed });
  await updateHolderList(context.ledger, limits.mayGoOn);
  await checkIfDue({ ...context, recorder });
}

async function indexFirst(recording: Recording): Promise<void> {
  const { config, ledger } = recording.context;
  const started = performance.now();
  const mayGoOn = () => config.network.name === 'devnet' || performance.now() - started < FIRST_MS;
  const failure = await index(recording, { mayGoOn }).catch((error: Error) => ` (${reasonOf(error)})`);
  const { coverage } = await ledger.progress.read().catch(() => ({ coverage: undefined }));
  const blocks = coverage ? `blocks ${coverage.fromBlock} to ${coverage.toBlock} are recorded` : 'nothing is recorded';
  const rest = coverage?.complete ? 'complete' : 'the rest follows in the background';
  recording.print(`Ledger: ${blocks}, ${rest}${failure ?? ''}`);
}

async function followBlocks(recording: Recording): Promise<void> {
  const { context, recorder, print, pause, failed } = recording;
  const total = await recorder.countLeft().catch(() => 0);
  const progress = createProgress((line) => print(`Ledger, blocks: ${line}`));
  const onStep = ({ from, to }: Step) => progress(to - from + 1, total);
  const limits = { mayGoOn: () => pause(PAUSE_MS), onStep };
  // On other networks, requests for new blocks reach somebody else's provider.
  const intervalMs = context.config.network.name === 'devnet' ? 500 : 10_000;
  let indexedTo = -1;
  const follow = async () => {
    // Without a head, the recorder says so in its state.
    const head = await context.chain.head().catch(() => undefined);
    if (head?.number !== indexedTo) await index(recording, limits);
    indexedTo = head?.number ?? -1;
  };
  do await follow().catch(failed('new events'));
  while (await pause(intervalMs));
}

async function recordPoints(recording: Recording, what: 'days' | 'hours', limits: RunLimits) {
  const { context, print, failed } = recording;
  const progress = createProgress((line) => print(`History, ${what}: ${line}`));
  let done = 0;
  const report = await readHistoryStart(context)
    .then(({ days, hours }) =>
      runRecorder(context, days, {
        ...limits,
        hoursFrom: what === 'days' ? END_OF_TIME : hours,
        onBoundary: (left) => progress(1, ++done + left),
      }),
    )
    .catch(failed('the history'));
  if (report && done > 0) print(`History, ${what}: ${describe(report)}`);
  return report;
}

/** Days first: most people look at them, and there are fewer. */
async function followTime(recording: Recording, onDays: () => void): Promise<void> {
  const { context, signal, pause, failed } = recording;
  const mayGoOn = () => pause(PAUSE_MS);
  let isLost: boolean;
  do {
    const days = await recordPoints(recording, 'days', { mayGoOn });
    onDays();
    await recordDistributions(context, { mayGoOn: () => !signal.aborted }).catch(failed('distributions'));
    const hours = await recordPoints(recording, 'hours', { mayGoOn });
    isLost = [days, hours].some((report) => report?.failure && lacksState(report.failure));
    // A provider without the states will not have them in a minute: the next ones are those of the next hour.
  } while (await pause(isLost ? HOUR_MS - (Date.now() % HOUR_MS) + POINTS_MS : POINTS_MS));
}

function describe({ recorded, failed, left, stopped, failure }: Filled): string {
  if (stopped === 'limits') return `${recorded} points, ${left} more to come in the background`;
  if (failed === 0) return `${recorded} points, complete`;
  const reason =
    failure && lacksState(failure)
      ? 'no RPC provider has the state of their blocks; an archive node has it'
      : 'the RPC providers did not answer, next attempt in a minute';
  return `${recorded} points; ${failed + left} points are missing: ${reason}`;
}

/** Logs each kind of warning and each reason once: a provider without old states fails for every point, and a run's line counts them. */
export function warnOnce(telemetry: Telemetry): Telemetry {
  const seen = new Set<string>();
  const warn: Telemetry['warn'] = (message, fields) => {
    const { error, reason } = fields;
    const kind = `${message} ${error instanceof TooFewSources ? error.waiting.reason : reason}`;
    if (!seen.has(kind)) telemetry.warn(message, fields);
    seen.add(kind);
  };
  return { ...telemetry, warn };
}

/** Logs a recorder's failures, unless it was stopped meanwhile: the recorder goes on, but a bug must be seen. */
export function reportFailures(telemetry: Telemetry, signal: AbortSignal) {
  return (what: string) =>
    (error: unknown): undefined => {
      if (!signal.aborted) telemetry[levelOf(error)](`${what} could not be recorded; retrying`, { error });
    };
}
