/**
 * The recorder of the ledger: not an endpoint, but a function that runs every minute. It records new events first, then
 * uses the rest of its minute to work backwards until the protocol's whole past is recorded, then to audit it once a day,
 * and to list who holds ggAVAX. It has the settings of the endpoints and writes only to the ledger table.
 */

import { chainOf } from '../lib/chain/chain.ts';
import { auditIfDue } from '../lib/ledger/audit.ts';
import type { Search } from '../lib/ledger/ledger-progress.ts';
import { ledgerOf } from '../lib/ledger/ledger-store.ts';
import { listHolders } from '../lib/ledger/list-holders.ts';
import { LedgerRecorder, type Step } from '../lib/ledger/record-ledger.ts';
import { toTenths } from '../lib/runtime/clock.ts';
import { type Context, perProcess, RECORDER_LIMITS } from '../lib/runtime/context.ts';
import { createRuntime, type Runtime } from '../lib/runtime/lambda-runtime.ts';
import { type ScheduledHandler, scheduled } from '../lib/runtime/scheduled.ts';

/** No step starts later than this, because the next run starts after a minute. */
const ALLOWANCE_MS = 45_000;
/** How long a step may take if RPC providers fail one after another. */
const RESERVE_MS = 30_000;

const recorderOf = perProcess('ledger-recorder', (context) => new LedgerRecorder(chainOf(context), ledgerOf(context)));

/** The Lambda handler. It throws if the chain or the table did not respond; the next run continues from there. */
export function createLedgerRecorder(runtime: Runtime): ScheduledHandler {
  return scheduled(runtime.telemetry, async (lambdaContext) => {
    const started = performance.now();
    const context = await runtime.context();
    const { blocks, first } = await reportLag(context);
    // Until the past is complete, each run should index more of it, also the first one.
    let isStuck = blocks === undefined || first === undefined || blocks.from > first;
    const mayGoOn = () =>
      performance.now() - started < ALLOWANCE_MS && lambdaContext.getRemainingTimeInMillis() > RESERVE_MS;
    const onStep = ({ from }: Step) => {
      if (!blocks || from < blocks.from) isStuck = false;
    };
    const report = await recorderOf(context)
      .run({ mayGoOn, onStep })
      .finally(() => context.telemetry.record('LedgerStuck', isStuck ? 1 : 0));
    const tables = { chain: chainOf(context), ledger: ledgerOf(context), mayGoOn };
    const audit = await auditIfDue({ ...tables, telemetry: context.telemetry });
    context.telemetry.record('LedgerMismatch', audit?.mismatches.length ?? 0);
    await listHolders(tables);
    context.telemetry.info('ledger', { ...report, seconds: toTenths((performance.now() - started) / 1_000) });
  });
}

/** Reports how far the ledger is behind. This comes before the run, so that failed runs report it, too. */
async function reportLag(context: Context): Promise<Search> {
  const [search, head] = await Promise.all([ledgerOf(context).progress.read(), chainOf(context).head()]);
  // Without a single indexed block, it is behind by all of them.
  context.telemetry.record('LedgerLag', Math.max(0, head.number - (search.blocks?.to ?? 0)));
  return search;
}

export const handler = createLedgerRecorder(createRuntime(RECORDER_LIMITS));
