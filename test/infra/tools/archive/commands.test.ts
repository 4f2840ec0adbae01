import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Row } from '../../../../lib/archive/column.ts';
import { EVENTS } from '../../../../lib/archive/kinds/events.ts';
import { manifestText } from '../../../../lib/archive/manifest.ts';
import { TableFiles } from '../../../../lib/archive/table-files.ts';
import { readManifest, verifyFiles } from '../../../../lib/archive/verify-files.ts';
import { entriesFrom, fillTables, itemsOf, START, startArchivist } from '../../../lib/archive/sample.ts';
import { deadUrl, startServer, stoppedAfterEach } from '../../../support/servers.ts';
import { startTables, tablesForEachTest } from '../../../support/tables.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { run } from '../../run.ts';

/** `npm run export` and `npm run import` as an operator runs them: processes of their own, which may be killed. */

let folder: string;
let archive: string;

tablesForEachTest();
const stopLater = stoppedAfterEach();
beforeEach(async () => {
  folder = temporaryFolder('commands');
  archive = join(folder, 'archive');
  await fillTables(startArchivist());
});

function start(command: 'export' | 'import', args: string[], env: Record<string, string> = {}) {
  const own = { NETWORK: 'devnet', RPC_URLS: 'http://127.0.0.1:1', TMPDIR: folder };
  return run(`infra/tools/archive/${command}.ts`, args, { ...process.env, ...own, ...env });
}

async function finished(command: 'export' | 'import', args: string[], env?: Record<string, string>) {
  const { output, code } = start(command, args, env);
  return { code: await code, text: output.text };
}

/** From now on, the tables are empty ones. */
const emptyTables = async () => stopLater(await startTables());
const bothTables = async () => ({ ledger: await itemsOf('ledger'), history: await itemsOf('history') });
const contentOf = (path: string) =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name)).toString('base64')]));

describe('an export and an import', () => {
  test('say what they do, and restore every item', async () => {
    const before = await bothTables();
    const exported = await finished('export', [archive, '--incomplete']);
    expect(exported).toMatchObject({ code: 0 });
    expect(exported.text).toMatch(
      /^Incomplete: 1 day of .*\nExporting events\n.*Exporting history 1h\n.*Exporting distributions\n/ms,
    );
    expect(exported.text).toMatch(/Done: \d+ files, \d\.\d MB, to block 99, in \d+\.\d s\.\n$/);
    await verifyFiles(archive, readManifest(archive).files);

    await emptyTables();
    const imported = await finished('import', [archive]);
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.text).toMatch(
      /^Checking \d+ files\n.*Not compared with the chain: events \(.*Importing devnet up to block 99\n.*Done: \d+ rows in \d+\.\d s\.\n$/s,
    );
    expect(await bothTables()).toEqual(before);
  });

  test('killed at any moment are finished when they are run again', async () => {
    const before = await bothTables();
    await finished('export', [archive, '--incomplete']);
    const interrupted = join(folder, 'interrupted');
    for (const ms of [300, 600, 900, 1_200]) {
      const { child, code } = start('export', [interrupted, '--incomplete']);
      setTimeout(() => child.kill('SIGKILL'), ms);
      await code;
    }
    if (!existsSync(join(interrupted, 'manifest.json')))
      expect(await finished('export', [interrupted, '--incomplete'])).toMatchObject({ code: 0 });
    expect(contentOf(interrupted)).toEqual(contentOf(archive));

    await emptyTables();
    for (const ms of [300, 600, 900]) {
      const { child, code } = start('import', [archive]);
      setTimeout(() => child.kill('SIGKILL'), ms);
      await code;
    }
    const last = await finished('import', [archive]);
    expect(last.code === 0 || last.text.includes('is not empty')).toBe(true);
    expect(await bothTables()).toEqual(before);
  });

  test.each([
    ['export', [], 'name a folder: npm run export -- DIR [--incomplete]\n'],
    ['export', ['a', '--everything'], 'name a folder: npm run export -- DIR [--incomplete]\n'],
    ['import', [], 'name an archive: npm run import -- DIR, or -- URL\n'],
    ['import', ['a', 'b'], 'name an archive: npm run import -- DIR, or -- URL\n'],
    ['import', ['/nowhere'], '/nowhere: has no manifest.json, so it is no archive, or its export has not finished\n'],
  ] as const)('%s %j says in one line what is wrong', async (command, args, message) => {
    expect(await finished(command, [...args])).toEqual({ code: 1, text: message });
  });

  test('of a past that is not whole says so, and needs --incomplete', async () => {
    const missing = '1 day of the history is missing (recorded from 2024-12-30)';
    expect(await finished('export', [archive])).toEqual({
      code: 1,
      text: `${missing}: wait for the recorder, run npm run backfill, or use --incomplete to export before history is complete\n`,
    });
    expect(existsSync(archive)).toBe(false);
    await finished('export', [archive, '--incomplete']);
    expect(readManifest(archive).history).toEqual({ recordedFrom: START, missing: 1 });
    expect(readFileSync(join(archive, 'README.md'), 'utf8')).toContain(`**Incomplete**: ${missing}.`);
  });

  test('a table that takes no rows is not the fault of the archive', async () => {
    await finished('export', [archive, '--incomplete']);
    await emptyTables();
    const silent = await startServer(async (request, response) => {
      if (String(request.headers['x-amz-target']).endsWith('BatchWriteItem')) return undefined;
      const headers = request.headers as Record<string, string>;
      const answer = await fetch(String(process.env.AWS_ENDPOINT_URL_DYNAMODB), {
        ...{ method: 'POST', headers, body: await text(request) },
      });
      return response.writeHead(answer.status).end(await answer.text());
    });
    stopLater(silent);
    const imported = await finished('import', [archive], { AWS_ENDPOINT_URL_DYNAMODB: silent.url });
    expect(imported).toMatchObject({ code: 1 });
    expect(imported.text).toMatch(/\na table did not answer: run it again \(.*\)\n$/);
  });

  test('rows of a strange archive are its fault', async () => {
    await finished('export', [archive, '--incomplete']);
    const files = new TableFiles(archive, EVENTS);
    files.add({ ...entriesFrom(10)[0], type: 'nonsense' } as unknown as Row);
    const strange = files.close();
    const { files: others, ...manifest } = readManifest(archive);
    const whole = { ...manifest, files: [...others.filter(({ kind }) => kind !== EVENTS.name), ...strange] };
    writeFileSync(join(archive, 'manifest.json'), manifestText(whole));
    await emptyTables();
    const imported = await finished('import', [archive]);
    expect(imported).toMatchObject({ code: 1 });
    expect(imported.text).toMatch(/\nthe archive holds rows that this release cannot read \(.*\)\n$/);
  });
});

