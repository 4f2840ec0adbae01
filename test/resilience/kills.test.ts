import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { exportArchive } from '../../lib/archive/export.ts';
import { importArchive } from '../../lib/archive/import.ts';
import { readManifest } from '../../lib/archive/verify-files.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { fillTables, itemsOf, startArchivist } from '../lib/archive/sample.ts';
import { LogChain, serve, staked } from '../lib/ledger/log-chain.ts';
import { killAfterWrites } from '../support/kills.ts';
import { PATIENT, startContainer } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A process that is killed at any of its writes, and run again, leaves what an undisturbed one leaves. */

const tables = tablesForAllTests();

const open: LocalServer[] = [];
afterEach(async () => {
  for (const { stop } of open.splice(0)) await stop();
});

const bothTables = async () => ({ ledger: await itemsOf('ledger'), history: await itemsOf('history') });

const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]));

/**
 * Kills a run at its first write, another run in empty tables at its second, and so on. A further run finishes each.
 */
async function killAtEachWrite(run: () => Promise<unknown>, whenKilled = async () => {}): Promise<number> {
  await tables.renew();
  await run();
  const undisturbed = await bothTables();
  for (let kills = 0; ; kills++) {
    await tables.renew();
    if (!(await killAfterWrites(kills, run))) return kills;
    await whenKilled();
    await run();
    expect([kills, await bothTables()]).toEqual([kills, undisturbed]);
  }
}

test('an indexing of the past, killed at each of its writes, ends with the same rows', async () => {
  const chain = new LogChain(1_200);
  chain.emitted = Array.from({ length: 60 }, (_, index) => staked(index * 20, index));
  const servers = [await serve(chain), await serve(chain)];
  open.push(...servers);
  const RPC_URLS = servers.map(({ url }) => url).join();
  const kills = await killAtEachWrite(async () => {
    const { opened } = startContainer({ NETWORK: 'devnet', RPC_URLS, MAX_HEAD_AGE_SECONDS: '0' }, PATIENT);
    await new LedgerRecorder(opened.chain, opened.ledger).run({ mayGoOn: () => true });
  });
  expect(kills).toBeGreaterThan(10);
});

test('an import, killed at each of its writes, shows nothing, and ends with the same rows', async () => {
  await tables.renew();
  await fillTables(startArchivist());
  const folder = join(temporaryFolder('kills'), 'archive');
  await exportArchive(startArchivist().opened, folder, 'c0ffee');
  const kills = await killAtEachWrite(
    () => importArchive(startArchivist().opened, folder, readManifest(folder)),
    () => expect(startArchivist().opened.ledger.progress.coverage()).rejects.toThrow('has not been recorded yet'),
  );
  expect(kills).toBeGreaterThan(20);
});

test('an export, killed at every third of its steps, ends with the same files', async () => {
  await tables.renew();
  await fillTables(startArchivist());
  const { opened } = startArchivist();
  const folder = temporaryFolder('kills');
  const undisturbed = join(folder, 'undisturbed');
  await exportArchive(opened, undisturbed, 'c0ffee');
  let kills = 0;
  // A file is written in several steps, which are alike.
  for (; ; kills += 3) {
    const target = join(folder, String(kills));
    let left = kills;
    const onStep = () => {
      if (left-- === 0) throw new Error('killed');
    };
    const finished = await exportArchive(opened, target, 'c0ffee', { onStep, onSource: onStep }).catch(() => undefined);
    if (finished) break;
    await exportArchive(opened, target, 'c0ffee');
    expect([kills, filesIn(target)]).toEqual([kills, filesIn(undisturbed)]);
  }
  expect(kills).toBeGreaterThan(20);
});
