import { chainOf } from '../lib/chain/chain.ts';
import { historyOf } from '../lib/history/history-store.ts';
import { runRecorder } from '../lib/history/record-history.ts';
import { monotonicMs, toTenths } from '../lib/runtime/clock.ts';
import { RECORDER_LIMITS } from '../lib/runtime/context.ts';
import { createRuntime, type Runtime } from '../lib/runtime/lambda-runtime.ts';
import { type ScheduledHandler, scheduled } from '../lib/runtime/scheduled.ts';
import { recordValidators } from '../lib/validators/validator-history.ts';

/**
 * The recorder of history: not an endpoint, but a function that runs one minute after each hour. It has the settings of
 * the endpoints, plus HISTORY_START. It writes to the history table, and caches addresses, validators and minipools.
 */

/** About 20 requests a second to an RPC provider 100 ms away, which public providers tolerate. */
const PARALLEL = 3;
/** The first runs after a deployment fill 90 days, this many boundaries per hourly run. */
const MAX_BOUNDARIES = 500;
/** How long a boundary may take if RPC providers fail one after another. */
const RESERVE_MS = 30_000;

/**
 * The Lambda handler of the recorder. It throws if the newest boundary or its validators could not be recorded, so that
 * Lambda tries again within the hour: later, validators cannot be recorded any more.
 */
export function createRecorder(runtime: Runtime): ScheduledHandler {
  return scheduled(runtime.telemetry, async (lambdaContext) => {
    const started = monotonicMs();
    const context = await runtime.context();
    const { config, telemetry } = context;
    let boundaries = 0;
    const report = await runRecorder(
      { chain: chainOf(context), telemetry, store: historyOf(context) },
      config.historyStart,
      {
        parallel: PARALLEL,
        mayGoOn: () => boundaries++ < MAX_BOUNDARIES && lambdaContext.getRemainingTimeInMillis() > RESERVE_MS,
      },
    );
    if (report.newestRecorded) telemetry.record('HistoryLag', Math.max(0, Date.now() / 1_000 - report.newest));
    const [validators] = await Promise.allSettled([recordValidators(context, report.newest)]);
    telemetry.info('recorder', { ...report, seconds: toTenths((monotonicMs() - started) / 1_000) });
    if (!report.newestRecorded) throw new Error(`the newest point, ${report.newest}, could not be recorded`);
    if (validators.status === 'rejected')
      throw new Error(`the validators at ${report.newest} could not be recorded`, { cause: validators.reason });
  });
}

export const handler = createRecorder(createRuntime(RECORDER_LIMITS));
