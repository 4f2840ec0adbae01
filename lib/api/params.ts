/**
 * The types of path and query parameters. Each parses a text, or refuses it with a description of the accepted texts.
 *
 * All values that this service returns match the JSON Schema of a parameter. All texts that match it are accepted, except
 * those with a wrong checksum, or above the maximum of an amount, which no pattern can detect. Some texts beyond the schema
 * are accepted, too, such as names of exchanges in upper case.
 */

import { getAddress, isAddress } from 'ethers';
import * as z from 'zod/mini';
import { formatAmount, parseAmount, TOKEN_DECIMALS } from '../values/amounts.ts';
import { NODE_ID_FORMS, parseNodeID } from '../values/cb58.ts';
import { END_OF_TIME } from '../values/durations.ts';
import { ADDRESS } from './units.ts';

/** JSON Schema of a value: its `type` and its bounds, and an `example` where endpoints give none. */
interface ValueSchema {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  [keyword: string]: unknown;
}

/**
 * A required parameter; wrap it in `z.optional` or `z._default` otherwise. Only an array may be given more than once: its
 * values come in one text, separated by commas. `accepted` completes "must be …", and `explain` ends it. `parse` returns
 * undefined for a text that it cannot parse.
 */
export function param<T>(
  schema: ValueSchema,
  description: string,
  accepted: string,
  parse: (text: string) => T | undefined,
  explain: (text: string) => string = () => '',
) {
  return z
    .pipe(
      z.unknown(),
      z.transform((input, context): T => {
        const refuse = (message: string) => context.issues.push({ code: 'custom', message, input });
        const text = String(input);
        const value = input === undefined ? undefined : parse(text);
        if (input === undefined) refuse(`is required: ${accepted}`);
        else if (Array.isArray(input) && schema.type !== 'array') refuse('must be given only once');
        else if (value === undefined) refuse(`must be ${accepted}${explain(text)}`);
        return value as T;
      }),
    )
    .check(z.describe(description), z.meta({ ...schema }));
}

/** An amount of whole tokens up to `max` wei, as wei. */
export function amountParam(max: bigint, meaning: string) {
  const description = `${meaning} In whole tokens (not wei), up to ${formatAmount(max)}.`;
  const accepted = `a decimal number of whole tokens (not wei) like 6000.5, from 0 to ${formatAmount(max)} with at most ${TOKEN_DECIMALS} decimal places`;
  return param({ type: 'string', pattern: DECIMAL }, description, accepted, (text) => {
    const amount = parseAmount(text);
    return amount !== undefined && amount <= max ? amount : undefined;
  });
}

const DECIMAL = `^[0-9]+(\\.[0-9]{1,${TOKEN_DECIMALS}})?$`;

const CASES = 'in lower case, in upper case, or with a valid EIP-55 checksum';

/** A C-Chain address in any case, as its checksummed form. */
export function addressParam(meaning: string) {
  return param(
    { type: 'string', pattern: ADDRESS.source },
    `${meaning} Lower case, upper case, or with an EIP-55 checksum.`,
    `an address: 0x followed by 40 hex digits, ${CASES}`,
    (text) => (ADDRESS.test(text) && isAddress(text) ? getAddress(text) : undefined),
    (text) => (ADDRESS.test(text) ? '. The checksum is wrong: copy the address again' : ''),
  );
}

/** One of a few words; `name` is the name of their type, if more than one parameter or body has it. */
export function choiceParam<const Word extends string>(words: readonly Word[], description: string, name?: string) {
  const find = (text: string) => words.find((word) => word === text);
  return param({ title: name, type: 'string', enum: words }, description, `one of ${words.join(', ')}`, find);
}

/** A name that should be one of `words`. Any text is accepted: the handler answers an unknown name with a 404. */
export function nameParam(words: readonly string[], description: string, name: string) {
  return param({ title: name, type: 'string', enum: words }, description, `one of ${words.join(', ')}`, String);
}

