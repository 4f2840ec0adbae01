/** What the commands for archives have in common. */

import { ArchiveError } from '../../../lib/archive/manifest.ts';
import { closeConnections } from '../../../lib/chain/upstream/http.ts';
import { ConfigError, readConfig } from '../../../lib/runtime/config.ts';
import { type Context, createContext, RECORDER_LIMITS } from '../../../lib/runtime/context.ts';
import { ApiError } from '../../../lib/runtime/errors.ts';
import { terminalTelemetry } from '../../local/terminal-telemetry.ts';
import { reasonOf } from '../reason.ts';

/** Exit code, by convention 128 + SIGINT. */
const INTERRUPTED = 130;

/** A context with the settings in the environment; only the history and the ledger are read and written. */
export function contextOfTables(): Context {
  return createContext(readConfig({ CACHE_TABLE: 'none', ...process.env }), terminalTelemetry, RECORDER_LIMITS);
}

/** Runs a command. What its user can fix is reported in one line, without a stack. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log('\nInterrupted. Run it again to continue.');
      process.exit(INTERRUPTED);
    });
  }
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ArchiveError || error instanceof ConfigError || error instanceof ApiError)) throw error;
    console.error(reasonOf(error));
    process.exitCode = 1;
  } finally {
    closeConnections();
  }
}
