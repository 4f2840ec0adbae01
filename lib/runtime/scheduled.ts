import type { EventBridgeEvent, Context as LambdaContext } from 'aws-lambda';
import type { Telemetry } from './telemetry.ts';

export type ScheduledHandler = (
  event: EventBridgeEvent<'Scheduled Event', unknown>,
  context: LambdaContext,
) => Promise<void>;

/**
 * The Lambda handler of a function that runs on a schedule. An error of `run` is logged, because Lambda's own line about
 * it has neither level nor cause, and thrown again, so that Lambda counts the run as failed and repeats it.
 */
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
