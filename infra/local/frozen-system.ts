import { freeze } from '../../lib/archive/freeze.ts';
import { ArchiveError } from '../../lib/archive/manifest.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { openArchive } from '../tools/archive/open.ts';
import { reasonOf } from '../tools/reason.ts';
import { DEFAULT_PORT, StartError, type Stop, type System, type SystemOptions, startServer } from './system.ts';

/**
 * Starts the service on this machine from an archive, in a folder or at a URL: without chain, index, database and recorders. Throws a
 * {@link StartError} if the archive cannot be used.
 */
export async function startFrozenSystem(
  source: string,
  { env, telemetry, onStep, onResponse }: SystemOptions,
): Promise<System> {
  const running: Stop[] = [];
  const stop = async () => {
    for (const stopPart of running.splice(0)) await stopPart();
  };
  try {
    const archive = await openArchive(source, ({ files }) => files);
    const { network, block, day } = archive.manifest;
    const config = readConfig({ ...NO_TABLES, ...env, NETWORK: network });
    const { context, loaded } = await freeze(config, telemetry, archive);
    onStep(`Frozen: ${network} as it was on ${day}, at block ${block.number}`);
    const url = await startServer(
      env.PORT ?? DEFAULT_PORT,
      { telemetry, context: async () => context },
      onResponse,
      running,
      new Map([[day, archive]]),
    );
    loaded.then(
      () => onStep('History and ledger: loaded'),
      (error) => telemetry.error('history or ledger cannot be loaded', { error }),
    );
    return { url, context, stop };
  } catch (error) {
    await stop();
    throw error instanceof ArchiveError ? new StartError(reasonOf(error)) : error;
  }
}

/** A frozen service reads and writes no tables. */
const NO_TABLES = { CACHE_TABLE: 'none', HISTORY_TABLE: 'none', LEDGER_TABLE: 'none' };
