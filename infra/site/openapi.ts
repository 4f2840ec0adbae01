/**
 * The OpenAPI 3.1 document, generated from the schemas that validate requests and describe responses. The parts that
 * are specific to one endpoint are in that endpoint's file.
 */

import * as z from 'zod/mini';
import { ENDPOINTS } from '../../functions/index.ts';
import { type Endpoint, JSON_FORMAT } from '../../lib/api/definition.ts';
import { model } from '../../lib/api/fields.ts';
import { VERSION } from '../../lib/runtime/version.ts';
import { matchPath } from '../local/path-templates.ts';
import { EXPENSIVE_PER_ADDRESS, PER_API, PER_ENDPOINT, REQUESTS_PER_ADDRESS, type Throttle } from '../stack/limits.ts';
import { pascalCase } from '../stack/names.ts';
import examples from './examples.json' with { type: 'json' };
import { type Json, type Models, schemaOf } from './openapi-models.ts';
import { problemResponses, problemsOf } from './openapi-problems.ts';

/** Generated: what each endpoint answers on the local chain. */
const EXAMPLES: Record<string, unknown> = examples;

const perSecond = ({ rate, burst }: Throttle) => `${rate} requests per second (bursts of ${burst})`;

const INTRODUCTION = `Read-only data API for the GoGoPool / Hypha liquid staking protocol on Avalanche. No key is required.

**Units.** Amounts, rates, and prices in tokens are decimal strings in whole tokens (not wei), exact to the wei. Under \`/prices\`, \`/metrics\`, \`/nodeOpSpread\`, and \`/supply\` they are JSON numbers instead, rounded to 12 significant digits, except the \`price\`, \`sAvaxInAVAX\`, \`baseReserve\`, and \`quoteReserve\` of a pool. Values in USD and EUR and percentages are JSON numbers everywhere: 6.53 means 6.53%. Times are Unix timestamps in seconds; durations are in seconds. Unknown values are omitted, never \`null\` or 0: \`partial\` names them, \`reasons\` explains.

**Blocks.** Chain data is valid at \`block\`. \`coverage\` is the range of blocks indexed for events.

**Paging.** Send \`nextCursor\` of a response as \`cursor\`, with the same parameters. \`limit=0\` returns only fields about all entries, such as \`total\`, which always counts all pages. The maximum of \`limit\` is 1,000 for events, days and other points in time. Pages of other lists have at most 4 MB.

**CSV.** Lists and histories are also CSV (RFC 4180), with \`?format=csv\` or \`Accept: text/csv\`. Refer to columns by name: new ones may come between. Nested names are joined with a dot, array values with a semicolon. Each time has a second column in ISO 8601 (\`….iso\`). An apostrophe precedes text that a spreadsheet could run as a formula. While data is incomplete, a file is a 409 (\`NOT_KNOWN_YET\`), or a 503 if a source does not answer. Older days of a history may still be loading: its file begins at the oldest recorded point, \`recordedFrom\` in JSON.

**Caching.** \`Cache-Control\` says how long a response stays fresh. While a source is unavailable, the last good response is returned for up to 24 hours (not for \`/health\`). Send \`If-None-Match\` to get a 304 if nothing has changed.

**Parameters.** Unknown parameters are a 400, except those of link trackers (\`utm_*\`, \`fbclid\`, \`gclid\`, \`_\`), which are ignored. Separate the values of a list with commas (\`status=staking,error\`). Paths are case-sensitive.

**Rate limits.** Each IP address can send ${REQUESTS_PER_ADDRESS.toLocaleString('en')} requests in five minutes. At most ${EXPENSIVE_PER_ADDRESS} of them can go to endpoints that take \`limit\`, read the events of an address or simulate transactions, to \`/prices/at\`, and to this document, its page, scripts and styles. Beyond, the response is a 429 with \`Retry-After\`. All clients together can send about ${perSecond(PER_ENDPOINT)} to each endpoint, and ${perSecond(PER_API)} in total, without responses from the CDN cache. Beyond, the response is stale or a 503.

**Versioning.** From 2.0.0 on, paths, fields, and codes keep their meaning and unit. Fields and values, such as event types, may be added. \`Deprecation\` and \`Sunset\` headers announce removals.`;

const TAGS: Record<string, string> = {
  Prices: 'Prices of AVAX, GGP, and ggAVAX.',
  ggAVAX: 'Liquid staking pool and withdrawal queue.',
  Accounts: 'Positions and income of addresses.',
  Stakers: 'Node operators who stake GGP.',
  Minipools: 'Validators funded jointly by node operators and liquid stakers.',
  Validators: "Validators of Avalanche's Primary Network.",
  Rewards: 'GGP rewards of node operators.',
  Metrics: 'Metrics, yields, and supply.',
  Activity: "Events of the protocol's contracts.",
  Flags: 'Announcements, changed without a deployment.',
  Service: 'This service and its sources.',
};

