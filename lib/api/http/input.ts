import type * as z from 'zod/mini';
import { ApiError, type ParameterError } from '../../runtime/errors.ts';
import type { Request } from './response.ts';

/** Maximum number of errors that an answer names. */
const MAX_ERRORS = 5;

/** Query parameters that link trackers add to any URL. They are ignored, and never part of a cache key. */
export const TRACKERS = /^(utm_.*|fbclid|gclid|_)$/;

/**
 * The validated parameters of a request. Throws INVALID_REQUEST, which names the first five parameters that are invalid,
 * repeated or unknown.
 */
export function parseInput<Input extends z.ZodMiniObject>(schema: Input, { params, query }: Request): z.output<Input> {
  const names = Object.keys(schema.shape);
  const given = names.flatMap((name) => {
    const values = query[name] ?? [];
    const value = params[name] ?? (values.length > 1 ? values : values[0]);
    return value === undefined ? [] : [[name, value]];
  });
  const parsed = schema.safeParse(Object.fromEntries(given));
  const issues = parsed.error?.issues ?? [];
  const taken = names.filter((name) => !(name in params));
  const invalid = issues.map(({ path, message }) => ({ parameter: String(path[0]), message }));
  const found = [...invalid, ...unknown(taken, query)];
  if (found.length === 0) return parsed.data as z.output<Input>;
  const errors = found.slice(0, MAX_ERRORS);
  const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join('; ');
  throw new ApiError('INVALID_REQUEST', `${detail}.`, { errors });
}

/** The errors for query parameters other than those that an endpoint takes. */
function unknown(taken: readonly string[], query: Request['query']): ParameterError[] {
  const names = Object.keys(query).filter((name) => !taken.includes(name) && !TRACKERS.test(name));
  const message = `is not a parameter of this endpoint, which takes ${taken.join(', ') || 'none'}`;
  return names.map((parameter) => ({ parameter, message }));
}

/** A text that is equal for equal inputs, independent of their order or spelling in the request. */
export function canonicalText(input: object): string {
  return JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
}
