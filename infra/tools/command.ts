/** Shared code of the commands that read and write tables. */

import { createServices, type Services } from '../../lib/api/services.ts';
import { ArchiveError } from '../../lib/archive/export-folder.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { ConfigError, readConfig } from '../../lib/runtime/config.ts';
import { RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { reasonOf, StartError, terminalTelemetry } from '../local/terminal.ts';

/** Exit code, by convention 128 + SIGINT. */
export const INTERRUPTED = 130;

export class UsageError extends Error {}

/** Errors that the user can fix. */
const MISTAKES = [UsageError, StartError, ArchiveError, ConfigError, ApiError];

/**
 * Creates a context with the settings in the environment. `unused`: names of tables that the configuration requires and
 * the command does not read.
 */
export function contextOfTables(unused: Record<string, string> = {}, telemetry = terminalTelemetry): Services {
  return createServices(readConfig(process.env, { CACHE_TABLE: 'none', ...unused }), telemetry, {
    // Long, because a point or a file without an optional part is kept for ever, and a busy table is worth a wait.
    limits: { ...RECORDER_LIMITS, optionalMs: 600_000, durableTableMs: 60_000, cacheTableMs: 60_000 },
  });
}

/** Runs a command. Errors that its user can fix are printed in one line, without a stack. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!MISTAKES.some((Mistake) => error instanceof Mistake)) throw error;
    console.error(reasonOf(error as Error));
    process.exitCode = 1;
  } finally {
    closeConnections();
  }
}
