/** The whole export: tables, answers, people and pages, step by step. An interrupted one goes on with the first unfinished step. */

import type { Bodies } from '../../functions/index.ts';
import type { Services } from '../../lib/api/services.ts';
import { toCitation, toDataPackage, toReadme } from '../../lib/archive/descriptions.ts';
import { type Edition, readEdition } from '../../lib/archive/edition.ts';
import { ArchiveError, ExportFolder, type StepFiles } from '../../lib/archive/export-folder.ts';
import { pinnedServices } from '../../lib/archive/pinned.ts';
import { writeRows } from '../../lib/archive/table.ts';
import { secondsNow } from '../../lib/runtime/context.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import { inParallel } from '../../lib/runtime/parallel.ts';
import { isoDay, isoTime } from '../../lib/values/iso-time.ts';
import { createProgress } from '../local/progress.ts';
import { openApiDocument } from '../site/openapi.ts';
import { Answers, protocolPaths } from './answers.ts';
import { loadPages } from './render.ts';
import { readSubjects, type Subjects } from './subjects.ts';
import { type TableSource, tableSources } from './tables.ts';
import { type Work, writeFront, writeLists, writeNode, writePersonWithPage } from './write-pages.ts';

/** People written at once: their calls share requests to the chain. */
const PARALLEL = 50;

interface ExportOptions extends Pick<Edition, 'repository' | 'commit'> {
  /** True to export although history is incomplete. */
  mayBeIncomplete: boolean;
  /** Prints a line about what is done. */
  log: (line: string) => void;
}

/**
 * Exports to a folder. Returns its number of files and bytes. Throws an {@link ArchiveError} if the folder
 * cannot be used, or if something is missing, and UPSTREAM_UNAVAILABLE if a table or the chain does not answer.
 */
export async function exportAll(services: Services, path: string, options: ExportOptions) {
  const { repository, commit, mayBeIncomplete, log } = options;
  const { endsOn, network } = services.config;
  const folder = new ExportFolder(path);
  const isRefused = ({ missing }: Edition) => missing.length > 0 && !mayBeIncomplete;
  const { pin, edition } = await folder.run('start', async () => {
    const read = await readEdition(services, { repository, commit });
    if (isRefused(read.edition)) throw new ArchiveError(toRefusal(read.edition));
    return read;
  });
  // One begun by the last day lacks the rest of it, and what a refused one lacks may be there by now.
  const isOld = endsOn !== undefined && edition.madeOn <= endsOn && endsOn < isoDay(secondsNow(services));
  if (isOld || isRefused(edition) || edition.network !== network.name) {
    const kept = `unfinished export of ${edition.network} up to ${isoTime(pin.block.timestamp)}`;
    throw new ArchiveError(`${path}: holds an ${kept}; delete it, or choose another folder`);
  }
  const context = pinnedServices(services, pin);
  const answers = new Answers(runtimeWith(context));
  const pages = await loadPages();
  const { contracts } = (await answers.body<Bodies['/contracts']>('/contracts')) as Bodies['/contracts'];
  log(`Exporting ${edition.network} up to block ${pin.block.number} of ${isoTime(pin.block.timestamp)} to ${path}`);
  for (const { text } of edition.missing) log(`Incomplete: ${text}`);
  const subjects = await folder.run('subjects', () => readSubjects(context, log));
  const addresses = new Set(subjects.addresses);
  const work = { ...options, answers, folder, edition, pages, contracts, addresses };
  const tables = tableSources(context, answers, edition.since, subjects.stakers);
  await writeData(work, tables);
  await writePeople(work, subjects);
  await writeLists(work, subjects);
  await writeFront(work, tables, subjects.nodes.length);
  await folder.run('descriptions', async (files) => {
    files.write('datapackage.json', toDataPackage(edition, tables, folder.files));
    files.write('CITATION.cff', toCitation(edition));
    files.write('openapi.json', JSON.stringify(openApiDocument()));
    // Git would change the ends of lines, and GitHub Pages leave files out.
    files.write('.gitattributes', '* -text\n');
    files.write('.nojekyll', '\n');
  });
  await folder.run('readme', async (files) => files.write('README.md', toReadme(edition, tables, folder.files)));
  return folder.finish();
}

function toRefusal({ missing }: Edition): string {
  const gaps = missing.map(({ text }) => `- ${text}\n`).join('');
  return `Not exported: the copy would be incomplete.\n${gaps}Mend this first (docs/operations.md#end), or add --incomplete: files and pages then say it.`;
}

/** Writes tables and answers. An incomplete export goes without those whose source does not answer, and says so. */
async function writeData(work: Work & ExportOptions, tables: readonly TableSource[]): Promise<void> {
  const { answers, folder, edition, mayBeIncomplete, log } = work;
  const run = (step: string, write: (files: StepFiles) => Promise<void>) =>
    folder.run(step, write).catch((error: unknown) => {
      if (!mayBeIncomplete || !(error instanceof ApiError && error.status === 503)) throw error;
      edition.missing.push({ text: `${step} could not be read: ${error.message}` });
    });
  for (const table of tables)
    await run(`table ${table.name}`, async (files) => {
      let rows = 0;
      for await (const page of table.read()) {
        writeRows(files, table, page);
        rows += page.length;
      }
      log(`Table ${table.name}: ${rows} rows`);
    });
  for (const { path } of protocolPaths())
    await run(`api${path}`, async (files) => {
      const text = await answers.text(path);
      if (text !== undefined) files.write(`api${path}.json`, text);
    });
}

async function writePeople(work: Work & ExportOptions, subjects: Subjects): Promise<void> {
  const [holders, stakers] = [new Set(subjects.holders), new Set(subjects.stakers)];
  async function writeEach(kind: string, names: readonly string[], write: (files: StepFiles, name: string) => unknown) {
    const report = createProgress((line) => work.log(`${kind}: ${line}`));
    await inParallel(names, PARALLEL, async (name) => {
      await work.folder.run(name, async (files) => void (await write(files, name)));
      report(1, names.length);
    });
  }
  await writeEach('Addresses', subjects.addresses, (files, address) =>
    writePersonWithPage(work, files, address, { isHolder: holders.has(address), isStaker: stakers.has(address) }),
  );
  await writeEach('Nodes', subjects.nodes, (files, nodeID) => writeNode(work, files, nodeID));
}
