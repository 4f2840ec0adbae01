/** Measures the resources that the scheduled functions use on a quiet day. */

import type { EventBridgeEvent, Context as LambdaContext } from 'aws-lambda';
import { createRecorder } from '../../functions/history-recorder.ts';
import { createLedgerRecorder } from '../../functions/ledger-recorder.ts';
import type { Services } from '../../lib/api/services.ts';
import { type Runtime, runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import type { ScheduledHandler } from '../../lib/runtime/scheduled.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import type { RunUse } from './at-rest.ts';
import { mineQuietly, openContainer } from './containers.ts';
import { metricsIn, type startMeter, withOutput } from './meter.ts';
import { LAMBDA_LOG_BYTES } from './prices.ts';

/** Empty tables whose use is measured, with the environment of a container that uses them. */
interface MeteredTables {
  env: Record<string, string>;
  meter: Awaited<ReturnType<typeof startMeter>>;
}

/** Resources of one run of each recorder after the backfill, by the function's description in the stack. */
export async function measureRecorders(
  chainUrl: string,
  { env, meter }: MeteredTables,
  telemetry: Telemetry,
): Promise<Record<string, RunUse>> {
  const newest = (await openContainer(env, terminalTelemetry).chain.head()).timestamp;
  const context = openContainer(
    { ...env, HISTORY_START: String(newest - 3_600), HOURLY_START: String(newest - 3_600) },
    telemetry,
  );
  const measureRun = async (create: (runtime: Runtime<Services>) => ScheduledHandler): Promise<RunUse> => {
    const run = create(runtimeWith(context));
    const event = {} as EventBridgeEvent<'Scheduled Event', unknown>;
    meter.take();
    const started = performance.now();
    const { output } = await withOutput(() => run(event, UNHURRIED));
    const ms = performance.now() - started;
    return { ms, ...meter.take(), logBytes: output.length + LAMBDA_LOG_BYTES, metrics: metricsIn(output) };
  };
  // There is one hour to record and, in the blocks that are searched again, no event.
  await mineQuietly(chainUrl);
  const history = await measureRun(createRecorder);
  await measureRun(createLedgerRecorder);
  const ledger = await measureRun(createLedgerRecorder);
  return {
    'Records the points of the history endpoints': history,
    "Records the protocol's events": ledger,
  };
}

const UNHURRIED = { getRemainingTimeInMillis: () => 300_000 } as LambdaContext;
