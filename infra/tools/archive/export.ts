/**
 * `npm run export -- DIR [--incomplete]`: exports all data of the service as files (infra/archive-site/website.ts). Uses the tables in
 * the environment (HISTORY_TABLE, LEDGER_TABLE, AWS_*), else those of the running `npm start`, else its data folder. Can be
 * interrupted and run again at any time.
 */

import { execSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ArchiveError } from '../../../lib/archive/export-folder.ts';
import { setIn } from '../../../lib/runtime/config.ts';
import { exportAll } from '../../archive-site/website.ts';
import { useDynamoDB } from '../../local/dynamodb.ts';
import { findTables } from '../../local/running.ts';
import { readCommit } from '../../stack/release.ts';
import { contextOfTables, INTERRUPTED, runCommand, UsageError } from '../command.ts';

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    console.log('\nInterrupted. Run it again to continue.');
    process.exit(INTERRUPTED);
  });

await runCommand(async () => {
  const given = readArguments();
  const { LEDGER_TABLE, RPC_URLS } = setIn(process.env);
  const tables = LEDGER_TABLE ? undefined : await useLocalTables(RPC_URLS);
  try {
    await exportTables(given);
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    // Errors of the disk are the user's to mend.
    if (path === undefined && code !== 'ENOSPC') throw error;
    const remedy = 'Make room or choose another folder, and run it again';
    throw new ArchiveError(`${given.folder}: cannot be written (${message}). ${remedy}.`);
  } finally {
    await tables?.stop?.();
  }
});

async function exportTables({ folder, incomplete }: ReturnType<typeof readArguments>): Promise<void> {
  const started = performance.now();
  const { files, bytes } = await exportAll(contextOfTables(), folder, {
    repository: readRepository(),
    commit: readCommit(import.meta.dirname),
    mayBeIncomplete: incomplete,
    log: (line) => console.log(line),
  });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`Done: ${files} files, ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s.`);
}

/** The URL of this repository without credentials; undefined if git knows none. */
function readRepository(): string | undefined {
  try {
    const remote = execSync('git remote get-url origin 2> /dev/null', {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    }).trim();
    const { protocol, host, pathname } = new URL(remote.replace(/^(?:\w+@)([\w.-]+):/, 'https://$1/'));
    return protocol === 'https:' ? `https://${host}${pathname.replace(/\.git$/, '')}` : undefined;
  } catch {
    return undefined;
  }
}

/** Points the settings at the tables of `npm start`. */
async function useLocalTables(RPC_URLS?: string) {
  const found = await findTables(process.env);
  if (!found) throw new UsageError('Nothing to export: run npm start, or set NETWORK, HISTORY_TABLE and LEDGER_TABLE');
  console.log(`Reading ${found.name}`);
  useDynamoDB({ ...found.env, ...(RPC_URLS && { RPC_URLS }) });
  return found;
}

function readArguments(): { folder: string; incomplete: boolean } {
  try {
    const options = { incomplete: { type: 'boolean', default: false } } as const;
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const [folder, ...others] = positionals;
    if (folder && others.length === 0) return { folder, incomplete: values.incomplete };
  } catch {
    // An unknown option.
  }
  throw new UsageError('name a folder: npm run export -- DIR [--incomplete]');
}
