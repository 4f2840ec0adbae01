import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { exportArchive } from '../../../lib/archive/export.ts';
import { importArchive } from '../../../lib/archive/import.ts';
import { readManifest, verifyFiles } from '../../../lib/archive/verify-files.ts';
import { startTables, tablesForEachTest } from '../../support/tables.ts';
import { fillTables, itemsOf, startArchivist } from './sample.ts';

/** Tables that are exported and imported again are the same, attribute by attribute. */

tablesForEachTest();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const contentOf = (path: string) =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name)).toString('base64')]));

test('an import into empty tables restores every item, and an export of those gives the same bytes', async () => {
  const first = startArchivist();
  await fillTables(first);
  const tables = { ledger: await itemsOf('ledger'), history: await itemsOf('history') };
  expect(tables.ledger.length).toBeGreaterThan(200);
  expect(tables.history.length).toBeGreaterThan(60);
  await exportArchive(first.opened, join(folder, 'a'), 'c0ffee');

  const other = await startTables();
  const second = startArchivist();
  const manifest = readManifest(join(folder, 'a'));
  await verifyFiles(join(folder, 'a'), manifest.files);
  await importArchive(second.opened, join(folder, 'a'), manifest);
  expect({ ledger: await itemsOf('ledger'), history: await itemsOf('history') }).toEqual(tables);

  await exportArchive(second.opened, join(folder, 'b'), 'c0ffee');
  expect(contentOf(join(folder, 'b'))).toEqual(contentOf(join(folder, 'a')));
  await other.stop();
});
