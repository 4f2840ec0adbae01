/** The errors of the OpenAPI document: one response for each code, which operations refer to. */

import * as z from 'zod/mini';
import { METRIC_NAMES } from '../../lib/api/bodies/metrics-body.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { model } from '../../lib/api/fields.ts';
import { integer } from '../../lib/api/units.ts';
import { unknownExchange } from '../../lib/prices/exchanges.ts';
import { deadlineExceeded } from '../../lib/runtime/deadline.ts';
import {
  ApiError,
  badParameter,
  ERROR_STATUS,
  type ErrorCode,
  internalError,
  notKnownYet,
  sourceUnavailable,
  toProblem,
} from '../../lib/runtime/errors.ts';
import { SLOW_DOWN, USE_PUBLIC_URL } from '../stack/gateway-responses.ts';
import { pascalCase } from '../stack/names.ts';
import { type Json, type Models, schemaOf } from './openapi-models.ts';

const NODE = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5';
const INVALID_REQUEST = badParameter('limit', 'must be an integer from 0 to 1000000');

/** For each error, its example and when it is returned. */
export const PROBLEMS: readonly [error: ApiError, when: string][] = [
  [INVALID_REQUEST, 'A parameter is missing, unknown or invalid. `errors` lists up to five.'],
  [new ApiError('FORBIDDEN', USE_PUBLIC_URL), 'The request bypassed the CDN.'],
  [unknownExchange(), 'Unknown exchange. `detail` lists the known codes.'],
  [
    new ApiError('STAKER_NOT_FOUND', '0x000000000000000000000000000000000000dEaD has never staked GGP.'),
    'The address has never staked GGP.',
  ],
  [new ApiError('MINIPOOL_NOT_FOUND', `${NODE} has never had a minipool.`), 'The node has never had a minipool.'],
  [
    new ApiError('VALIDATOR_NOT_FOUND', `${NODE} is not currently validating the Primary Network.`),
    'The node is not currently validating the Primary Network.',
  ],
  [
    new ApiError('METRIC_NOT_FOUND', `Unknown metric. Known names: ${METRIC_NAMES.join(', ')}.`),
    'Unknown metric. `detail` lists the known names.',
  ],
  [
    new ApiError('NO_VALUE', 'ggavax_apy has no value at this block.'),
    'No such figure at this block, such as a yield without ggAVAX.',
  ],
  [new ApiError('FLAG_NOT_FOUND', 'There is no flag named darkMode. GET /flags lists all flags.'), 'Unknown flag.'],
  [
    notKnownYet('The events are known up to 2026-11-20 only.', 1_795_132_800),
    'The ledger does not cover the requested range yet. `until` is the time that it reaches, if any.',
  ],
  [new ApiError('RATE_LIMITED', SLOW_DOWN), 'Too many requests from this client.'],
  [internalError(), 'Unexpected error of the service.'],
  [sourceUnavailable(), 'A source does not answer or lacks the data, or clients are too many, and nothing is cached.'],
  [deadlineExceeded(), 'The response took too long to prepare.'],
];

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 0 } },
};
const EXAMPLE_ID = '3f1c4b1e-5a0e-4f5b-9d0a-2b8f0c6d7e11';
/** The body of an error. */
export const PROBLEM_EXAMPLE = toProblem(INVALID_REQUEST, EXAMPLE_ID);
const RETRIED: readonly ErrorCode[] = ['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE'];

/** One schema for all errors, so that clients have one type for them. Each response narrows `code`. */
const Problem = model(
  'Problem',
  z.object({
    type: z.literal('about:blank').check(z.describe('Always `about:blank`: `code` identifies the error.')),
    title: z.string().check(z.describe('Reason phrase of `status`.')),
    status: integer.schema('HTTP status code.'),
    code: model('ErrorCode', z.enum(Object.keys(ERROR_STATUS) as ErrorCode[])).check(
      z.describe('Error code. Its meaning never changes.'),
    ),
    detail: z.string().check(z.describe('Explanation for people.')),
    error: z.string().check(z.describe('Same as `code`.')),
    requestId: z.string().check(z.describe('ID of the request in the logs.')),
    errors: z.optional(
      z
        .array(
          model(
            'ParameterError',
            z.object({
              parameter: z.string().check(z.describe('Name of the parameter.')),
              message: z.string().check(z.describe('Fault, or accepted values.')),
            }),
          ),
        )
        .check(z.describe('Invalid parameters, only for `INVALID_REQUEST`.')),
    ),
    until: z.optional(
      integer.schema(
        'Time up to which the data is known, in Unix seconds. Only for `NOT_KNOWN_YET`, and if it is known at all.',
      ),
    ),
  }),
).check(z.describe('Problem details (RFC 9457) with a machine-readable `code`.'));

/** `DEX_NOT_FOUND` becomes `DexNotFound`; several become `MetricNotFoundOrNoValue`. */
function nameOf(codes: readonly ErrorCode[]): string {
  return codes.map((code) => pascalCase(code.toLowerCase().replaceAll('_', '-'))).join('Or');
}

const PAST: readonly ErrorCode[] = ['NOT_KNOWN_YET'];
const ALWAYS: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL', 'UPSTREAM_UNAVAILABLE', 'DEADLINE_EXCEEDED'];

/** The error codes that an endpoint may respond with, including those of the gateway, by status. */
function codesOf({ notFound = [], reads = [], formats }: Endpoint): Map<number, ErrorCode[]> {
  const isOfPast = reads.includes('ledger') || (reads.includes('history') && 'csv' in formats);
  const before: ErrorCode[] = ['INVALID_REQUEST', 'FORBIDDEN', ...notFound, ...(isOfPast ? PAST : [])];
  return Map.groupBy([...before, ...ALWAYS], (code) => ERROR_STATUS[code]);
}

/** The error responses of an endpoint, by status. */
export function problemsOf(endpoint: Endpoint): Json {
  const problems = [...codesOf(endpoint)].map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/${nameOf(codes)}` },
  ]);
  return Object.fromEntries(problems);
}

/** The responses that {@link problemsOf} refers to. */
export function problemResponses(endpoints: readonly Endpoint[], models: Models): Json {
  const problem = schemaOf(Problem, models);
  const responses = endpoints
    .flatMap((endpoint) => [...codesOf(endpoint).values()])
    .map((codes) => [nameOf(codes), responseOf(codes, problem)]);
  return Object.fromEntries(responses);
}

function responseOf(codes: readonly ErrorCode[], problem: Json): Json {
  const problems = PROBLEMS.filter(([{ code }]) => codes.includes(code));
  const examples = problems.map(([error]) => [error.code, { value: toProblem(error, EXAMPLE_ID) }]);
  // In OpenAPI 3.1, keywords beside a reference apply as well; generators that ignore them still have the type.
  const schema = { ...problem, properties: { code: { enum: codes } } };
  return {
    description: problems.map(([{ code }, when]) => `\`${code}\`: ${when}`).join(' '),
    ...(codes.some((code) => RETRIED.includes(code)) && { headers: RETRY_AFTER }),
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
  };
}