/** Headers of responses with status 200. */
const HEADERS: Record<string, Json> = {
  'Cache-Control': text(
    'Seconds for which the response is fresh (`max-age`), usable during a refresh (`stale-while-revalidate`), and usable if that fails (`stale-if-error`).',
  ),
  ETag: text('Hash of the content, for `If-None-Match`.'),
  Age: text('Age of the response in seconds.', 'integer'),
  'X-Block-Number': text('Number of `block`, or else `coverage.toBlock`.', 'integer'),
  'X-Cache': {
    description: 'Cache state. A CDN may replace it.',
    schema: { type: 'string', examples: ['hit', 'miss', 'stale'] },
  },
  'Cache-Status': text('Cache state (RFC 9211). CDNs keep it. `detail=stale` marks a stale response.'),
  Sunset: text('Last day of the service, if it is known (RFC 8594).'),
  Deprecation: text('Start of the deprecation, with `Sunset` (RFC 9745).'),
  'X-Request-Id': text('ID of the request in the logs.'),
  'Content-Disposition': text('File name, if `format` is a file.'),
  Link: text('Next page of a list (`rel="next"`), as `nextCursor`; with `Sunset`, the guide (`rel="sunset"`).'),
};
const UNCACHED_HEADERS = ['Cache-Control', 'X-Request-Id'];

function text(description: string, type = 'string'): Json {
  return { description, schema: { type } };
}

export function openApiDocument() {
  const models: Models = {};
  const paths = Object.entries(ENDPOINTS).map(([file, endpoint]) => [
    endpoint.path,
    { get: operationOf(file, endpoint, models) },
  ]);
  const responses = {
    NotModified: { description: 'Not modified: the response still matches `If-None-Match`.' },
    ...problemResponses(Object.values(ENDPOINTS), models),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Staking data service',
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to the document: API Gateway's own URLs begin with the name of a stage.
    servers: [{ url: '.', description: 'This service.' }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: { schemas: models, headers: HEADERS, responses },
  };
}

function operationOf(file: string, endpoint: Endpoint, models: Models): Json {
  const { path, tag, summary, description, response, formats, freshSeconds } = endpoint;
  const body = response();
  const example = EXAMPLES[path];
  const headers = Object.fromEntries(
    headersOf(endpoint, body).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const name = pascalCase(file);
  const isNamed = body.def.type !== 'object' || z.globalRegistry.get(body)?.title;
  const schema = schemaOf(isNamed ? body : model(name, body), models);
  const json = { schema, example };
  const content: Record<string, Json> = {};
  for (const { contentType, write, page } of Object.values(formats)) {
    const type = contentType.replace(/;.*/, '');
    // A new endpoint has no example until `npm run generate` has made it.
    const shown = () =>
      example !== undefined && { example: write?.(example as never, {} as never, body) ?? String(example) };
    const text = () => ({ schema: { type: 'string' }, ...shown() });
    // Programs' own files have the type of the endpoint's CSV.
    if (!page) content[type] ??= type === JSON_FORMAT.contentType ? json : text();
  }
  const problems = problemsOf(endpoint);
  return {
    operationId: `get${name}`,
    tags: [tag],
    summary,
    description: `${description}\n\n${freshness(freshSeconds)}`,
    parameters: parametersOf(endpoint, models),
    responses: {
      200: { description: 'Success.', headers, content },
      ...(freshSeconds > 0 && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...problems,
      ...(endpoint.status && {
        503: { description: 'The service is down. Same body as a 200.', content: { [JSON_FORMAT.contentType]: json } },
      }),
    },
  };
}

function headersOf({ formats, freshSeconds }: Endpoint, body: z.ZodMiniType): string[] {
  if (freshSeconds === 0) return UNCACHED_HEADERS;
  const hasFiles = Object.values(formats).some(({ write }) => write);
  const present: Record<string, boolean> = { 'Content-Disposition': hasFiles, 'X-Block-Number': hasBlock(body) };
  return Object.keys(HEADERS).filter((name) => present[name] ?? true);
}

/** True if bodies of this schema have a single block: they name it or the last indexed block, or are a bare value. */
function hasBlock(body: z.ZodMiniType): boolean {
  if (!(body instanceof z.ZodMiniObject)) return true;
  const { block, coverage } = body.shape;
  const own = block instanceof z.ZodMiniOptional ? block.def.innerType : block;
  return coverage !== undefined || own instanceof z.ZodMiniObject;
}

function freshness(seconds: number): string {
  return seconds > 0 ? `Fresh for ${seconds.toLocaleString('en')} seconds.` : 'Not cached.';
}

function parametersOf({ path, input, exampleRequest }: Endpoint, models: Models): Json[] {
  const { properties = {}, required = [] } = schemaOf(input, models) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const texts = textsOf(path, exampleRequest);
  return Object.entries(properties).map(([name, { description, example, ...schema }]) => {
    const text = texts[name];
    const shown = text === undefined ? example : parsedText(text, schema);
    return {
      name,
      in: path.includes(`{${name}}`) ? 'path' : 'query',
      required: required.includes(name),
      description,
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema: { ...schema, default: input.shape[name].def.defaultValue },
      ...(shown !== undefined && { example: shown }),
    };
  });
}

/** The parameters of an example request, as strings. */
function textsOf(template: string, request: string): Record<string, string> {
  const [path = '', query] = request.split('?');
  return { ...Object.fromEntries(new URLSearchParams(query)), ...matchPath(template, path) };
}

function parsedText(text: string, { type }: Json): unknown {
  if (type === 'array') return text.split(',');
  // A named type is an enum of strings.
  return type === undefined || type === 'string' ? text : JSON.parse(text);
}
