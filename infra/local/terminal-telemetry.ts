import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { ERASE_LINE } from '../tools/progress.ts';
import { reasonOf } from '../tools/reason.ts';

/** Telemetry for a terminal: warnings and errors, one line each. */
export const terminalTelemetry: Telemetry = {
  info: () => {},
  warn: (message, fields) => console.warn(`${ownLine()}warning: ${message} ${describe(fields)}`),
  error: (message, fields) => console.error(`${ownLine()}error: ${message} ${describe(fields)}`, fields.error ?? ''),
  count: () => {},
  record: () => {},
  attempt: () => {},
  flush: () => {},
};

/** Erases a line that moves, which is the last one while the service starts. */
export function ownLine(): string {
  return process.stderr.isTTY ? ERASE_LINE : '';
}

function describe(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value instanceof Error ? reasonOf(value) : String(value)}`)
    .join(' ');
}
