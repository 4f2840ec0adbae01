/** The API's answers that are files of an export: which, and how they are made. */

import { ENDPOINTS } from '../../functions/index.ts';
import { respond } from '../../lib/api/answer.ts';
import { METRIC_NAMES } from '../../lib/api/bodies/metrics-body.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import type { Services } from '../../lib/api/services.ts';
import { DEFAULT_FLAGS } from '../../lib/flags/flags.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';
import { byPreference, matchPath, parseVariables } from '../local/path-templates.ts';

/** Path parameters that name neither an address nor a node. */
const VALUES: Record<string, readonly string[]> = {
  dex: EXCHANGES.map(({ code }) => code),
  name: METRIC_NAMES,
  key: Object.keys(DEFAULT_FLAGS.flags),
};
/** These describe the running service, or need a parameter that says so only when it is missing. */
const EXCLUDED: readonly string[] = ['/', '/health', '/prices/at', '/withdrawals/estimate'];

/** The paths about the protocol, with their endpoints: those without a parameter, or with one that has a few values. */
export function protocolPaths(): { endpoint: Endpoint; path: string }[] {
  return Object.values(ENDPOINTS).flatMap((endpoint) => {
    const { path, input } = endpoint;
    const [parameter] = parseVariables(path);
    const values = parameter ? (VALUES[parameter] ?? []) : [''];
    return values
      .filter((value) => !EXCLUDED.includes(path) && input.safeParse(parameter ? { [parameter]: value } : {}).success)
      .map((value) => ({ endpoint, path: path.replace(/\{\w+\}/, value) }));
  });
}

export class Answers {
  readonly #runtime: Runtime<Services>;

  constructor(runtime: Runtime<Services>) {
    this.#runtime = runtime;
  }

  /** The text of an answer to `/metrics` or `/holders?limit=1`; undefined for a 404, and for a file that would lack rows (409). */
  async text(url: string): Promise<string | undefined> {
    const { pathname: path, searchParams } = new URL(url, 'http://export');
    const endpoint = IN_ORDER.find((one) => matchPath(one.path, path));
    if (!endpoint) throw new Error(`no endpoint for ${path}`);
    const params = matchPath(endpoint.path, path) ?? {};
    const query = Object.fromEntries([...searchParams].map(([name, value]) => [name, [value]]));
    const request = { method: 'GET', headers: { accept: 'application/json' }, params, path, url, query };
    try {
      return String((await respond(endpoint, request, this.#runtime)).body);
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.code === 'NOT_KNOWN_YET')) return undefined;
      throw error;
    }
  }

  /** The body of an answer. `path` of the type: that of the endpoint. Undefined for a 404. */
  async body<Body>(url: string): Promise<Body | undefined> {
    const text = await this.text(url);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The entries of a list in pages, all of them. `list` is their field. */
  async *pages<Item extends object>(url: string, list: string): AsyncGenerator<Item[]> {
    let cursor: string | undefined;
    do {
      const paging = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) });
      const body = await this.body<Record<string, unknown>>(`${url}${url.includes('?') ? '&' : '?'}${paging}`);
      yield (body?.[list] ?? []) as Item[];
      cursor = body?.nextCursor as string | undefined;
    } while (cursor);
  }

  async all<Item extends object>(url: string, list: string): Promise<Item[]> {
    const entries: Item[] = [];
    for await (const page of this.pages<Item>(url, list)) entries.push(...page);
    return entries;
  }
}

const IN_ORDER = Object.values(ENDPOINTS).sort((a, b) => byPreference(a.path, b.path));
