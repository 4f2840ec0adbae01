/**
 * `npm run verify -- <base URL> [--rpc <url>]`: requests every endpoint in a deployed service's OpenAPI document, and
 * checks each answer against its schema, against what its headers promise, and against the contracts at the block that
 * it names. Does not use `lib`, so that errors there are found. Anybody can run it against any deployment. The exit
 * code is 1 if anything differs.
 */

import { parseArgs } from 'node:util';
import { reasonOf } from '../local/reason.ts';
import { connectChain } from './chain.ts';
import { type Row, verifyEndpoint } from './endpoint.ts';
import { type Json, openService, type Service } from './service.ts';

/** Endpoints that are checked at once. All clients together may send 20 requests a second. */
const CONCURRENCY = 4;

/** Checks every endpoint. Throws if the service or the chain to compare it with cannot be reached. */
export async function verify(baseUrl: string, rpcUrl?: string): Promise<Row[]> {
  const service = await openService(baseUrl);
  const { body: health } = await service.request('/health');
  const chain = await connectChain(health?.chainId, rpcUrl);
  try {
    const rows = new Map<string, Row>();
    const lists = new Map<string, Json>();
    const verifyAll = async (paths: readonly string[]) => {
      const left = paths.values();
      const work = async () => {
        for (const path of left) {
          const checked = verifyEndpoint(service, chain, path, lists);
          const { body, ...row } = await checked.catch((error) => unchecked(path, error));
          rows.set(path, row);
          lists.set(path, body);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
    };
    const paths = Object.keys(service.document.paths);
    const isOfItem = (path: string) => path.includes('{');
    // Lists first, because their items are used as path parameters of other endpoints.
    await verifyAll(paths.filter((path) => !isOfItem(path)));
    await verifyAll(paths.filter(isOfItem));
    const refusals = await Promise.all(REFUSALS.map((refusal) => verifyRefusal(service, refusal)));
    const inOrder = paths.map((path) => rows.get(path) as Row);
    return [...inOrder, ...refusals, ...(service.throttled() > 0 ? [throttling(service.throttled())] : [])];
  } finally {
    chain.close();
  }
}

/** The row of an endpoint that could not be checked, so that the others still are. */
function unchecked(path: string, error: Error): Row & { body?: undefined } {
  return { path, url: path, status: 0, figures: 0, faults: [`could not be checked: ${reasonOf(error)}`] };
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

/** Prints the report. Returns the exit code: 1 for a wrong answer, 2 if some could not be compared. */
async function verifyService(baseUrl: string, rpcUrl?: string): Promise<number> {
  const rows = await verify(baseUrl, rpcUrl);
  console.log(report(rows));
  const faulty = rows.filter(({ faults }) => faults.length > 0);
  if (faulty.length === 0) return 0;
  return faulty.some(({ status }) => status !== 0 && status !== 429 && status < 500) ? 1 : 2;
}

const USAGE = 'Usage: npm run verify -- <base URL> [--rpc <url>]';

if (import.meta.main) {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { rpc: { type: 'string' } } });
    const [subject = ''] = positionals;
    if (!/^https?:/.test(subject)) throw new Error(USAGE);
    process.exitCode = await verifyService(subject, values.rpc);
  } catch (error) {
    console.error(reasonOf(error as Error));
    process.exitCode = 2;
  }
}
