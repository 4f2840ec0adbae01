/** The whole export: tables, answers, people and pages, step by step. An interrupted one goes on with the first unfinished step. */

import type { Bodies } from '../../functions/index.ts';
import type { Services } from '../../lib/api/services.ts';
import { toCitation, toDataPackage, toReadme } from '../../lib/archive/descriptions.ts';
import { type Edition, readEdition } from '../../lib/archive/edition.ts';
import { ArchiveError, ExportFolder, type StepFiles } from '../../lib/archive/export-folder.ts';
import { readOtherHolders } from '../../lib/archive/other-holders.ts';
import { type Pin, pinnedServices, readPin } from '../../lib/archive/pinned.ts';
import { writeRows } from '../../lib/archive/table.ts';
import { listSubjects, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import { inParallel } from '../../lib/runtime/parallel.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';
import { isoTime } from '../../lib/values/iso-time.ts';
import { createProgress } from '../local/progress.ts';
import { openApiDocument } from '../site/openapi.ts';
import { Answers, protocolPaths } from './answers.ts';
import type { Pages } from './page-props.ts';
import { loadPages } from './render.ts';
import { tableSources } from './tables.ts';
import { writeFront, writeLists, writeNode, writePersonWithPage } from './write-pages.ts';

/** People written at once: their calls share requests to the chain. */
const PARALLEL = 50;

interface ExportOptions {
  commit: string;
  /** True to export although history is incomplete. */
  mayBeIncomplete?: boolean | undefined;
  /** URLs of other copies, which the first page names. */
  copies?: readonly string[] | undefined;
  /** Prints a line about what is done. */
  log?: ((line: string) => void) | undefined;
}

interface Subjects {
  holders: string[];
  stakers: string[];
  nodes: string[];
}

export interface Work {
  context: Services;
  answers: Answers;
  folder: ExportFolder;
  edition: Edition;
  copies: readonly string[];
  pages: Pages;
  contracts: Bodies['/contracts']['contracts'];
  /** Steps whose source did not answer, with the reason. */
  unanswered: string[];
  log: (line: string) => void;
}

/**
 * Exports to a folder. Returns its number of files and bytes, and what is missing. Throws an {@link ArchiveError} if the folder
 * cannot be used, or if history is incomplete, and UPSTREAM_UNAVAILABLE if a table or the chain does not answer.
 */
export async function exportAll(
  services: Services,
  path: string,
  { commit, mayBeIncomplete, copies = [], log = () => {} }: ExportOptions,
): Promise<{ files: number; bytes: number; missing: string[] }> {
  const folder = new ExportFolder(path);
  const started = await folder.run('start', async () => {
    const pin = await readPin(services);
    const edition = await readEdition(pinnedServices(services, pin), pin.block, commit);
    requireComplete(edition, mayBeIncomplete);
    return { pin, edition };
  });
  const { pin, edition }: { pin: Pin; edition: Edition } = started;
  if (edition.network !== services.config.network.name)
    throw new ArchiveError(`${path}: holds an unfinished export of ${edition.network}; choose another folder`);
  const context = pinnedServices(services, pin);
  const answers = new Answers(runtimeWith(context));
  const pages = await loadPages();
  const { contracts } = (await answers.body<Bodies['/contracts']>('/contracts')) as Bodies['/contracts'];
  const work: Work = { context, answers, folder, edition, copies, pages, contracts, unanswered: [], log };
  const { number, timestamp } = edition.block;
  log(`Exporting ${edition.network} up to block ${number} of ${isoTime(timestamp)} to ${path}`);
  for (const clause of edition.missing) log(`Incomplete: ${clause}`);
  const subjects = await folder.run('subjects', () => readSubjects(context));
  const others = await folder.run('other holders', () => readOthers(work));
  const addresses = [...new Set([...subjects.holders, ...subjects.stakers, ...others])].sort();
  await writeTables(work, subjects.stakers);
  await writeAnswers(work);
  await writePeople(work, addresses, subjects);
  await writeLists(work, addresses, subjects.nodes);
  const missing = [...edition.missing, ...work.unanswered];
  const tables = tableSources(context, answers, edition, []);
  await folder.run('descriptions', async (files) => {
    const described = { ...edition, missing };
    files.write('datapackage.json', toDataPackage(described, tables, folder.files));
    files.write('README.md', toReadme(described, tables, folder.files));
    files.write('CITATION.cff', toCitation(edition));
    files.write('openapi.json', JSON.stringify(openApiDocument()));
  });
  await writeFront(work, tables, { addresses: addresses.length, nodes: subjects.nodes.length });
  return { ...folder.finish(), missing };
}

function requireComplete({ missing }: Edition, mayBeIncomplete: boolean | undefined): void {
  if (missing.length === 0 || mayBeIncomplete) return;
  const why = `${missing.join('; ')}: wait for the recorder, run npm run backfill, or use --incomplete`;
  throw new ArchiveError(`History is incomplete: ${why}`);
}

/** The participants of all events, sorted: addresses in lower-case hex, nodes as `NodeID-…`. */
async function readSubjects({ ledger }: Services): Promise<Subjects> {
  const found = new Set<string>();
  const { coverage } = await ledger.progress.latest();
  for await (const entries of ledger.pages(subjectOf.protocol, coverage))
    for (const entry of entries) for (const subject of listSubjects(entry)) found.add(subject);
  const subjects = [...found].map((subject) => subject.split('#'));
  const named = (wanted: string) => [
    ...new Set(subjects.flatMap(([kind, name]) => (name && kind === wanted ? name : []))),
  ];
  return {
    holders: named('holder').sort(),
    stakers: named('staker').sort(),
    nodes: named('node').map(formatNodeID).sort(),
  };
}

async function readOthers({ context, edition, log }: Work): Promise<string[]> {
  const { fromBlock } = (await context.ledger.progress.latest()).coverage;
  const { number: to } = edition.block;
  const report = createProgress((line) =>
    log(`Blocks searched for holders of pstAVAX, xGGP, xAVAX and locks: ${line}`),
  );
  return readOtherHolders(context.chain, { from: fromBlock, to }, (count) => report(count, to - fromBlock + 1));
}

async function writeTables(work: Work, stakers: readonly string[]): Promise<void> {
  const { context, answers, edition, log } = work;
  for (const table of tableSources(context, answers, edition, stakers)) {
    await optional(work, `table ${table.name}`, async (files) => {
      let rows = 0;
      for await (const page of table.read()) {
        writeRows(files, table, page);
        rows += page.length;
      }
      log(`Table ${table.name}: ${rows} rows`);
    });
  }
}

async function writeAnswers(work: Work): Promise<void> {
  for (const { path } of protocolPaths())
    await optional(work, `api${path}`, async (files) => {
      const text = await work.answers.text(path);
      if (text !== undefined) files.write(`api${path}.json`, text);
    });
}

async function writePeople(work: Work, addresses: readonly string[], subjects: Subjects): Promise<void> {
  const [holders, stakers] = [new Set(subjects.holders), new Set(subjects.stakers)];
  const { folder, log } = work;
  const report = createProgress((line) => log(`Addresses: ${line}`));
  await inParallel(addresses, PARALLEL, async (address) => {
    const roles = { isHolder: holders.has(address), isStaker: stakers.has(address) };
    await folder.run(address, (files) => writePersonWithPage(work, files, address, roles));
    report(1, addresses.length);
  });
  const reportNode = createProgress((line) => log(`Nodes: ${line}`));
  await inParallel(subjects.nodes, PARALLEL, async (nodeID) => {
    await folder.run(nodeID, (files) => writeNode(work, files, nodeID));
    reportNode(1, subjects.nodes.length);
  });
}

/** Runs a step that the export can do without. If its source answers none of three attempts, the export lacks it. */
async function optional(
  work: Work,
  step: string,
  write: (files: StepFiles) => Promise<void>,
  attempts = 3,
): Promise<void> {
  try {
    await work.folder.run(step, write);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 503)) throw error;
    if (attempts > 1) return optional(work, step, write, attempts - 1);
    work.unanswered.push(`${step} (${error.message})`);
  }
}
