import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { reasonOf } from './reason.ts';

/** Telemetry for a terminal: warnings and errors, one line each. */
export const terminalTelemetry: Telemetry = {
  info: () => {},
  warn: (message, fields) => console.warn(`warning: ${message} ${describe(fields)}`),
  error: (message, fields) => console.error(`error: ${message} ${describe(fields)}`, fields.error ?? ''),
  count: () => {},
  record: () => {},
  attempt: () => {},
  flush: () => {},
};

function describe(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value instanceof Error ? reasonOf(value) : String(value)}`)
    .join(' ');
}
