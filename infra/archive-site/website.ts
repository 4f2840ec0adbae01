/**
 * Writes the website of an archive: the API's answers, tax files and pages, one person or node after the other. It may be
 * killed at any time: the next run writes the missing files.
 */

import { readFileSync } from 'node:fs';
import type { Bodies } from '../../functions/index.ts';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import type { Services } from '../../lib/api/services.ts';
import { archiveContext } from '../../lib/archive/archive-context.ts';
import type { ArchiveFile } from '../../lib/archive/manifest.ts';
import { readOtherHolders } from '../../lib/archive/other-holders.ts';
import type { Archive } from '../../lib/archive/read-table.ts';
import { describeMissing } from '../../lib/archive/recorded-past.ts';
import { type Subjects, subjectsIn } from '../../lib/archive/subjects.ts';
import type { TableSpec } from '../../lib/archive/table-spec.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import { inParallel } from '../../lib/runtime/parallel.ts';
import { openApiDocument } from '../site/openapi.ts';
import { addressPage, type TaxFile } from './address-page.ts';
import { type ArchivedRequest, answerTo, formatTitle, pagesOf, protocolRequests, subjectRequests } from './answers.ts';
import type { Event } from './events.ts';
import { indexPage } from './index-page.ts';
import { type AnswerFile, type Edition, type Page, pageText } from './layout.ts';
import { listPage } from './list-page.ts';
import { nodePage } from './node-page.ts';
import { SiteFiles } from './site-files.ts';
import { taxFiles } from './tax-files.ts';

/** People written at once: their calls share requests to the chain. */
const PARALLEL = 50;

type Runtime = Parameters<typeof answerTo>[0];

interface Site {
  runtime: Runtime;
  files: SiteFiles;
  edition: Edition;
  years: readonly number[];
  contracts: Bodies['/contracts']['contracts'];
  onMissing: (file: string) => void;
}

interface Reports {
  /** Number of people and nodes whose files are written. */
  onStep?: (done: number, total: number) => void;
  /** An answer about the protocol or a node whose source did not answer: the archive lacks it. */
  onMissing?: (file: string) => void;
}

/** Writes the website into the archive's folder. Returns the file with the hashes of its files. */
export async function writeWebsite(
  context: Services,
  archive: Archive,
  kinds: readonly TableSpec[],
  { onStep = () => {}, onMissing = () => {} }: Reports = {},
): Promise<ArchiveFile> {
  const { folder, manifest } = archive;
  const opened = await archiveContext(context, archive);
  const { first = manifest.ledger.from } = manifest.ledger;
  const others = await readOtherHolders(opened.chain, { from: first, to: manifest.block.number });
  const subjects = await subjectsIn(folder, manifest.files);
  const addresses = [...new Set([...subjects.holders, ...subjects.stakers, ...others])].sort();
  const runtime = runtimeWith(opened);
  const request = { endpoint: ENDPOINTS.contracts as Endpoint, params: {}, query: {} };
  const { contracts }: Bodies['/contracts'] = JSON.parse((await answerTo(runtime, request)) as string);
  const site: Site = {
    runtime,
    contracts,
    files: new SiteFiles(folder),
    edition: { network: manifest.network, block: manifest.block, missing: describeMissing(manifest) },
    years: listYears(manifest),
    onMissing,
  };
  const { nodes } = subjects;
  const units: [name: string, write: () => Promise<void>][] = [
    ...addresses.map(
      (address) => [address, () => writeAddress(site, address, subjects)] as [string, () => Promise<void>],
    ),
    ...nodes.map((nodeID) => [nodeID, () => writeNode(site, nodeID)] as [string, () => Promise<void>]),
    ['lists', async () => writeLists(site, addresses, nodes)],
    ['index', () => writeIndex(site, { addresses: addresses.length, nodes: nodes.length, manifest, kinds })],
  ];
  let done = 0;
  await inParallel(units, PARALLEL, async ([name, write]) => {
    if (!site.files.isDone(name)) await write();
    onStep(++done, units.length);
  });
  return site.files.close();
}

