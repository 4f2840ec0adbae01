/**
 * The recorder of the ledger: not an endpoint, but a function that runs every minute, and looks for new events every ten
 * seconds. It records them first. The rest of its minute goes to the backfill, until the protocol's whole past is recorded; then to
 * the list of ggAVAX holders and a daily comparison with the contracts. It has the settings of the endpoints and writes only to
 * the ledger table.
 */

import { createServices, type Services } from '../lib/api/services.ts';
import { updateHolderList } from '../lib/history/holder-list.ts';
import { checkIfDue } from '../lib/ledger/check-ledger.ts';
import type { ReadState } from '../lib/ledger/ledger-state.ts';
import type { LedgerContext } from '../lib/ledger/ledger-store.ts';
import { LedgerRecorder, type Step } from '../lib/ledger/record-ledger.ts';
import { toTenths } from '../lib/runtime/clock.ts';
import { RECORDER_LIMITS } from '../lib/runtime/context.ts';
import { createRuntime, type Runtime } from '../lib/runtime/lambda-runtime.ts';
import { type ScheduledHandler, scheduled } from '../lib/runtime/scheduled.ts';

/** Time in ms after which no step starts, because the next run starts after a minute. */
const ALLOWANCE_MS = 55_000;
/** Pause in ms before a run looks for new blocks again, and the time of its two minutes that must be left then. */
const AGAIN = { pauseMs: 10_000, leftMs: 70_000 };
/** Time in ms that a step may take if RPC providers fail one after another. */
const RESERVE_MS = 30_000;

/** The Lambda handler. It throws if the table did not respond; the next run continues from there. */
export function createLedgerRecorder(runtime: Runtime<Services>): ScheduledHandler {
  // Kept for later runs: the recorder learns how many blocks a provider serves at once.
  let opened: { context: Services; recorder: LedgerRecorder } | undefined;
  return scheduled(runtime.telemetry, async (lambdaContext) => {
    const started = performance.now();
    const mayGoOn = () =>
      performance.now() - started < ALLOWANCE_MS && lambdaContext.getRemainingTimeInMillis() > RESERVE_MS;
    const context = await runtime.context();
    if (opened?.context !== context) {
      const { chain, config, ledger } = context;
      opened = { context, recorder: new LedgerRecorder(chain, ledger, config.ledgerSources) };
    }
    await record(context, opened.recorder, mayGoOn);
    while (mayGoOn() && lambdaContext.getRemainingTimeInMillis() - AGAIN.pauseMs > AGAIN.leftMs) {
      await context.clock.wait(AGAIN.pauseMs);
      await record(context, opened.recorder, mayGoOn);
    }
  });
}

async function record(context: Services, recorder: LedgerRecorder, mayGoOn: () => boolean): Promise<void> {
  const started = performance.now();
  const { ledger, telemetry } = context;
  const { coverage } = await reportLag(context);
  // Until the past is complete, each run should index more of it, also the first one.
  let isStuck = !coverage?.complete;
  const counts = { blocks: 0, added: 0 };
  const onStep = ({ from, to, added }: Step) => {
    counts.blocks += to - from + 1;
    counts.added += added;
    if (!coverage || from < coverage.fromBlock) isStuck = false;
  };
  const report = await recorder
    .run({ mayGoOn, onStep })
    .finally(() => telemetry.record('LedgerStuck', isStuck ? 1 : 0));
  const { disputed, waiting } = report;
  await updateHolderList(ledger, mayGoOn);
  if (mayGoOn()) await checkIfDue({ ...context, recorder });
  const { mismatches, refused } = await ledger.progress.doubts((await ledger.progress.read()).generation);
  const differing = mismatches.filter(({ chain }) => chain !== undefined);
  telemetry.record('LedgerMismatch', differing.length + refused.length + (disputed ? 1 : 0));
  if (disputed) telemetry.error('blocks are disputed', { ...disputed });
  if (waiting) telemetry.warn('too few providers answer for events', { ...waiting.waiting, error: waiting.cause });
  telemetry.info('ledger', { ...counts, seconds: toTenths((performance.now() - started) / 1_000) });
}

/** Reports the lag of the ledger, if a provider has a head. This comes before the run, so that failed runs report it, too. */
async function reportLag({ ledger, chain, telemetry }: LedgerContext): Promise<ReadState> {
  const [state, head] = await Promise.all([ledger.progress.read(), chain.head().catch(() => undefined)]);
  // Without a single indexed block, the lag is the whole chain.
  if (head) telemetry.record('LedgerLag', Math.max(0, head.number - (state.coverage?.toBlock ?? 0)));
  return state;
}

export const handler = createLedgerRecorder(
  createRuntime((config, telemetry) => createServices(config, telemetry, { limits: RECORDER_LIMITS })),
);