export function integerParam(min: number, max: number, description: string) {
  const schema = { type: 'integer', minimum: min, maximum: max } as const;
  return param(schema, description, `an integer from ${min} to ${max}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/** Ten digits reach to the year 2286; a time in milliseconds has thirteen. */
export function timeParam(meaning: string) {
  const schema = { type: 'integer', format: 'int64', minimum: 0, maximum: END_OF_TIME } as const;
  const accepted = 'a Unix timestamp in seconds (not milliseconds), with at most ten digits';
  return param(schema, `${meaning} Unix timestamp in seconds.`, accepted, (text) =>
    /^\d{1,10}$/.test(text) ? Number(text) : undefined,
  );
}

export function patternParam<T>(pattern: RegExp, description: string, accepted: string, parse: (text: string) => T) {
  const schema = { type: 'string', pattern: pattern.source } as const;
  return param(schema, description, accepted, (text) => (pattern.test(text) ? parse(text) : undefined));
}

/** A `nextCursor` that matches `pattern`, parsed by `parse`. `orElse` ends the error message: what to do without one. */
export function cursorParam<T>(pattern: RegExp, parse: (text: string) => T, orElse = '') {
  const description = 'The `nextCursor` of the previous page. Keep the other parameters the same.';
  return patternParam(pattern, description, `the nextCursor of a previous page${orElse}`, parse);
}

/** For pages that begin at a time, Unix seconds. */
export function timeCursorParam() {
  return cursorParam(/^[0-9]{1,10}$/, Number);
}

/** A node ID in either of its forms, as its 20 bytes in lower-case hex, as contracts store it. */
export function nodeIDParam(meaning: string) {
  return param(
    { type: 'string', pattern: NODE_ID_FORMS },
    `${meaning} \`NodeID-…\`, or 20 bytes in 0x-hex. A wrong checksum is a 400.`,
    'a node ID: NodeID-… with a valid checksum, or 0x followed by 40 hex digits',
    parseNodeID,
  );
}

/** A number as programs write it: JavaScript writes 0.0000001 as 1e-7. */
const JSON_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A number from 0 to 100: 6.53 means 6.53 %. */
export function percentParam(description: string) {
  const schema = { type: 'number', minimum: 0, maximum: 100, example: 80 } as const;
  return param(schema, description, 'a percentage from 0 to 100', (text) => {
    const value = JSON_NUMBER.test(text) ? Number(text) : Number.NaN;
    return value >= 0 && value <= 100 ? Math.abs(value) : undefined;
  });
}

export function flagParam(description: string) {
  const parse = (text: string) => (/^(true|false)$/.test(text) ? text === 'true' : undefined);
  return param({ type: 'boolean' }, description, 'true or false', parse);
}

/** Up to `max` values of a parameter, as its schema has it. Each is read once, in the order given. */
function listParam<T>(max: number, one: z.ZodMiniType<T>, description: string, accepted: string) {
  const { description: _, ...items } = z.globalRegistry.get(one) ?? {};
  const partsOf = (text: string) => text.split(',').map((part) => part.trim());
  return param(
    { type: 'array', items, minItems: 1, maxItems: max },
    description,
    accepted,
    (text) => {
      const parsed = partsOf(text).map((part) => one.safeParse(part));
      if (parsed.length > max || parsed.some(({ success }) => !success)) return undefined;
      return [...new Set(parsed.map(({ data }) => data as T))];
    },
    (text) => formatNames([...new Set(partsOf(text))].filter((part) => !one.safeParse(part).success)),
  );
}

/** Maximum number of invalid parts of a list that an error names, and of characters of each. */
const NAMED = { parts: 5, characters: 50 };

/** The end of an error message: the invalid parts of a list. */
function formatNames(wrong: readonly string[]): string {
  const names = wrong.slice(0, NAMED.parts).map((part) => JSON.stringify(part.slice(0, NAMED.characters)));
  return names.length === 0 ? '' : `. Not so: ${names.join(', ')}${wrong.length > names.length ? ' …' : ''}`;
}

export function addressesParam(max: number, meaning: string) {
  const description = `${meaning} 1 to ${max}, separated by commas. Each in lower case, upper case, or EIP-55 checksummed.`;
  const accepted = `1 to ${max} addresses, separated by commas, each 0x followed by 40 hex digits, ${CASES}`;
  return listParam(max, addressParam(meaning), description, accepted);
}

export function timesParam(max: number, meaning: string) {
  const description = `${meaning} 1 to ${max}, separated by commas. Each in Unix seconds.`;
  const accepted = `1 to ${max} Unix timestamps, separated by commas, each in seconds (not milliseconds), with at most ten digits`;
  return listParam(max, timeParam(meaning), description, accepted);
}

/** Some of a few words, each once, sorted: equal requests share a cache key. */
export function choicesParam<const Word extends string>(words: readonly Word[], description: string, name?: string) {
  const accepted = `one or more of ${words.join(', ')}, separated by commas`;
  const choices = listParam(words.length, choiceParam(words, '', name), description, accepted);
  return choices.check(z.overwrite((given) => given.toSorted()));
}
