import * as z from 'zod/mini';
import { ENDPOINTS } from '../functions/index.ts';
import { parseNodeID } from '../lib/cb58.ts';
import type { Endpoint } from '../lib/endpoint.ts';
import { CSV, csvOf } from '../lib/http/csv.ts';
import { model } from '../lib/schemas.ts';
import { VERSION } from '../lib/version.ts';
import { DIRECT_REQUESTS_PER_ADDRESS, REQUESTS_IN_BURST, REQUESTS_PER_ADDRESS, REQUESTS_PER_SECOND } from './limits.ts';
import { matchPath } from './local/event.ts';
import { pascalCase } from './names.ts';
import { type Json, type Models, schemaOf } from './openapi-models.ts';
import { problemResponses, problemsOf } from './openapi-problems.ts';

/**
 * The OpenAPI 3.1 document, made from the schemas that validate requests and describe responses. Nothing about an endpoint is
 * written here.
 */

const INTRODUCTION = `Read-only data of the GoGoPool / Hypha liquid staking protocol on Avalanche.

**Units.** Amounts of tokens are exact decimal strings of whole tokens; prices, ratios and percentages are numbers; 6.53 means 6.53 %. Times are unix seconds. What is unknown is left out: 0 means zero.

**Blocks.** Every body made from the chain names its \`block\`, and all its fields are true for that one block.

**CSV.** Lists and histories also come as CSV (RFC 4180), to \`?format=csv\` or \`Accept: text/csv\`: the same entries, a column for each field, nested names joined by a dot, and beside each time the same in ISO 8601 (\`….iso\`).

**Freshness.** \`Cache-Control\` says how long a body stays fresh, \`Age\` how old it is, \`Cache-Status\` whether it is a hit, a miss or stale: while a source cannot be read the last good body goes out for up to 24 hours. Send \`If-None-Match\` to get a 304.

**Errors** are RFC 9457 problems with a \`code\` that never changes its meaning. Unknown parameters are ignored, known ones are validated.

**Rate limits.** ${REQUESTS_PER_ADDRESS.toLocaleString('en')} requests in five minutes from one address (${DIRECT_REQUESTS_PER_ADDRESS} if they go to API Gateway's own URL past the CDN), and ${REQUESTS_PER_SECOND} a second over all clients (${REQUESTS_IN_BURST} in a burst) that no cache answers: beyond, a 429 \`RATE_LIMITED\` with \`Retry-After\`. A body that is asked for again while it is fresh costs nobody anything.

**Versions.** A path, a field and a code keep their meaning and unit for ever; fields may be added. What is to go is announced with \`Deprecation\` and \`Sunset\` headers.`;

const TAGS: Record<string, string> = {
  Prices: 'Prices of AVAX, GGP and ggAVAX, now and at every recorded hour.',
  ggAVAX: 'The liquid staking pool, and its queue of withdrawals.',
  Stakers: 'Node operators who stake GGP.',
  Minipools: 'Validators that operators and liquid stakers fund together.',
  Validators: "Validators of Avalanche's primary network.",
  Rewards: 'What node operators earn, and would earn.',
  Metrics: 'The protocol in figures, the yield of ggAVAX and the supply of GGP.',
  Activity: 'What happened, from the events of the contracts.',
  Flags: 'Feature flags, which change without a deployment.',
  Service: 'The state of this service and of its sources.',
};

/** Headers of a 200, with the condition under which they are sent. */
const HEADERS: Record<string, Json> = {
  'Cache-Control': text(
    'Seconds for which the body stays fresh, may be shown while a newer one is fetched, and if that fails.',
  ),
  ETag: text('Name of these very bytes, for `If-None-Match`.'),
  Age: number('Seconds since the body was made.'),
  'Last-Modified': text('Time of the block.'),
  'X-Block-Number': number('The block of the body.'),
  'X-Cache': {
    description: 'Where the body comes from; through a CDN, what that says.',
    schema: { type: 'string', examples: ['hit', 'miss', 'stale'] },
  },
  'Cache-Status': text('The same in the words of RFC 9211, which a CDN leaves alone: `detail=stale` is an old body.'),
  'X-Request-Id': text('Name of this request in the logs of the service.'),
  'Content-Disposition': text('With `format=csv`: a name for the file.'),
  Link: text('Of CSV: `rel="next"` is what JSON says in `nextCursor`.'),
};
const OF_ALL = ['Cache-Control', 'X-Request-Id'];
const OF_LISTS = ['Content-Disposition', 'Link'];

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
    NotModified: { description: 'The client has this body already (`If-None-Match`).' },
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
  const { tag, summary, description, example, response, rows, freshSeconds, statusOf } = endpoint;
  const headers = Object.fromEntries(
    Object.keys(HEADERS)
      .filter((name) => (rows ? true : freshSeconds > 0 ? !OF_LISTS.includes(name) : OF_ALL.includes(name)))
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const name = pascalCase(file);
  const body = response();
  const isNamed = typeof example !== 'object' || z.globalRegistry.get(body)?.title;
  const schema = schemaOf(isNamed ? body : model(name, body), models);
  const json = { 'application/json': { schema, example } };
  const csv = rows && {
    [CSV]: { schema: { type: 'string' }, example: csvOf(body.shape[rows], example[rows]) },
  };
  const problems = problemsOf(endpoint);
  return {
    operationId: `get${name}`,
    tags: [tag],
    summary,
    description: `${description}\n\n${freshness(freshSeconds)}`,
    parameters: parametersOf(endpoint, models),
    responses: {
      200: { description: 'The answer.', headers, content: { ...json, ...csv } },
      ...(freshSeconds > 0 && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...problems,
      ...(statusOf && { 503: { description: 'The same body: the service is down.', content: json } }),
    },
  };
}

function freshness(seconds: number): string {
  return seconds > 0 ? `Fresh for ${seconds} seconds.` : 'Never cached.';
}

function parametersOf({ path, input, exampleRequest }: Endpoint, models: Models): Json[] {
  const { properties = {}, required = [] } = schemaOf(input, models) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const texts = textsOf(path, exampleRequest);
  return Object.entries(properties).map(([name, { description, example, ...schema }]) => {
    const text = texts[name];
    const shown = text === undefined ? example : meaningOf(text, schema);
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

/** The parameters of a request, as texts. */
function textsOf(template: string, request: string): Record<string, string> {
  const [path = '', query] = request.split('?');
  return { ...Object.fromEntries(new URLSearchParams(query)), ...matchPath(template, path) };
}

/** The value that a text stands for, in the form that its schema describes. */
function meaningOf(text: string, { type, pattern }: Json): unknown {
  if (type === 'array') return text.split(',');
  // A named type is a choice of words.
  if (type === undefined) return text;
  if (type !== 'string') return JSON.parse(text);
  const fits = new RegExp((pattern as string | undefined) ?? '').test(text);
  return fits ? text : (parseNodeID(text) ?? text.toLowerCase());
}
