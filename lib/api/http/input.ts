import type * as z from 'zod/mini';
import { ApiError, type ParameterError } from '../../runtime/errors.ts';
import type { Request } from './message.ts';

/** More are not named in one answer: whoever sends that many mistakes is not reading. */
const MAX_ERRORS = 5;

/**
 * The validated parameters of a request. Unknown ones are ignored; a known one that is given twice is a mistake. Throws one
 * INVALID_REQUEST that names bad parameters, and those of `others`: the first five.
 */
export function parseInput<Input extends z.ZodMiniObject>(
  schema: Input,
  { params, query }: Request,
  others: readonly ParameterError[] = [],
): z.output<Input> {
  const names = Object.keys(schema.shape);
  const given = names.flatMap((name) => {
    const values = query[name] ?? [];
    const value = params[name] ?? (values.length > 1 ? values : values[0]);
    return value === undefined ? [] : [[name, value]];
  });
  const parsed = schema.safeParse(Object.fromEntries(given));
  const issues = parsed.error?.issues ?? [];
  const found = [...issues.map(({ path, message }) => ({ parameter: String(path[0]), message })), ...others];
  if (found.length === 0) return parsed.data as z.output<Input>;
  const errors = found.slice(0, MAX_ERRORS);
  const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join('; ');
  throw new ApiError('INVALID_REQUEST', `${detail}.`, { errors });
}

/** A text that is equal for equal inputs, whatever the order or spelling they came in. */
export function canonicalText(input: object): string {
  return JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
}
