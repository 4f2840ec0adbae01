/**
 * `npm run verify -- <base URL> [--rpc <url>]`: compares the money in a service's answers with the contracts, at the
 * block that each answer names. Shares no code that reads with the service. Exit code 1: a figure is wrong. 2: an answer
 * could not be compared.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { reasonOf } from '../local/terminal.ts';
import { type ChainSource, connectChain } from './chain.ts';
import { figuresIn, type Json } from './figure.ts';
import { EXPECTED, urlOf } from './paths.ts';

/** Repeats a request a second later while the service is busy: it answers 503 or 504 then, or closes a connection. */
async function request(url: string, attempts = 5): Promise<{ status: number; body: Json }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch((error) => {
    if (attempts === 1 || !/ECONNRESET|UND_ERR_SOCKET/.test(error.cause?.code)) throw error;
  });
  if (!response || (response.status >= 503 && attempts > 1)) {
    await pause(1_000);
    return request(url, attempts - 1);
  }
  return { status: response.status, body: await bodyOf(response) };
}

/** The body of an answer; a bare number as a `value` with the block that the headers name. */
export async function bodyOf(response: Response): Promise<Json> {
  const text = await response.text();
  if (!/^\s*[[{\d]/.test(text)) return undefined;
  const body = JSON.parse(text);
  if (typeof body !== 'number') return body;
  const block = response.headers.get('X-Block-Number');
  if (!block) throw new Error('the header X-Block-Number is missing');
  return { value: body, block: { number: Number(block) } };
}

/** Compares an answer, without what its `partial` names as missing. Throws if it cannot be compared. */
export async function compare(path: string, body: Json, chain: ChainSource) {
  const { block = {}, partial = [] } = body;
  const time = block.timestamp && { block: { timestamp: await chain.timeOf(block.number) } };
  const expected = { ...time, ...(await EXPECTED[path]?.(body, chain.at(Number(block.number)), chain)) };
  const isMissing = (field: string) => partial.some((name: string) => `${field}.`.startsWith(`${name}.`));
  const figures = figuresIn(body, expected).filter(({ field }) => !isMissing(field.replace(/^accounts\.\d+\./, '')));
  const wrong = figures.filter(({ served, expected }) => served !== expected);
  const faults = wrong.map(({ field, served, expected }) => `${field}: ${served}, the chain says ${expected}`);
  return { figures: figures.length, faults };
}

/** Compares the answer of a path. `failure` is the reason why it could not be compared. */
async function check(path: string, base: string, lists: Map<string, Json>, chain: ChainSource) {
  const url = urlOf(path, lists);
  try {
    const { status, body } = await request(base + url);
    if (status !== 200) throw new Error(`status ${status}`);
    lists.set(path, body);
    return { path, url, ...(await compare(path, body, chain)), partial: body.partial as string[] | undefined };
  } catch (error) {
    return { path, url, figures: 0, faults: [], failure: reasonOf(error as Error) };
  }
}

type Row = { failure?: string; partial?: string[] | undefined } & Awaited<ReturnType<typeof check>>;

/** Compares every path. Throws if the service or the chain cannot be reached. `print` gets a line for each path. */
export async function verify(baseUrl: string, rpcUrl?: string, print = (_line: string) => {}): Promise<Row[]> {
  const base = baseUrl.replace(/\/+$/, '');
  const { status, body: health } = await request(`${base}/health`);
  if (health?.chainId === undefined) throw new Error(`${base}/health names no chain (status ${status})`);
  const chain = await connectChain(health.chainId, rpcUrl);
  const rows: Row[] = [];
  const lists = new Map<string, Json>();
  try {
    for (const path of Object.keys(EXPECTED)) {
      const since = performance.now();
      const waiting = setInterval(
        () => print(`${path}: ${Math.round((performance.now() - since) / 1_000)} s so far`),
        10_000,
      );
      const row = await check(path, base, lists, chain);
      clearInterval(waiting);
      rows.push(row);
      for (const line of describe(row)) print(line);
    }
  } finally {
    chain.close();
  }
  return rows;
}

function describe({ path, url, figures, faults, partial, failure }: Row): string[] {
  const outcome = failure ? 'not compared' : faults.length > 0 ? `${faults.length} wrong` : 'ok';
  const details = [...(failure ? [failure] : faults), ...(partial ? [`missing: ${partial.join(', ')}`] : [])];
  return [`${path}: ${figures} figures, ${outcome}`, ...details.map((detail) => `  ${url}: ${detail}`)];
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { rpc: { type: 'string' } } });
  const [subject = ''] = positionals;
  if (!/^https?:/.test(subject)) throw new Error('Usage: npm run verify -- <base URL> [--rpc <url>]');
  const rows = await verify(subject, values.rpc, console.log);
  const wrong = rows.flatMap(({ faults }) => faults).length;
  const failed = rows.filter(({ failure }) => failure).length;
  const compared = rows.reduce((sum, { figures }) => sum + figures, 0);
  console.log(`${rows.length} paths, ${compared} figures compared, ${wrong} wrong, ${failed} paths not compared`);
  return wrong > 0 ? 1 : failed > 0 ? 2 : 0;
}

if (import.meta.main) {
  process.exitCode = await run().catch((error) => {
    console.error(reasonOf(error));
    return 2;
  });
}
