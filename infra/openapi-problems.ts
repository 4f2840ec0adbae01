import * as z from 'zod/mini';
import type { Endpoint } from '../lib/endpoint.ts';
import { ApiError, ERROR_STATUS, type ErrorCode, problemOf } from '../lib/http/errors.ts';
import { integer, model } from '../lib/schemas.ts';
import { type Json, type Models, schemaOf } from './openapi-models.ts';

/** The errors of the OpenAPI document: one response for each code, which operations refer to. */

const WHEN: Partial<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'A parameter is missing or wrong: `errors` names each.',
  FORBIDDEN: 'The firewall refuses the request: it is too long, or looks like an attack.',
  DEX_NOT_FOUND: 'There is no such exchange.',
  STAKER_NOT_FOUND: 'This address has never staked.',
  MINIPOOL_NOT_FOUND: 'This node has never had a minipool.',
  VALIDATOR_NOT_FOUND: 'This node does not validate.',
  METRIC_NOT_FOUND: 'There is no such figure; `detail` names them all.',
  FLAG_NOT_FOUND: 'There is no such flag.',
  RATE_LIMITED: 'There are too many requests at the moment.',
  INTERNAL: 'Something went wrong here.',
  UPSTREAM_UNAVAILABLE: 'A source does not answer, and nothing is cached.',
  DEADLINE_EXCEEDED: 'The answer took too long to put together.',
};

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which it is worth another try.',
    schema: { type: 'integer', minimum: 0 },
  },
};
const EXAMPLE_ID = '3f1c4b1e-5a0e-4f5b-9d0a-2b8f0c6d7e11';
const BAD_LIMIT = new ApiError('INVALID_REQUEST', 'limit must be an integer from 0 to 1000000.', {
  errors: [{ parameter: 'limit', message: 'must be an integer from 0 to 1000000' }],
});
const RETRIED: readonly ErrorCode[] = ['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE'];

/** One schema for all errors, so that a client has one type for them: each response narrows its code. */
const Problem = model(
  'Problem',
  z.object({
    type: z.literal('about:blank').check(z.describe('No page describes the problem: `code` names it.')),
    title: z.string().check(z.describe('Reason phrase of the status.')),
    status: integer('HTTP status.'),
    code: model('ErrorCode', z.enum(Object.keys(ERROR_STATUS) as ErrorCode[])).check(
      z.describe('What is wrong, for programs. Each response says which one it has.'),
    ),
    detail: z.string().check(z.describe('What is wrong, in a sentence for people.')),
    error: z.string().check(z.describe('The same as `code`, under the name of earlier versions.')),
    requestId: z.string().check(z.describe('Name of this request in the logs of the service.')),
    errors: z.optional(
      z
        .array(
          model(
            'ParameterError',
            z.object({
              parameter: z.string().check(z.describe('Name of the parameter.')),
              message: z.string().check(z.describe('What it must be.')),
            }),
          ),
        )
        .check(z.describe('One entry for each bad parameter.')),
    ),
  }),
).check(z.describe('A problem as RFC 9457 has it, with a `code` for programs.'));

/** `DEX_NOT_FOUND` is `DexNotFound`. */
function nameOf(code: ErrorCode): string {
  return code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The codes that an endpoint may answer with; some of them the gateway answers in its place. */
function codesOf({ input, notFound }: Endpoint): ErrorCode[] {
  return [
    ...(Object.keys(input.shape).length > 0 ? (['INVALID_REQUEST'] as const) : []),
    'FORBIDDEN',
    ...(notFound ? [notFound] : []),
    'RATE_LIMITED',
    'INTERNAL',
    'UPSTREAM_UNAVAILABLE',
    'DEADLINE_EXCEEDED',
  ];
}

/** The problems of an endpoint, by status. */
export function problemsOf(endpoint: Endpoint): Json {
  const problems = codesOf(endpoint).map((code) => [
    ERROR_STATUS[code],
    { $ref: `#/components/responses/${nameOf(code)}` },
  ]);
  return Object.fromEntries(problems);
}

/** The responses that {@link problemsOf} refers to. */
export function problemResponses(endpoints: readonly Endpoint[], models: Models): Json {
  const problem = schemaOf(Problem, models);
  const responses = [...new Set(endpoints.flatMap(codesOf))].map((code) => {
    const error = code === BAD_LIMIT.code ? BAD_LIMIT : new ApiError(code, WHEN[code] ?? '');
    const example = problemOf(error, EXAMPLE_ID);
    // What stands beside a reference holds as well, in OpenAPI 3.1; generators that pass it over still have the type.
    const schema = { ...problem, properties: { code: { const: code } } };
    return [
      nameOf(code),
      {
        description: `\`${code}\`: ${WHEN[code]}`,
        ...(RETRIED.includes(code) && { headers: RETRY_AFTER }),
        content: { 'application/problem+json': { schema, example } },
      },
    ];
  });
  return Object.fromEntries(responses);
}
