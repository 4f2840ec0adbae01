/**
 * Writes all data of the service into a folder. The same tables give the same bytes. An export may be killed at any
 * moment: the next run writes the incomplete parts, for the blocks of the first run.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '../api/services.ts';
import { WRITTEN_WITH_EVENTS } from '../ledger/mismatches.ts';
import { LEDGER_VERSION } from '../ledger/rows.ts';
import { isoDay } from '../values/iso-time.ts';
import { writeBundle } from './bundle.ts';
import { derivedSources } from './derived-sources.ts';
import { toCitation, toDataPackage } from './descriptors.ts';
import { HashedFile } from './hashed-file.ts';
import { columnsFor } from './kinds/events.ts';
import { ARCHIVE_VERSION, ArchiveError, type ArchiveFile, MANIFEST, type Manifest, manifestText } from './manifest.ts';
import { type Archive, eventsIn } from './read-table.ts';
import { toReadme } from './readme.ts';
import { readRecordedPast } from './recorded-past.ts';
import { TableFiles } from './table-files.ts';
import { type TableSource, tableSources } from './table-sources.ts';
import type { TableSpec } from './table-spec.ts';
import { verifyFiles } from './verify-files.ts';

/** The manifest of an unfinished export: it has the files of the parts that are finished. */
const UNFINISHED = 'unfinished.json';

export interface ExportOptions {
  /** More tables, at the archive's block. They are read last. */
  moreSources?: (block: Manifest['block']) => readonly TableSource[];
  /** Writes more files, once the tables are written. The file that it returns is added to the manifest. */
  moreFiles?: (archive: Archive, kinds: readonly TableSpec[]) => Promise<ArchiveFile>;
  onSource?: (source: Pick<TableSource, 'name' | 'total'>) => void;
  /** Reports progress: the part of the source's total that has been read, and the number of rows written in all. */
  onStep?: (done: number, rows: number) => void;
}

/**
 * Exports to a folder, and creates it if necessary. Throws an {@link ArchiveError} if the folder holds anything but an
 * unfinished export of this network, and UPSTREAM_UNAVAILABLE if a table does not answer.
 */
export async function exportArchive(
  context: Services,
  folder: string,
  commit: string,
  { moreSources = () => [], moreFiles, onSource, onStep }: ExportOptions = {},
): Promise<Manifest> {
  const made = readUnfinished(folder) ?? (await newManifest(context, commit));
  if (made.network !== context.config.network.name)
    throw new ArchiveError(`${folder}: holds an unfinished export of ${made.network}; choose another folder`);
  const keepProgress = () => writeWhole(folder, UNFINISHED, manifestText(made));
  keepProgress();
  let rows = 0;
  const { withdrawQueue } = context.config.network;
  const wanted = [
    ...(await tableSources(context, made.ledger)),
    ...derivedSources({
      head: made,
      withdrawQueue,
      events: (types) => eventsIn(folder, made.files, columnsFor(types)),
    }),
    ...moreSources(made.block),
  ];
  for (const source of wanted) {
    const own = filesOf(source.kinds, made.files);
    if (await areWhole(folder, own)) continue;
    onSource?.(source);
    const files = await writeTables(folder, source, (done, added) => {
      rows += added;
      onStep?.(done, rows);
    });
    made.files = [...made.files.filter((file) => !own.includes(file)), ...files];
    keepProgress();
  }
  const kinds = wanted.flatMap((source) => source.kinds);
  const tables = { ...made, files: filesOf(kinds, made.files) };
  const more = await moreFiles?.({ folder, manifest: tables }, kinds);
  const manifest = await finish(folder, { ...tables, files: [...tables.files, ...(more ? [more] : [])] }, kinds);
  rmSync(join(folder, UNFINISHED));
  return manifest;
}

/** The files of these kinds, kind by kind. */
function filesOf(kinds: readonly TableSpec[], files: readonly ArchiveFile[]): ArchiveFile[] {
  return kinds.flatMap(({ name }) => files.filter(({ kind }) => kind === name));
}

/** True if there are such files, and each has the size and hash of the manifest. */
async function areWhole(folder: string, files: readonly ArchiveFile[]): Promise<boolean> {
  try {
    await verifyFiles(folder, files);
    return files.length > 0;
  } catch (error) {
    if (error instanceof ArchiveError) return false;
    throw error;
  }
}

/** The manifest of this folder's unfinished export, if any. Throws an {@link ArchiveError} if it holds anything else. */
function readUnfinished(folder: string): Manifest | undefined {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(folder);
  if (names.includes(UNFINISHED)) return JSON.parse(readFileSync(join(folder, UNFINISHED), 'utf8'));
  if (names.includes(MANIFEST)) throw new ArchiveError(`${folder}: holds an archive already; choose another folder`);
  if (names.length > 0) throw new ArchiveError(`${folder}: is not empty; choose another folder`);
  return undefined;
}

/** A manifest without files, up to the newest confirmed block of the ledger or, if there is none, the newest indexed block. */
async function newManifest(context: Services, commit: string): Promise<Manifest> {
  const { config } = context;
  const { progress } = context.ledger;
  const { coverage, coverageOf } = await progress.latestUncached();
  const { fromBlock: from, sources } = coverage;
  const { complete, confirmed } = coverageOf(WRITTEN_WITH_EVENTS);
  if (confirmed && !complete)
    throw new ArchiveError(`the events after block ${confirmed.number} do not match the contracts`);
  const { number: to, timestamp: toTimestamp } = confirmed ?? {
    number: coverage.toBlock,
    timestamp: coverage.toTimestamp,
  };
  const { first, contracts, check } = await progress.read();
  const mismatches = check?.mismatches.length ? check.mismatches : undefined;
  return {
    archiveVersion: ARCHIVE_VERSION,
    network: config.network.name,
    chainId: config.network.chainId,
    commit,
    day: isoDay(toTimestamp),
    block: { number: to, timestamp: toTimestamp },
    ledger: {
      version: LEDGER_VERSION,
      ...{ from, to, toTimestamp, first, sources, contracts: contracts.toSorted(), mismatches },
    },
    history: await readRecordedPast(context, toTimestamp),
    files: [],
  };
}

async function writeTables(
  folder: string,
  { kinds, read }: TableSource,
  onStep: (done: number, added: number) => void,
): Promise<ArchiveFile[]> {
  const files = kinds.map((kind) => new TableFiles(folder, kind));
  for await (const { rows, done } of read()) {
    for (const row of rows) for (const file of files) file.add(row);
    onStep(done, rows.length);
  }
  return files.flatMap((file) => file.close());
}

/** Writes the descriptions of the files, then the bundle, and the manifest last. */
async function finish(folder: string, manifest: Manifest, kinds: readonly TableSpec[]): Promise<Manifest> {
  const descriptions = {
    'README.md': toReadme(manifest, kinds),
    'datapackage.json': toDataPackage(manifest, kinds),
    'CITATION.cff': toCitation(manifest),
  };
  const files = Object.entries(descriptions).map(([name, text]) => {
    const file = new HashedFile(join(folder, name));
    file.write(text);
    return { name, ...file.close() };
  });
  const whole = { ...manifest, files: [...manifest.files, ...files] };
  await writeBundle(folder, whole);
  writeWhole(folder, MANIFEST, manifestText(whole));
  return whole;
}

/** Writes a file atomically: it is complete or not there, whenever the process is killed. */
function writeWhole(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
