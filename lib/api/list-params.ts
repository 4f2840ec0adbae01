/** Parameters with several values, separated by commas or given one by one. */

import type * as z from 'zod/mini';
import { END_OF_TIME } from '../values/durations.ts';
import { addressParam, MAX_LENGTH, param, timeParam } from './params.ts';
import { ADDRESS } from './units.ts';

/** Maximum length in characters of an address in a list, with a comma and spaces. */
const MAX_PART_LENGTH = 50;

/** Up to `max` values of a parameter, separated by commas or given one by one: once each, in the order given. */
function listParam<T>(max: number, one: z.ZodMiniType<T>, description: string, accepted: string, items: object) {
  const splitParts = (text: string) => text.split(',').map((part) => part.trim());
  return param({
    description,
    accepted: `1 to ${max} ${accepted}`,
    maxLength: max * MAX_PART_LENGTH,
    parse: (text) => {
      const parts = splitParts(text);
      if (parts.length > max) return undefined;
      const parsed = parts.map((part) => one.safeParse(part));
      if (parsed.some(({ success }) => !success)) return undefined;
      return [...new Set(parsed.flatMap(({ data }) => data ?? []))];
    },
    explain: (text) => formatNames(splitParts(text).filter((part) => !one.safeParse(part).success)),
    schema: { type: 'array', items, minItems: 1, maxItems: max },
  });
}

/** Maximum number of invalid parts of a list that an error names, and of characters of each. */
const NAMED = { parts: 5, characters: 50 };

/** The end of an error message: the invalid parts of a list. */
function formatNames(parts: readonly string[]): string {
  const wrong = [...new Set(parts)];
  const names = wrong.slice(0, NAMED.parts).map((part) => JSON.stringify(part.slice(0, NAMED.characters)));
  return names.length === 0 ? '' : `. Not so: ${names.join(', ')}${wrong.length > names.length ? ' …' : ''}`;
}

export function addressesParam(max: number, meaning: string) {
  return listParam(
    max,
    addressParam(meaning),
    `${meaning} 1 to ${max}, separated by commas. Each in lower case, upper case, or EIP-55 checksummed.`,
    'addresses, separated by commas, each 0x followed by 40 hex digits, in lower case, in upper case, or with a valid EIP-55 checksum',
    { type: 'string', pattern: ADDRESS.source },
  );
}

export function timesParam(max: number, meaning: string) {
  return listParam(
    max,
    timeParam(meaning),
    `${meaning} 1 to ${max}, separated by commas. Each in Unix seconds.`,
    'Unix timestamps, separated by commas, each in seconds (not milliseconds), with at most ten digits',
    { type: 'integer', format: 'int64', minimum: 0, maximum: END_OF_TIME },
  );
}

/** Some of a few words, separated by commas or given one by one. The value has each once, in the order of `words`. */
export function choicesParam<const Word extends string>(words: readonly Word[], description: string, name?: string) {
  return param({
    description,
    accepted: `one or more of ${words.join(', ')}, separated by commas`,
    maxLength: 2 * words.join(', ').length + MAX_LENGTH,
    parse: (text) => {
      const given = text.split(',').map((word) => word.trim());
      const known = words.filter((word) => given.includes(word));
      return given.every((word) => (words as readonly string[]).includes(word)) ? known : undefined;
    },
    schema: { type: 'array', items: { title: name, type: 'string', enum: words }, minItems: 1 },
  });
}
