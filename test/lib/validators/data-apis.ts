import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { answerDataApi } from '../../../infra/devnet/avalanche-api.ts';
import type { DevnetValidator } from '../../../infra/devnet/devnet.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { DataApi } from '../../../lib/validators/data-api.ts';
import { startServer } from '../../support/servers.ts';

/** Data APIs that misbehave in one way each. */

interface PageRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** 1 for the first page. */
  page: number;
  /** 1 if this page is requested for the first time. */
  attempt: number;
  /** The response of a correct API. */
  body: PageBody;
}

// biome-ignore lint/suspicious/noExplicitAny: misbehaving APIs send what no type allows
export type PageBody = { validators: any[]; nextPageToken?: any };

/** Answers a page. */
export type Behaviour = (page: PageRequest) => void;

export const behaves: Behaviour = ({ response, body }) => response.end(JSON.stringify(body));

export const answers =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  ({ response }) =>
    response.writeHead(status, headers).end(body);

export const hangs: Behaviour = () => {};

export const stopsHalfway: Behaviour = ({ response, body }) => {
  response.write(JSON.stringify(body).slice(0, 1_000));
};

export const dropsConnection: Behaviour = ({ request }) => request.socket.destroy();

export const rewrites =
  (change: (body: PageBody) => PageBody): Behaviour =>
  ({ response, body }) =>
    response.end(JSON.stringify(change(body)));

export const onPage =
  (wanted: number, behaviour: Behaviour): Behaviour =>
  (page) =>
    (page.page === wanted ? behaviour : behaves)(page);

export const atFirst =
  (behaviour: Behaviour): Behaviour =>
  (page) =>
    (page.attempt === 1 ? behaviour : behaves)(page);

export async function startDataApi(validators: readonly DevnetValidator[], behaviour: Behaviour = behaves) {
  const requests: { url: URL; headers: IncomingHttpHeaders }[] = [];
  const pages: string[] = [];
  const server = await startServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    requests.push({ url, headers: request.headers });
    if (!pages.includes(url.search)) pages.push(url.search);
    const { status, body } = answerDataApi(request, validators);
    if (status !== 200) return response.writeHead(status).end(JSON.stringify(body));
    const attempt = requests.filter((earlier) => earlier.url.search === url.search).length;
    return behaviour({ request, response, page: pages.indexOf(url.search) + 1, attempt, body: body as PageBody });
  });
  return { ...server, requests };
}

/** Time limits of the client below, long enough for immediate answers on a busy machine. */
const ATTEMPT_MS = 1_000;
const BUDGET_MS = 3_500;

/** A client with short time limits. The outcomes of its attempts are added to `outcomes`. */
export function clientOf(
  url: string,
  { apiKey, outcomes = [], attemptMs = ATTEMPT_MS }: { apiKey?: string; outcomes?: string[]; attemptMs?: number } = {},
): DataApi {
  return new DataApi(url, {
    network: 'mainnet',
    apiKey,
    attemptMs,
    budgetMs: BUDGET_MS,
    clock: systemClock,
    onAttempt: ({ provider, outcome }) => outcomes.push(`${provider} ${outcome}`),
  });
}
