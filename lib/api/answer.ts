/** Makes the response of an endpoint from a request, independent of the caller. */

import { withDatasets } from '../cache/cache.ts';
import { type Cached, type Loaded, PARTIAL_FRESH_SECONDS } from '../cache/cache-entry.ts';
import { deadline, withDeadline } from '../runtime/deadline.ts';
import { ApiError, badParameter } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/lambda-runtime.ts';
import type { BlockRef } from '../values/block.ts';
import { type Endpoint, type Format, JSON_FORMAT } from './definition.ts';
import { type Body, coveragesOf, fileNameOf, MAX_FILE_ROWS, MAX_LIST_BYTES, type Parsed, writeFile } from './file.ts';
import { canonicalText, parseInput } from './http/input.ts';
import { preferredFormat } from './http/negotiation.ts';
import {
  ALLOWED_METHODS,
  cachedResponse,
  pageResponse,
  READ_ONLY,
  type Request,
  type Response,
  uncachedResponse,
} from './http/response.ts';
import { hasTemporaryGaps } from './reasons.ts';
import type { Services } from './services.ts';

/** Returns the response of an endpoint: from the cache, or made now. Throws what the endpoint's handler throws. */
export async function respond(endpoint: Endpoint, request: Request, runtime: Runtime<Services>): Promise<Response> {
  const started = runtime.clock.now();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError('METHOD_NOT_ALLOWED', READ_ONLY, { headers: { Allow: ALLOWED_METHODS } });
  }
  const preferred = preferredFormat(endpoint.formats, request);
  const { page } = endpoint.formats[preferred] as Format;
  if (page && request.query.format === undefined) return pageResponse(request, page);
  const input: Parsed = { format: preferred, ...parseInput(endpoint.input, request) };
  const context = await runtime.context();
  const answer = () => send(endpoint, request, context, input);
  return withDeadline(deadline(), answer, started + context.limits.optionalMs);
}

async function send(endpoint: Endpoint, request: Request, context: Services, { format: name = '', ...asked }: Parsed) {
  const { freshSeconds, formats, shared } = endpoint;
  const format = formats[name] as Format;
  const isNamed = request.query.format !== undefined;
  // A saved file cannot show that it is only the first page.
  const hasAllRows = format.write !== undefined && asked.limit !== undefined && !request.query.limit;
  const wanted = hasAllRows ? { ...asked, limit: MAX_FILE_ROWS } : asked;
  const input = (await endpoint.normalizeInput?.(wanted, context)) ?? wanted;
  if (freshSeconds === 0) return uncachedResponse(await endpoint.handle(input, withDatasets(context, [])));
  const key = `${endpoint.path}#${canonicalText(input)}`;
  const json = () =>
    context.cache.get(key, { freshSeconds, shared }, async () => {
      const loaded = await load(endpoint, input, context);
      if (!hasAllRows && Buffer.byteLength(loaded.body) > MAX_LIST_BYTES) {
        const message = `${asked.limit === undefined ? 'is required' : 'must be smaller'}: the entries do not fit in 4 MB`;
        throw endpoint.tooLong ?? badParameter('limit', message);
      }
      return loaded;
    });
  const cached = format.write
    ? await context.cache.get(`${key}#${name}`, { freshSeconds }, async () =>
        writeFile(endpoint, format, input, { hasAllRows, answer: await json(), context }),
      )
    : await json();
  return cachedResponse(request, cached, {
    now: context.clock.now(),
    contentType: format.contentType,
    byAccept: !isNamed && Object.keys(formats).length > 1,
    fileName: isNamed && format.write ? fileNameOf(endpoint, format, request, asked) : undefined,
  });
}

/** The JSON of a body, with all values that its response needs, so that the body is not parsed again. */
async function load(endpoint: Endpoint, input: unknown, context: Services): Promise<Loaded> {
  const sources: Cached[] = [];
  const body: Body = await endpoint.handle(input, withDatasets(context, sources));
  return {
    body: JSON.stringify(body),
    contentType: JSON_FORMAT.contentType,
    status: endpoint.status?.(body),
    block: oldestBlock(body, sources),
    next: body.nextCursor,
    freshSeconds: hasTemporaryGaps(body) ? PARTIAL_FRESH_SECONDS : undefined,
    neverStale: endpoint.neverStale,
    sources,
  };
}

/** The block that a body describes: its own, the last indexed one, or that of the dataset from which a bare value is made. */
function oldestBlock(body: Body, sources: readonly Cached[]): BlockRef | undefined {
  if (typeof body !== 'object') return sources[0]?.entry.block;
  if (body.block) return body.block;
  const blocks = coveragesOf(body).map(([, { toBlock, toTimestamp }]) => ({ number: toBlock, timestamp: toTimestamp }));
  return blocks.sort((a, b) => a.number - b.number)[0];
}
