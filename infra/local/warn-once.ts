import { levelOf } from '../../lib/runtime/errors.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';

/** Logs each kind of warning once: a provider without old states fails for every point, and a run's line counts them. */
export function warnOnce(telemetry: Telemetry): Telemetry {
  const said = new Set<string>();
  return {
    ...telemetry,
    warn(message, fields) {
      if (!said.has(message)) telemetry.warn(message, fields);
      said.add(message);
    },
  };
}

/** Logs a recorder's failures, unless it was stopped meanwhile: the recorder goes on, but a bug must be seen. */
export function reportFailures(
  telemetry: Telemetry,
  signal: AbortSignal,
): (what: string) => (error: unknown) => undefined {
  return (what) => (error) => {
    if (!signal.aborted) telemetry[levelOf(error)](`${what} could not be recorded; retrying`, { error });
  };
}