function listYears({ block, history }: Archive['manifest']): number[] {
  const yearOf = (seconds: number) => new Date(seconds * 1_000).getUTCFullYear();
  const last = yearOf(block.timestamp);
  const first = yearOf(history?.recordedFrom ?? block.timestamp);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

type Day = Bodies['/metrics/history']['points'][number];
type Unit = ReturnType<SiteFiles['begin']>;

/** Writes answers, page by page. Returns them in order. Every answer about an address is required. */
async function writeAnswers({ runtime, onMissing }: Site, unit: Unit, requests: readonly ArchivedRequest[]) {
  const answers: (AnswerFile & { body: unknown })[] = [];
  for (const request of requests) {
    const title = formatTitle(request);
    try {
      for await (const { file, page, text, body } of pagesOf(runtime, request)) {
        const path = `api/${file}.json`;
        unit.write(path, text);
        answers.push({ path, title: page === 1 ? title : `${title}, part ${page}`, body });
      }
    } catch (error) {
      if (request.params.address || !(error instanceof ApiError && error.status === 503)) throw error;
      onMissing(request.file);
    }
  }
  return answers;
}

type Answers = Awaited<ReturnType<typeof writeAnswers>>;

/** The body of an answer; undefined if there is none. */
function bodyOf<Path extends keyof Bodies>(answers: Answers, file: string): Bodies[Path] | undefined {
  return answers.find(({ path }) => path === `api/${file}.json`)?.body as Bodies[Path] | undefined;
}

/** The entries of a list that is divided by year. */
function entriesIn<Entry>(answers: Answers, file: string, list: string): Entry[] {
  const parts = answers.filter(({ path }) => path.startsWith(`api/${file}/2`));
  return parts.flatMap(({ body }) => (body as Record<string, Entry[]>)[list] ?? []);
}

function writePage({ edition }: Site, unit: Unit, path: string, page: Page): void {
  unit.write(path, pageText(edition, page));
}

async function writeAddress(site: Site, address: string, { holders, stakers }: Subjects): Promise<void> {
  const unit = site.files.begin(address);
  const [isHolder, isStaker] = [holders.has(address), stakers.has(address)];
  const names = [
    'accounts',
    ...(isHolder ? ['ggAvax', 'withdrawals'] : []),
    ...(isStaker ? ['stakers', 'rewards'] : []),
  ];
  const answers = await writeAnswers(site, unit, subjectRequests('address', address, { names, years: site.years }));
  const income = bodyOf<'/accounts/{address}/income'>(answers, `accounts/${address}/income`);
  const taxes: TaxFile[] = [];
  for await (const { text, ...file } of income ? taxFiles(site.runtime, income) : []) {
    unit.write(file.path, text);
    taxes.push(file);
  }
  const page = addressPage({
    network: site.edition.network,
    account: bodyOf<'/accounts/{address}'>(answers, `accounts/${address}`) as Bodies['/accounts/{address}'],
    contractNames: new Map(site.contracts.map(({ name, address }) => [address, name])),
    income,
    taxFiles: taxes,
    events: ['ggAvax', 'stakers'].flatMap((of) => entriesIn<Event>(answers, `${of}/${address}/activity`, 'activity')),
    days: entriesIn(answers, `ggAvax/${address}/rewards`, 'days'),
    answers,
  });
  writePage(site, unit, `address/${address}.html`, page);
  unit.end();
}

async function writeNode(site: Site, nodeID: string): Promise<void> {
  const unit = site.files.begin(nodeID);
  const requests = subjectRequests('nodeID', nodeID, { names: ['minipools', 'validators'], years: site.years });
  const answers = await writeAnswers(site, unit, requests);
  const minipool = bodyOf<'/minipools/{nodeID}'>(answers, `minipools/${nodeID}`);
  const events = entriesIn<Event>(answers, `minipools/${nodeID}/activity`, 'activity');
  const page = nodePage({ network: site.edition.network, nodeID, minipool, events, answers });
  writePage(site, unit, `node/${nodeID}.html`, page);
  unit.end();
}

function writeLists(site: Site, addresses: readonly string[], nodes: readonly string[]): void {
  const unit = site.files.begin('lists');
  for (const digit of '0123456789abcdef') {
    const those = addresses.filter((address) => address[2] === digit);
    writePage(site, unit, `lists/${digit}.html`, listPage(`Addresses that begin with 0x${digit}`, 'address', those));
  }
  writePage(site, unit, 'lists/nodes.html', listPage('Nodes', 'node', nodes));
  unit.end();
}

type Counts = Pick<Parameters<typeof indexPage>[0], 'addresses' | 'nodes' | 'manifest' | 'kinds'>;

async function writeIndex(site: Site, counts: Counts): Promise<void> {
  const unit = site.files.begin('index');
  const answers = await writeAnswers(site, unit, protocolRequests(site.years));
  const days = entriesIn<Day>(answers, 'metrics/history/1d', 'points');
  const metrics = bodyOf<'/metrics'>(answers, 'metrics') as Bodies['/metrics'];
  writePage(site, unit, 'index.html', indexPage({ ...counts, metrics, days, contracts: site.contracts }));
  unit.write('api/openapi.json', JSON.stringify(openApiDocument()));
  unit.write('site.css', `${readSource('../site/pages/shared/style.css')}\n${readSource('site.css')}`);
  unit.write('search.js', readSource('search.js'));
  unit.end();
}

function readSource(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
