import type { EventBridgeEvent, Context as LambdaContext } from 'aws-lambda';
import type { Telemetry } from './telemetry.ts';

export type ScheduledHandler = (
  event: EventBridgeEvent<'Scheduled Event', unknown>,
  context: LambdaContext,
) => Promise<void>;

/** Logs an error of `run`, because Lambda's own line has neither level nor cause, and throws it, so that Lambda repeats the run. */
export function scheduled(telemetry: Telemetry, run: (context: LambdaContext) => Promise<void>): ScheduledHandler {
  return async (_event, context) => {
    try {
      await run(context);
    } catch (error) {
      telemetry.error('run failed', { error });
      throw error;
    } finally {
      telemetry.flush();
    }
  };
}
