/**
 * `npm run verify -- <base URL> [--rpc <url>]`: requests every endpoint in a deployed service's OpenAPI document, and
 * checks each answer against its schema, against what its headers promise, and against the contracts at the block that
 * it names. Does not use `lib`, so that errors there are found. Anybody can run it against any deployment. The exit
 * code is 1 if anything differs. With the folder of an archive instead of a URL, it checks that (archive.ts).
 */

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reasonOf } from '../tools/reason.ts';
import { verifyArchive } from './archive.ts';
import { type ChainSource, connectChain } from './chain.ts';
import { FIGURES } from './figures.ts';
import { headerFaults, repeatFaults, searchedBlock } from './headers.ts';
import { historyFaults } from './histories.ts';
import { type Answer, exampleOf, type Json, listed, openService, type Service, schemaFaults } from './service.ts';

export interface Row {
  path: string;
  /** The requested path, with values for its parameters. */
  url: string;
  /** 0 if the endpoint could not be checked. */
  status: number;
  /** Number of figures that were compared with the chain. */
  figures: number;
  /** Descriptions of the differences. */
  faults: string[];
}

/** Checks every endpoint. Throws if the service or the chain to compare it with cannot be reached. */
export async function verify(baseUrl: string, rpcUrl?: string): Promise<Row[]> {
  const service = await openService(baseUrl);
  const { body: health } = await service.request('/health');
  const chain = await connectChain(health?.chainId, rpcUrl);
  try {
    const rows: Row[] = [];
    const lists = new Map<string, Json>();
    // Lists first, because their items are used as path parameters of other endpoints.
    const inOrder = Object.keys(service.document.paths).toSorted((a, b) => a.split('{').length - b.split('{').length);
    for (const path of inOrder) {
      rows.push(await verifyEndpoint(service, chain, path, lists).catch((error) => unchecked(path, error)));
    }
    for (const refusal of REFUSALS) rows.push(await verifyRefusal(service, refusal));
    return service.throttled() > 0 ? [...rows, throttling(service.throttled())] : rows;
  } finally {
    chain.close();
  }
}

/** The list whose first entry is requested of an endpoint, unless it is the list at the same path. */
const LIST_OF: Record<string, string> = {
  '/accounts/{address}': '/stakers',
  '/accounts/{address}/calendar.ics': '/withdrawals',
  '/accounts/{address}/income': '/holders',
  '/ggAvax/{address}': '/holders',
  '/ggAvax/{address}/activity': '/holders',
  '/ggAvax/{address}/rewards': '/holders',
};

async function verifyEndpoint(
  service: Service,
  chain: ChainSource,
  path: string,
  lists: Map<string, Json>,
): Promise<Row> {
  // The examples are from the devnet, and other networks have other people and nodes.
  const list = lists.get(LIST_OF[path] ?? path.slice(0, path.indexOf('/{'))) ?? lists.get('/stakers');
  const url = exampleOf(service, path, listed(service, path, list));
  const answer = await service.request(url);
  lists.set(path, answer.body);
  const faults = [
    ...(answer.status === 200 || answer.status === 404 ? [] : [`status ${answer.status}`]),
    ...schemaFaults(service, path, answer),
    ...headerFaults(service, path, answer),
    ...(await repeatFaults(service, url, answer)),
  ];
  const row = { path, url, status: answer.status, faults, figures: 0 };
  // Figures can only be found in a body that matches its schema.
  if (answer.status !== 200 || faults.length > 0) return row;
  faults.push(...historyFaults(path, answer));
  if (faults.length > 0) return row;
  return { ...row, ...(await verifyFigures(chain, path, answer)) };
}

/** The row of an endpoint that could not be checked, so that the others still are. */
function unchecked(path: string, error: Error): Row {
  return { path, url: path, status: 0, figures: 0, faults: [`could not be checked: ${reasonOf(error)}`] };
}

