import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { Services } from '../../../lib/api/services.ts';
import { loadLedger } from '../../../lib/archive/archive-context.ts';
import { exportArchive } from '../../../lib/archive/export.ts';
import { importArchive } from '../../../lib/archive/import.ts';
import { readManifest, verifyFiles } from '../../../lib/archive/verify-files.ts';
import { LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import { MAX_MISMATCHES } from '../../../lib/ledger/mismatches.ts';
import type { Check } from '../../../lib/ledger/search-row.ts';
import { MemoryTable } from '../../../lib/tables/memory-table.ts';
import { LEDGER } from '../../../lib/tables/table-schemas.ts';
import { startTables, tablesForEachTest } from '../../support/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { fillTables, itemsOf, startArchivist } from './sample.ts';

/** Tables that are exported and imported again are the same, attribute by attribute. */

tablesForEachTest();

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('archive');
});

const contentOf = (path: string) =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name)).toString('base64')]));

/** A check that found more than an answer names: what the guardian wrote, which stops no export. */
async function checkOf(context: Services): Promise<Check> {
  const { fromBlock: from, toBlock: to, toTimestamp } = await context.ledger.progress.coverage();
  const [agreedAt, block] = [
    { number: from, timestamp: 1 },
    { number: to, timestamp: toTimestamp },
  ];
  const mismatches = Array.from({ length: MAX_MISMATCHES + 1 }, (_, staker) => {
    return { contract: 'Staking', view: 'getGGPStake', key: `${staker}`, ledger: '1', chain: '2', block: to, agreedAt };
  });
  return { block, at: toTimestamp, mismatches };
}

test('an import into empty tables restores every item, and an export of those gives the same bytes', async () => {
  const first = startArchivist();
  await fillTables(first);
  await first.opened.ledger.progress.setCheck(await checkOf(first.opened));
  const tables = { ledger: await itemsOf('ledger'), history: await itemsOf('history') };
  expect(tables.ledger.length).toBeGreaterThan(200);
  expect(tables.history.length).toBeGreaterThan(60);
  await exportArchive(first.opened, join(folder, 'a'), 'c0ffee');

  const { resources } = JSON.parse(readFileSync(join(folder, 'a', 'datapackage.json'), 'utf8'));
  for (const { name, schema } of resources)
    for (const field of schema.fields)
      expect([name, field.name, field.description]).toEqual([name, field.name, expect.stringMatching(/^\S.+\.$/)]);
  const validators = readFileSync(join(folder, 'a', 'validators-history-2024.csv'), 'utf8').split('\r\n');
  expect(validators[0]).toMatch(/,uptimePercent,uptimePercent_wei,amountStaked,amountStaked_wei,/);
  expect(validators[1]).toContain(',99.123456,99123456000000000000,2000.000000001,2000000000001000000000,0,0,');

  const other = await startTables();
  const second = startArchivist();
  const manifest = readManifest(join(folder, 'a'));
  await verifyFiles(join(folder, 'a'), manifest.files);
  await importArchive(second.opened, join(folder, 'a'), manifest);
  expect({ ledger: await itemsOf('ledger'), history: await itemsOf('history') }).toEqual(tables);

  const known = await second.opened.ledger.progress.coverage();
  expect(known).toMatchObject({ complete: false, confirmed: { number: known.fromBlock } });
  const loaded = new MemoryTable(LEDGER, await loadLedger({ folder: join(folder, 'a'), manifest }));
  expect(await new LedgerStore(loaded, manifest.network).progress.coverage()).toEqual(known);

  await exportArchive(second.opened, join(folder, 'b'), 'c0ffee');
  expect(contentOf(join(folder, 'b'))).toEqual(contentOf(join(folder, 'a')));
  await other.stop();
});
