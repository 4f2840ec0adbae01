/**
 * The recorder of history: not an endpoint, but a function that runs one minute after each hour. It has the settings of the
 * endpoints, plus HISTORY_START and HOURLY_START. It reads the ledger, names refused shares in it, and writes to the history table.
 */

import { createServices, type Services } from '../lib/api/services.ts';
import { readHistoryStart } from '../lib/history/history-start.ts';
import { recordDistributions } from '../lib/history/record-distributions.ts';
import { runRecorder } from '../lib/history/record-history.ts';
import { toTenths } from '../lib/runtime/clock.ts';
import { RECORDER_LIMITS } from '../lib/runtime/context.ts';
import { createRuntime, type Runtime } from '../lib/runtime/lambda-runtime.ts';
import { type ScheduledHandler, scheduled } from '../lib/runtime/scheduled.ts';

/** Maximum number of boundaries in an hourly run. The first runs after a deployment backfill the past. */
const MAX_BOUNDARIES = 500;
/** Times in ms that a group of boundaries may take if RPC providers fail one after another, and a cycle, which is 12 readings. */
const RESERVE_MS = { boundaries: 30_000, cycle: 90_000 };

/**
 * The Lambda handler of the recorder. It throws if the newest boundary could not be recorded, so that Lambda tries again
 * within the hour.
 */
export function createRecorder(runtime: Runtime<Services>): ScheduledHandler {
  return scheduled(runtime.telemetry, async (lambdaContext) => {
    const started = performance.now();
    const context = await runtime.context();
    const { telemetry } = context;
    const { days, hours } = await readHistoryStart(context);
    const report = await runRecorder(context, days, {
      hoursFrom: hours,
      most: MAX_BOUNDARIES,
      mayGoOn: () => lambdaContext.getRemainingTimeInMillis() > RESERVE_MS.boundaries,
    });
    // A cycle may be recorded at any time, as long as a provider has the states of its blocks.
    const cycles = await recordDistributions(context, {
      mayGoOn: () => lambdaContext.getRemainingTimeInMillis() > RESERVE_MS.cycle,
    }).then(
      ({ recorded }) => recorded,
      (error) => {
        telemetry.warn('distributions not recorded', { error });
        return 0;
      },
    );
    telemetry.info('recorder', { ...report, cycles, seconds: toTenths((performance.now() - started) / 1_000) });
    if (!report.newestRecorded) throw new Error(`the newest point, ${report.newest}, could not be recorded`);
  });
}

export const handler = createRecorder(
  createRuntime((config, telemetry) => createServices(config, telemetry, { limits: RECORDER_LIMITS })),
);