describe('an import from a URL', () => {
  let url: string;
  /** Maximum number of bytes sent of each file. */
  let limit: number;
  let asked: string[];

  beforeEach(async () => {
    limit = Number.POSITIVE_INFINITY;
    asked = [];
    await finished('export', [archive, '--incomplete']);
    const server = await startServer((request, response) => {
      asked.push(String(request.url));
      const path = join(archive, String(request.url).replace('/a/', ''));
      if (!existsSync(path)) return response.writeHead(404).end();
      const content = readFileSync(path);
      response.writeHead(200, { 'Content-Length': content.length });
      if (path.endsWith('.json') || content.length <= limit) return response.end(content);
      return response.write(content.subarray(0, limit), () => setTimeout(() => response.destroy(), 50));
    });
    stopLater(server);
    url = `${server.url}/a`;
  });

  test('downloads the Parquet files only, and checks them', async () => {
    const before = await bothTables();
    await emptyTables();
    expect(await finished('import', [url])).toMatchObject({ code: 0 });
    expect(await bothTables()).toEqual(before);
    expect(asked.filter((path) => !path.endsWith('.parquet'))).toEqual(['/a/manifest.json']);
  });

  test('that breaks off writes nothing, and can be repeated', async () => {
    const before = await bothTables();
    await emptyTables();
    limit = 5_000;
    const broken = await finished('import', [`${url}/manifest.json`]);
    expect(broken.code).toBe(1);
    expect(broken.text).toMatch(/events-2024\.parquet: the download broke off/);
    expect(await bothTables()).toEqual({ ledger: [], history: [] });
    limit = Number.POSITIVE_INFINITY;
    expect(await finished('import', [url])).toMatchObject({ code: 0 });
    expect(await bothTables()).toEqual(before);
  });

  test('of a file that is longer than the manifest says is refused', async () => {
    await emptyTables();
    appendFileSync(join(archive, 'events-2025.parquet'), 'x');
    const long = await finished('import', [url]);
    expect([long.code, long.text]).toEqual([
      1,
      expect.stringMatching(/events-2025\.parquet: has more than \d+ bytes\n$/),
    ]);
    expect(await bothTables()).toEqual({ ledger: [], history: [] });
  });

  test('of files that are cut short, or of nothing, says so', async () => {
    await emptyTables();
    truncateSync(join(archive, 'events-2025.parquet'), 100);
    const short = await finished('import', [url]);
    expect(short).toMatchObject({ code: 1 });
    expect(short.text).toMatch(/events-2025\.parquet: has 100 bytes instead of \d+: it is cut short\n$/);
    const nothing = await finished('import', [`${url}/elsewhere`]);
    expect(nothing.text).toMatch(/elsewhere\/manifest\.json: answers with status 404\n$/);
    expect((await finished('import', [await deadUrl()])).text).toMatch(/manifest\.json: does not answer/);
    expect(await bothTables()).toEqual({ ledger: [], history: [] });
  });
});
