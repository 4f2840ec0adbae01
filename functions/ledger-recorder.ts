/**
 * The recorder of the ledger: not an endpoint, but a function that runs every minute. It records new events first. The rest
 * of its minute goes to the backfill, until the protocol's whole past is recorded; then to a daily comparison with the
 * contracts, and to the list of ggAVAX holders. It has the settings of the endpoints and writes only to the ledger table.
 */

import { createServices, type Services } from '../lib/api/services.ts';
import { checkIfDue } from '../lib/ledger/check-ledger.ts';
import type { LedgerContext } from '../lib/ledger/ledger-store.ts';
import { listHolders } from '../lib/ledger/list-holders.ts';
import { NO_MISMATCHES } from '../lib/ledger/mismatches.ts';
import { LedgerRecorder, type Step } from '../lib/ledger/record-ledger.ts';
import { coverageIn, type Search } from '../lib/ledger/search-row.ts';
import { toTenths } from '../lib/runtime/clock.ts';
import { RECORDER_LIMITS } from '../lib/runtime/context.ts';
import { createRuntime, type Runtime } from '../lib/runtime/lambda-runtime.ts';
import { type ScheduledHandler, scheduled } from '../lib/runtime/scheduled.ts';

/** Time in ms after which no step starts, because the next run starts after a minute. */
const ALLOWANCE_MS = 45_000;
/** Time in ms that a step may take if RPC providers fail one after another. */
const RESERVE_MS = 30_000;

/** The Lambda handler. It throws if the chain or the table did not respond; the next run continues from there. */
export function createLedgerRecorder(runtime: Runtime<Services>): ScheduledHandler {
  // Kept for later runs: the recorder learns how many blocks a provider serves at once.
  let opened: { context: Services; recorder: LedgerRecorder } | undefined;
  return scheduled(runtime.telemetry, async (lambdaContext) => {
    const started = performance.now();
    const context = await runtime.context();
    if (opened?.context !== context) opened = { context, recorder: new LedgerRecorder(context.chain, context.ledger) };
    const { recorder } = opened;
    const { blocks, first } = await reportLag(context);
    // Until the past is complete, each run should index more of it, also the first one.
    let isStuck = blocks === undefined || first === undefined || blocks.from > first;
    const mayGoOn = () =>
      performance.now() - started < ALLOWANCE_MS && lambdaContext.getRemainingTimeInMillis() > RESERVE_MS;
    const onStep = ({ from }: Step) => {
      if (!blocks || from < blocks.from) isStuck = false;
    };
    const report = await recorder
      .run({ mayGoOn, onStep })
      .finally(() => context.telemetry.record('LedgerStuck', isStuck ? 1 : 0));
    const check = await checkIfDue({ ...context, recorder, mayGoOn });
    const { disputed } = report;
    context.telemetry.record('LedgerMismatch', (check?.mismatches.length ?? 0) + (disputed ? 1 : 0));
    if (disputed) context.telemetry.error('providers disagree about events', { ...disputed });
    await listHolders({ ...context, mayGoOn });
    context.telemetry.info('ledger', { ...report, seconds: toTenths((performance.now() - started) / 1_000) });
  });
}

/**
 * Reports the lag of the ledger: of its confirmed part, once its past is confirmed. This comes before the run, so that
 * failed runs report it, too.
 */
async function reportLag(context: LedgerContext): Promise<Search> {
  const [search, head] = await Promise.all([context.ledger.progress.read(), context.chain.head()]);
  const confirmed = coverageIn(search, NO_MISMATCHES)?.confirmed;
  // Without a single indexed block, the lag is the whole chain.
  context.telemetry.record('LedgerLag', Math.max(0, head.number - (confirmed?.number ?? search.blocks?.to ?? 0)));
  return search;
}

export const handler = createLedgerRecorder(
  createRuntime((config, telemetry) => createServices(config, telemetry, { limits: RECORDER_LIMITS })),
);
