import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportArchive } from '../../../lib/archive/export.ts';
import { importArchive } from '../../../lib/archive/import.ts';
import { POINT_KINDS } from '../../../lib/archive/kinds/points.ts';
import { parseManifest } from '../../../lib/archive/manifest.ts';
import { TableFiles } from '../../../lib/archive/table-files.ts';
import type { TableSpec } from '../../../lib/archive/table-spec.ts';
import { readManifest, verifyFiles } from '../../../lib/archive/verify-files.ts';
import type { TestRuntime } from '../../support/runtime.ts';
import { startTables, tablesForEachTest } from '../../support/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { entriesFrom, fillTables, itemsOf, NODE, START, startArchivist } from './sample.ts';

/** Faults of archives and tables have a readable message, and a second run completes any half-done work. */

let sound: string;
let expected: { ledger: string[]; history: string[] };

beforeAll(async () => {
  sound = temporaryFolder('sound');
  const database = await startTables();
  const runtime = startArchivist();
  await fillTables(runtime);
  expected = await bothTables();
  await exportArchive(runtime.opened, join(sound, 'archive'), 'c0ffee');
  await database.stop();
});

tablesForEachTest();

let folder: string;
let runtime: TestRuntime;
beforeEach(() => {
  folder = join(temporaryFolder('faulty'), 'archive');
  cpSync(join(sound, 'archive'), folder, { recursive: true });
  runtime = startArchivist();
});

async function bothTables() {
  return { ledger: await itemsOf('ledger'), history: await itemsOf('history') };
}

const inFolder = (name: string) => join(folder, name);
const verified = () => verifyFiles(folder, readManifest(folder).files);
const imported = (container = runtime) => importArchive(container.opened, folder, readManifest(folder));

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(path, bytes);
}

/** Changes the manifest as a person with an editor would. */
function editManifest(change: (manifest: Record<string, unknown>) => void): void {
  const manifest = JSON.parse(readFileSync(inFolder('manifest.json'), 'utf8'));
  change(manifest);
  writeFileSync(inFolder('manifest.json'), JSON.stringify(manifest));
}

describe('an archive', () => {
  test.each(['events-2024.parquet', 'prices-daily.csv', 'README.md'])('with one flipped bit in %s', async (name) => {
    flipBit(inFolder(name));
    await expect(verified()).rejects.toThrow(`${name}: is damaged: its SHA-256 is not the one in manifest.json`);
  });

  test('without one of its files', async () => {
    unlinkSync(inFolder('pool-hourly-2024.parquet'));
    await expect(verified()).rejects.toThrow('pool-hourly-2024.parquet: is missing');
  });

  test('with a folder in the place of a file', async () => {
    unlinkSync(inFolder('events-2025.csv'));
    mkdirSync(inFolder('events-2025.csv'));
    await expect(verified()).rejects.toThrow('events-2025.csv: is missing');
  });

  test('with a file that is cut short, or too long', async () => {
    truncateSync(inFolder('events-2025.csv'), 1_000);
    await expect(verified()).rejects.toThrow(/^events-2025\.csv: has 1000 bytes instead of \d+: it is cut short$/);
    cpSync(join(sound, 'archive', 'events-2025.csv'), inFolder('events-2025.csv'));
    appendFileSync(inFolder('events-2025.csv'), '\r\n');
    await expect(verified()).rejects.toThrow(/^events-2025\.csv: has \d+ bytes instead of \d+$/);
  });

  test('without a manifest, or with one that is none', () => {
    const message = 'manifest.json: is not the manifest of an archive, or is damaged';
    expect(() => parseManifest('{}')).toThrow(`${message} (archiveVersion: `);
    expect(() => parseManifest('<html>')).toThrow(`${message} (all of it: `);
    unlinkSync(inFolder('manifest.json'));
    expect(() => readManifest(folder)).toThrow(
      'has no manifest.json, so it is no archive, or its export has not finished',
    );
  });

  test.each(['../passwd', '..', 'a/../../passwd', ''])('whose manifest names a file elsewhere: %j', (name) => {
    editManifest((manifest) => {
      manifest.files = [{ name, bytes: 1, sha256: '0'.repeat(64) }];
    });
    expect(() => readManifest(folder)).toThrow(
      'manifest.json: is not the manifest of an archive, or is damaged (files.0.name: ',
    );
  });

  test.each([
    ['archiveVersion', '2'],
    ['commit', 'c0ffee\u001b[2J'],
    ['commit', '\u001b[2Jc0ffee'],
    ['day', '2026-11-01 or so'],
    ['day', '02026-11-01'],
  ])('whose manifest has the %s %j', (field, value) => {
    editManifest((manifest) => {
      manifest[field] = value;
    });
    expect(() => readManifest(folder)).toThrow(
      `manifest.json: is not the manifest of an archive, or is damaged (${field}: `,
    );
  });

  test('is read as it was written', () => {
    const manifest = readManifest(folder);
    expect(manifest.history).toMatchObject({ missing: expect.any(Number) });
    expect(manifest).toEqual(JSON.parse(readFileSync(inFolder('manifest.json'), 'utf8')));
  });

  test('of a newer version', () => {
    editManifest((manifest) => {
      manifest.archiveVersion = 2;
    });
    expect(() => readManifest(folder)).toThrow(
      'manifest.json: the archive has version 2, and this release reads up to 1: use a newer release',
    );
  });
});

