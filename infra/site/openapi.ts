/**
 * The OpenAPI 3.1 document, generated from the schemas that validate requests and describe responses. The parts that
 * are specific to one endpoint are in that endpoint's file.
 */

import * as z from 'zod/mini';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { JSON_FORMAT } from '../../lib/api/formats.ts';
import { model } from '../../lib/api/schemas.ts';
import { VERSION } from '../../lib/runtime/version.ts';
import { matchPath } from '../local/event.ts';
import { EXPENSIVE_PER_ADDRESS, PER_API, PER_ENDPOINT, REQUESTS_PER_ADDRESS, type Throttle } from '../stack/limits.ts';
import { pascalCase } from '../stack/names.ts';
import examples from './examples.json' with { type: 'json' };
import { type Json, type Models, schemaOf } from './openapi-models.ts';
import { problemResponses, problemsOf } from './openapi-problems.ts';

/** Generated: what each endpoint answers on the local chain. */
const EXAMPLES: Record<string, unknown> = examples;

const perSecond = ({ rate, burst }: Throttle) => `${rate} requests per second (bursts of ${burst})`;

const INTRODUCTION = `Read-only data API for the GoGoPool / Hypha liquid staking protocol on Avalanche. No key is required.

**Units.** Amounts, rates, and prices in tokens are decimal strings in whole tokens (not wei), exact to the wei. Under \`/prices\`, \`/metrics\`, \`/nodeOpSpread\`, and \`/supply\` they are JSON numbers instead, rounded to 12 significant digits, except the \`price\`, \`sAvaxInAVAX\`, \`baseReserve\`, and \`quoteReserve\` of a pool. Values in USD and percentages are JSON numbers everywhere: 6.53 means 6.53%. Times are Unix timestamps in seconds; durations are in seconds. Unknown values are omitted, never \`null\` or 0: \`partial\` names them, and \`reasons\` says why.

**Blocks.** All data read from the chain is valid at \`block\`. \`coverage\` is the range of blocks that is indexed for events; \`coverage.toTimestamp\` is the time of the last one.

**Paging.** Lists, histories, and events take \`limit\` and \`cursor\`. If a response includes \`nextCursor\`, send it as \`cursor\`, with the same parameters. \`limit=0\` returns only what is said about all entries, such as \`total\`.

**CSV.** Lists and histories are available as CSV (RFC 4180), with \`?format=csv\` or \`Accept: text/csv\`: one row per entry, one column per field. Refer to columns by name, because new ones may come between them. Nested names are joined with a dot, and each time has a second column in ISO 8601 format (\`….iso\`). Array values are joined with a semicolon. Text that a spreadsheet could run as a formula is prefixed with an apostrophe. While data is incomplete, CSV is a 503; histories leave out missing points instead.

**Caching.** \`Cache-Control\` says how long a response stays fresh. While a data source is unavailable, the last good response is returned for up to 24 hours (except for \`/health\`). Send \`If-None-Match\` to get a 304 if nothing has changed.

**Errors.** Errors are problem details (RFC 9457) with a machine-readable \`code\`. A parameter that the endpoint does not take is a 400 that lists those it takes; only those of link trackers (\`utm_*\`, \`fbclid\`, \`gclid\`, \`_\`) are ignored. Lists are separated by commas (\`status=staking,error\`). Paths are case-sensitive.

**Rate limits.** Each IP address can send ${REQUESTS_PER_ADDRESS.toLocaleString('en')} requests in five minutes, of which at most ${EXPENSIVE_PER_ADDRESS} to endpoints that take \`limit\`, to those that read the events of an address or simulate transactions, and to this document, its page, scripts and styles. Above these limits, the response is a 429 \`RATE_LIMITED\` with \`Retry-After\`. All clients together can send about ${perSecond(PER_ENDPOINT)} to each endpoint, and ${perSecond(PER_API)} to all of them, not counting those answered from the CDN cache; above that, the response is an older one or a 503.

**Versioning.** Paths, fields, and codes never change their meaning or unit. Fields and values, such as types of events, may be added. Removals are announced with \`Deprecation\` and \`Sunset\` headers.`;

