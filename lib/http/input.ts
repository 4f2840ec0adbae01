import type * as z from 'zod/mini';
import { ApiError } from './errors.ts';
import type { Request } from './message.ts';

/**
 * The validated parameters of a request. Unknown ones are ignored; a known one that is given twice is a mistake. Throws one
 * INVALID_REQUEST that names every bad parameter.
 */
export function parseInput<Input extends z.ZodMiniObject>(schema: Input, { params, query }: Request): z.output<Input> {
  const names = Object.keys(schema.shape);
  const given = names.flatMap((name) => {
    const value = params[name] ?? query[name]?.at(-1);
    return value === undefined ? [] : [[name, value]];
  });
  const repeated = names.filter((name) => (query[name]?.length ?? 0) > 1);
  const parsed = schema.safeParse(Object.fromEntries(given));
  const errors = [
    ...repeated.map((parameter) => ({ parameter, message: 'must be given only once' })),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => ({ parameter: String(path[0]), message })),
  ];
  if (errors.length === 0) return parsed.data as z.output<Input>;
  const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join('; ');
  throw new ApiError('INVALID_REQUEST', `${detail}.`, { errors });
}

/** A text that is equal for equal inputs, whatever the order or spelling they came in. */
export function canonicalText(input: object): string {
  return JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
}
