import type { EventBridgeEvent, Context as LambdaContext } from 'aws-lambda';
import { monotonicMs, toTenths } from '../lib/clock.ts';
import { RECORDER_RPC_LIMITS, runRecorder } from '../lib/history/recorder.ts';
import { historyOf } from '../lib/history/store.ts';
import { createRuntime, type Runtime } from '../lib/runtime.ts';
import { recordValidators } from '../lib/validators/history.ts';

/**
 * The recorder of history: not an endpoint, but run by a schedule a minute after each hour. Its settings are the endpoints', with
 * HISTORY_START; it reads and writes the history table only.
 */

/** About 20 requests a second at an endpoint that is 100 ms away: what public ones bear. */
const PARALLEL = 3;
/** The first runs after a deployment fill 90 days with this many an hour. */
const MAX_BOUNDARIES = 500;
/** What a boundary may take when endpoints fail one after another. */
const RESERVE_MS = 30_000;

type ScheduledHandler = (event: EventBridgeEvent<'Scheduled Event', unknown>, context: LambdaContext) => Promise<void>;

/** The Lambda handler of the recorder. It throws, and Lambda tries again, when the newest boundary could not be recorded. */
export function createRecorder(runtime: Runtime): ScheduledHandler {
  return async (_event, lambdaContext) => {
    const started = monotonicMs();
    const context = await runtime.context();
    const { config, chain, telemetry } = context;
    let boundaries = 0;
    const report = await runRecorder({ chain, telemetry, store: historyOf(context) }, config.historyStart, {
      parallel: PARALLEL,
      mayGoOn: () => boundaries++ < MAX_BOUNDARIES && lambdaContext.getRemainingTimeInMillis() > RESERVE_MS,
    });
    if (report.newestRecorded) telemetry.record('HistoryLag', Math.max(0, Date.now() / 1_000 - report.newest));
    await recordValidators(context, report.newest).catch((error: unknown) =>
      telemetry.warn('validators not recorded', { error }),
    );
    telemetry.info('recorder', { ...report, seconds: toTenths((monotonicMs() - started) / 1_000) });
    telemetry.flush();
    if (!report.newestRecorded) throw new Error(`the boundary ${report.newest} could not be recorded`);
  };
}

export const handler = createRecorder(createRuntime(RECORDER_RPC_LIMITS));