async function verifyFigures(chain: ChainSource, path: string, { body, headers }: Answer): Promise<Partial<Row>> {
  for (const { number, timestamp } of [body?.block ?? {}, searchedBlock(body?.coverage) ?? {}]) {
    if (timestamp !== undefined && (await chain.timestamp(number)) !== timestamp)
      return { faults: [`block ${number} has a different timestamp on the chain`] };
  }
  const block = Number(body?.block?.number ?? headers.get('x-block-number'));
  const figures = (await FIGURES[path]?.(body, chain.at(block), chain.at)) ?? [];
  const wrong = figures.filter(({ served, expected }) => served !== expected);
  const faults = wrong.map(({ field, served, expected }) => `${field}: ${served}, the chain says ${expected}`);
  return { faults, figures: figures.length };
}

/** Requests that are refused, and words in the reason. */
const REFUSALS: readonly [url: string, status: number, code: string, reason: string][] = [
  ['/there-is-no-such-path', 404, 'NOT_FOUND', 'no such path'],
  ['/ggavax', 404, 'NOT_FOUND', 'no such path'],
  ['/supply/ggavax?limit=1', 400, 'INVALID_REQUEST', 'takes none'],
];

async function verifyRefusal(service: Service, [url, expected, code, reason]: (typeof REFUSALS)[number]): Promise<Row> {
  const { status, headers, body } = await service.request(url);
  const isProblem = status === expected && body?.code === code && body.detail?.includes(reason);
  const faults = isProblem ? [] : [`status ${status}, code ${body?.code}, detail ${body?.detail}`];
  if (headers.get('access-control-allow-origin') !== '*') faults.push('access-control-allow-origin: missing');
  return { path: url, url, status, figures: 0, faults };
}

/** The row with the remedy for refused requests. Other rows show them as wrong answers. */
function throttling(answers: number): Row {
  const remedy =
    "raise the account's quota of concurrent executions (docs/operations.md), or wait until there are fewer requests";
  const faults = [`${answers} answers were a 429, or a 503 of API Gateway itself: ${remedy}`];
  return { path: 'throttling', url: 'throttling', status: 0, figures: 0, faults };
}

/** The rows as a table, followed by the differences. */
export function report(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ path }) => path.length));
  const lines = rows.map(({ path, status, figures, faults }) => {
    const compared = figures > 0 ? `${figures} figures` : '';
    return `${path.padEnd(width)}  ${String(status).padStart(3)}  ${compared.padStart(11)}  ${faults.length === 0 ? 'ok' : `${faults.length} wrong`}`;
  });
  const wrong = rows.flatMap(({ url, faults }) => faults.map((fault) => `${url}: ${fault}`));
  const total = rows.reduce((sum, { figures }) => sum + figures, 0);
  const summary = `${rows.length} paths, ${total} figures compared with the chain, ${wrong.length} differences`;
  return [...lines, '', ...wrong, ...(wrong.length > 0 ? [''] : []), summary].join('\n');
}

async function verifyFolder(folder: string): Promise<number> {
  const { files, answers, incomes, faults } = await verifyArchive(folder);
  for (const fault of faults) console.log(fault);
  const checked = `${files} files, ${answers} answers and the income of ${incomes} addresses checked`;
  console.log(`${checked}, ${faults.length} differences`);
  return faults.length;
}

async function verifyService(baseUrl: string, rpcUrl?: string): Promise<number> {
  const rows = await verify(baseUrl, rpcUrl);
  console.log(report(rows));
  return rows.reduce((sum, { faults }) => sum + faults.length, 0);
}

const USAGE = 'Usage: npm run verify -- <base URL> [--rpc <url>], or npm run verify -- <folder of an archive>';

if (import.meta.main) {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { rpc: { type: 'string' } } });
    const [subject = ''] = positionals;
    const isService = /^https?:/.test(subject);
    if (!isService && !existsSync(subject)) throw new Error(USAGE);
    process.exitCode = (await (isService ? verifyService(subject, values.rpc) : verifyFolder(subject))) > 0 ? 1 : 0;
  } catch (error) {
    console.error(reasonOf(error as Error));
    process.exitCode = 1;
  }
}