describe('an import', () => {
  test('of another network is refused', async () => {
    await expect(imported(startArchivist({ NETWORK: 'fuji' }))).rejects.toThrow(
      'the archive is of devnet, and NETWORK is fuji',
    );
    expect(await bothTables()).toEqual({ ledger: [], history: [] });
  });

  test('of another version of the ledger is refused', async () => {
    editManifest((manifest) => {
      Object.assign(manifest.ledger as object, { version: 99 });
    });
    await expect(imported()).rejects.toThrow(
      /^the archive's events have version 99, and this release has \d+: use commit c0ffee$/,
    );
    expect(await bothTables()).toEqual({ ledger: [], history: [] });
  });

  test.each([
    ['a searched ledger', 'ledger', () => runtime.opened.ledger.progress.extend(5, 6, 0)],
    [
      'a recorded history',
      'history',
      () =>
        runtime.opened.history.write('1d', { timestamp: START, block: { number: 1, timestamp: START }, values: {} }),
    ],
  ])('into %s is refused, and changes nothing', async (_, table, fill) => {
    await fill();
    const before = await bothTables();
    await expect(imported()).rejects.toThrow(
      `the table ${table} is not empty, or holds an unfinished import of another archive`,
    );
    expect(await bothTables()).toEqual(before);
  });

  test('a second time is refused, because the tables are not empty', async () => {
    await imported();
    await expect(imported()).rejects.toThrow('the table history is not empty');
    expect(await bothTables()).toEqual(expected);
  });

  test('over an unfinished one of another archive is refused', async () => {
    await expect(
      importArchive(runtime.opened, folder, readManifest(folder), () => {
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    editManifest((manifest) => {
      manifest.commit = 'another';
    });
    await expect(imported()).rejects.toThrow(
      'the table ledger is not empty, or holds an unfinished import of another archive',
    );
  });

  test.each(['prices', 'pool'])('of points whose %s have other rows is refused', async (name) => {
    const kind = POINT_KINDS['1d'].find((one) => one.name === `${name}-daily`) as TableSpec;
    new TableFiles(folder, kind).close();
    await expect(imported()).rejects.toThrow('the files of points do not have the same rows');
  });

  test('during which a recorder has written is not taken for whole', async () => {
    let ran = false;
    const record = () => {
      if (!ran) void startArchivist().opened.ledger.progress.extend(500, 600, 0);
      ran = true;
    };
    await expect(importArchive(runtime.opened, folder, readManifest(folder), record)).rejects.toThrow(
      'a recorder has written the ledger during the import: stop it, empty the tables and try again',
    );
  });
});

describe('an export', () => {
  beforeEach(async () => {
    await fillTables(runtime);
  });

  test('into a folder that holds an archive, or anything else, is refused', async () => {
    await expect(exportArchive(runtime.opened, folder, 'c0ffee')).rejects.toThrow(
      'holds an archive already; choose another folder',
    );
    unlinkSync(inFolder('manifest.json'));
    await expect(exportArchive(runtime.opened, folder, 'c0ffee')).rejects.toThrow(
      'is not empty; choose another folder',
    );
  });

  test('of a ledger that has not been recorded is refused', async () => {
    const fuji = startArchivist({ NETWORK: 'fuji' });
    await expect(exportArchive(fuji.opened, inFolder('new'), 'c0ffee')).rejects.toThrow(
      'The ledger has not been recorded yet',
    );
  });

  test('that is killed is finished by a second one as of the block of the first', async () => {
    let left = 3;
    const onStep = () => {
      if (left === 0) throw new Error('killed');
      left -= 1;
    };
    const target = inFolder('new');
    await expect(exportArchive(runtime.opened, target, 'c0ffee', { onStep })).rejects.toThrow('killed');
    expect(() => readManifest(target)).toThrow('its export has not finished');
    // What has happened since is for the next archive.
    await runtime.opened.ledger.write(entriesFrom(100));
    await runtime.opened.ledger.progress.extend(100, 200, START);
    const { files } = await exportArchive(startArchivist().opened, target, 'c0ffee');
    expect(files).toEqual(readManifest(folder).files);
    await verifyFiles(target, files);
  });

  test.each<[string, (path: string) => void]>([
    ['is missing', unlinkSync],
    ['is cut short', (path) => truncateSync(path, 1_000)],
    ['has a flipped bit', flipBit],
  ])('of which a finished file %s makes that part again, and no other, with the same bytes', async (_, harm) => {
    const target = inFolder('new');
    const untilDays = ({ name }: { name: string }) => {
      if (name === 'history 1d') throw new Error('killed');
    };
    await expect(exportArchive(runtime.opened, target, 'c0ffee', { onSource: untilDays })).rejects.toThrow('killed');
    harm(join(target, 'events-2025.csv'));
    const made: string[] = [];
    await exportArchive(startArchivist().opened, target, 'c0ffee', { onSource: ({ name }) => made.push(name) });
    expect(made.slice(0, 2)).toEqual(['events', 'history 1d']);
    expect(readdirSync(target)).toEqual(readdirSync(join(sound, 'archive')));
    for (const name of readdirSync(target)) {
      const bytes = readFileSync(join(target, name));
      expect([name, bytes.equals(readFileSync(join(sound, 'archive', name)))]).toEqual([name, true]);
    }
  });

  test('that another network has begun is not continued', async () => {
    const target = inFolder('new');
    const onSource = () => {
      throw new Error('killed');
    };
    await expect(exportArchive(runtime.opened, target, 'c0ffee', { onSource })).rejects.toThrow('killed');
    await expect(exportArchive(startArchivist({ NETWORK: 'fuji' }).opened, target, 'c0ffee')).rejects.toThrow();
  });

  test('of a value that no column holds fails instead of losing it', async () => {
    const values = { somethingNew: 5n } as object;
    const point = { timestamp: START - 86_400, block: { number: 1, timestamp: 1 }, values };
    await runtime.opened.history.write('1d', point);
    await expect(exportArchive(runtime.opened, inFolder('new'), 'c0ffee')).rejects.toThrow(
      'the history has a value that this release does not know: somethingNew',
    );
    await runtime.opened.history.of(NODE).write('1d', point);
  });
});
