import type { Telemetry } from '../../lib/runtime/telemetry.ts';

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

/** The message of an error and, in brackets, those of its causes. Errors of Node without a message: their code. */
export function reasonOf(error: Error): string {
  const { message, cause } = error;
  const own = message || String((error as NodeJS.ErrnoException).code);
  if (!(cause instanceof Error)) return own;
  const why = reasonOf(cause);
  return why.startsWith(own) ? why : `${own} (${why})`;
}

/** A problem that the user can fix. It is reported in one line, without a stack. */
export class StartError extends Error {}