const TAGS: Record<string, string> = {
  Prices: 'Current and historical prices of AVAX, GGP, and ggAVAX.',
  ggAVAX: 'The liquid staking pool and its withdrawal queue.',
  Accounts: 'Everything that an address has with the protocol.',
  Stakers: 'Node operators who stake GGP.',
  Minipools: 'Validators funded jointly by node operators and liquid stakers.',
  Validators: "Validators of Avalanche's Primary Network.",
  Rewards: 'GGP rewards of node operators, and estimates.',
  Metrics: 'Protocol metrics, ggAVAX and node operator yields, and GGP supply.',
  Activity: "Events of the protocol's contracts.",
  Flags: 'Feature flags, which can change without a deployment.',
  Service: 'State of this service and its data sources.',
};

/** Headers of responses with status 200. */
const HEADERS: Record<string, Json> = {
  'Cache-Control': text(
    'Number of seconds for which the response is fresh (`max-age`), can be used while a new one is fetched (`stale-while-revalidate`), and can be used if fetching fails (`stale-if-error`).',
  ),
  ETag: text('Identifies the exact content of the response, for `If-None-Match`.'),
  Age: number('Number of seconds since the response was generated.'),
  'Last-Modified': text('Time of the block that `X-Block-Number` names. `If-Modified-Since` is ignored.'),
  'X-Block-Number': number(
    'Block number of the response, or, if it has `coverage` but no `block`, `coverage.toBlock`.',
  ),
  'X-Cache': {
    description: 'Cache state of the response. A CDN may replace this with its own value.',
    schema: { type: 'string', examples: ['hit', 'miss', 'stale'] },
  },
  'Cache-Status': text(
    'Cache state in the format of RFC 9211, which CDNs leave unchanged. `detail=stale` marks a stale response.',
  ),
  Sunset: text('Only present if the service ends on a day that is known: that day (RFC 8594).'),
  Deprecation: text('Only present with `Sunset`: since when the API is deprecated (RFC 9745).'),
  'X-Request-Id': text("ID of this request in the service's logs."),
  'Content-Disposition': text('File name. Only present if `format` names a file.'),
  Link: text(
    'Link to the next page of a list (`rel="next"`), corresponding to `nextCursor` in JSON, omitted on the last page; with `Sunset`, what remains (`rel="sunset"`).',
  ),
};
const UNCACHED_HEADERS = ['Cache-Control', 'X-Request-Id'];
const FILE_HEADERS = ['Content-Disposition'];
const BLOCK_HEADERS = ['Last-Modified', 'X-Block-Number'];

function text(description: string): Json {
  return { description, schema: { type: 'string' } };
}

function number(description: string): Json {
  return { description, schema: { type: 'integer' } };
}

/** The whole document. */
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
      example !== undefined && { example: write?.(example as never, body, {} as never) ?? String(example) };
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
      ...(formats.json?.status && {
        503: { description: 'The service is down. Same body as a 200.', content: { [JSON_FORMAT.contentType]: json } },
      }),
    },
  };
}

function headersOf({ formats, freshSeconds }: Endpoint, body: z.ZodMiniType): string[] {
  if (freshSeconds === 0) return UNCACHED_HEADERS;
  const hasFiles = Object.values(formats).some(({ write }) => write);
  const absent = [...(hasFiles ? [] : FILE_HEADERS), ...(hasBlock(body) ? [] : BLOCK_HEADERS)];
  return Object.keys(HEADERS).filter((name) => !absent.includes(name));
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

/** A parameter's text as a value of its schema's type. */
function parsedText(text: string, { type }: Json): unknown {
  if (type === 'array') return text.split(',');
  // A named type is an enum of strings.
  return type === undefined || type === 'string' ? text : JSON.parse(text);
}
