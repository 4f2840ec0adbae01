import * as z from 'zod/mini';
import { ENDPOINTS } from '../functions/index.ts';
import type { Endpoint } from '../lib/endpoint.ts';
import { ERROR_STATUS, type ErrorCode } from '../lib/http/errors.ts';
import { VERSION } from '../lib/version.ts';

/**
 * The OpenAPI 3.1 document, made from the schemas that validate requests and describe responses. Nothing about an endpoint is
 * written here.
 */

type Json = Record<string, unknown>;

const INTRODUCTION = `Read-only data of the GoGoPool / Hypha liquid staking protocol on Avalanche.

**Units.** Amounts of tokens are exact decimal strings of whole tokens; prices, ratios and percentages are numbers; 6.53 means 6.53 %. Times are unix seconds. What is unknown is left out: 0 means zero.

**Blocks.** Every body made from the chain names its \`block\`, and all its fields are true for that one block.

**Freshness.** \`Cache-Control\` says how long a body stays fresh, \`Age\` how old it is, \`X-Cache\` whether it is a hit, a miss or stale: while a source cannot be read the last good body goes out for up to 24 hours. Send \`If-None-Match\` to get a 304.

**Errors** are RFC 9457 problems with a \`code\` that never changes its meaning. Unknown parameters are ignored, known ones are validated.

**Versions.** A path, a field and a code keep their meaning and unit for ever; fields may be added. What is to go is announced with \`Deprecation\` and \`Sunset\` headers.`;

const TAGS: Record<string, string> = {
  Prices: 'Prices of AVAX, GGP and ggAVAX, now and at every recorded hour.',
  ggAVAX: 'The liquid staking pool, and its queue of withdrawals.',
  Stakers: 'Node operators who stake GGP.',
  Minipools: 'Validators that operators and liquid stakers fund together.',
  Validators: "Validators of Avalanche's primary network.",
  Rewards: 'What node operators earn, and would earn.',
  Metrics: 'The protocol in figures, the yield of ggAVAX and the supply of GGP.',
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
  'X-Cache': { description: 'Where the body comes from.', schema: { type: 'string', enum: ['hit', 'miss', 'stale'] } },
  'X-Request-Id': text('Name of this request in the logs of the service.'),
};

function text(description: string): Json {
  return { description, schema: { type: 'string' } };
}

function number(description: string): Json {
  return { description, schema: { type: 'integer' } };
}

const Problem = z
  .object({
    type: z.literal('about:blank').check(z.describe('No page describes the problem: `code` names it.')),
    title: z.string().check(z.describe('Reason phrase of the status.')),
    status: z.int().check(z.describe('HTTP status.')),
    detail: z.string().check(z.describe('What is wrong, in a sentence for people.')),
    code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode]).check(z.describe('What is wrong, for programs.')),
    error: z.string().check(z.describe('The same as `code`, under the name of earlier versions.')),
    requestId: z.string().check(z.describe('Name of this request in the logs of the service.')),
    errors: z.optional(
      z
        .array(
          z.object({
            parameter: z.string().check(z.describe('Name of the parameter.')),
            message: z.string().check(z.describe('What it must be.')),
          }),
        )
        .check(z.describe('One entry for each bad parameter.')),
    ),
  })
  .check(z.describe('An RFC 9457 problem.'));

/** The whole document. */
export function openApiDocument() {
  const paths = Object.entries(ENDPOINTS).map(([file, endpoint]) => [
    endpoint.path,
    { get: operationOf(file, endpoint) },
  ]);
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
    components: {
      schemas: { Problem: schemaOf(Problem) },
      headers: HEADERS,
      responses: { NotModified: { description: 'The client has this body already (`If-None-Match`).' } },
    },
  };
}

function operationOf(file: string, endpoint: Endpoint): Json {
  const { tag, summary, description, example, response, freshSeconds } = endpoint;
  const headers = Object.fromEntries(
    Object.keys(HEADERS)
      .filter((name) => freshSeconds > 0 || ['Cache-Control', 'X-Request-Id'].includes(name))
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const schema = { title: operationId(file), ...schemaOf(response()) };
  return {
    operationId: operationId(file),
    tags: [tag],
    summary,
    description: `${description}\n\n${freshness(freshSeconds)}`,
    parameters: parametersOf(endpoint),
    responses: {
      200: { description: 'The answer.', headers, content: { 'application/json': { schema, example } } },
      ...(freshSeconds > 0 && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...problemsOf(endpoint),
    },
  };
}

/** `prices/dex-history` is `getPricesDexHistory`. */
function operationId(file: string): string {
  return `get${file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`;
}

function freshness(seconds: number): string {
  return seconds > 0 ? `Fresh for ${seconds} seconds.` : 'Never cached.';
}

function parametersOf({ path, input }: Endpoint): Json[] {
  const { properties = {}, required = [] } = schemaOf(input) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: path.includes(`{${name}}`) ? 'path' : 'query',
    required: required.includes(name),
    description,
    schema,
    ...(Array.isArray(examples) && { example: examples[0] }),
  }));
}

/** The problems an endpoint may answer with, by status. */
function problemsOf({ input, notFound, freshSeconds, statusOf }: Endpoint): Json {
  const codes: ErrorCode[] = [
    ...(Object.keys(input.shape).length > 0 ? (['INVALID_REQUEST'] as const) : []),
    ...(notFound ? [notFound] : []),
    'METHOD_NOT_ALLOWED',
    'RATE_LIMITED',
    'INTERNAL',
    ...(freshSeconds > 0 ? (['UPSTREAM_UNAVAILABLE'] as const) : []),
    'DEADLINE_EXCEEDED',
  ];
  const problems = codes.map((code) => [
    ERROR_STATUS[code],
    {
      description: `\`${code}\``,
      ...(code === 'RATE_LIMITED' || code === 'UPSTREAM_UNAVAILABLE'
        ? { headers: { 'Retry-After': number('Seconds after which it is worth another try.') } }
        : {}),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  const down = { 503: { description: 'The same body: the service is down.' } };
  return { ...Object.fromEntries(problems), ...(statusOf && down) };
}

/** JSON Schema of what is sent over the wire. Objects may gain fields: none is closed. */
function schemaOf(schema: z.ZodMiniType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Json;
  return json;
}
