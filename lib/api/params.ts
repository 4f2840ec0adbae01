/**
 * The types of path and query parameters. Each parses a text, or refuses it with a description of the accepted texts.
 *
 * Each has the JSON Schema of its values. All values that this service returns match it, so a client that checks its
 * requests by the schema can send back what it was given. All texts that match it are accepted, except those with a wrong
 * checksum, which no pattern can detect. Some texts beyond the schema are accepted, too, such as names of exchanges in
 * upper case.
 */

import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { formatAmount, parseAmount, TOKEN_DECIMALS } from '../values/amounts.ts';
import { NODE_ID_FORMS, parseNodeID } from '../values/cb58.ts';
import { END_OF_TIME } from '../values/durations.ts';
import { ADDRESS } from './units.ts';

interface Param<T> {
  description: string;
  /** Completes "must be …". */
  accepted: string;
  /** Longer texts are refused without parsing; 200 characters by default. */
  maxLength?: number;
  /** The value, or undefined if the text cannot be parsed. The values of a list come in one text, separated by commas. */
  parse: (text: string) => T | undefined;
  /** The end of the message about a text that cannot be parsed. */
  explain?: (text: string) => string;
  /** JSON Schema of the value: its `type` and its bounds, and an `example` where endpoints give none. */
  schema: { type: 'string' | 'integer' | 'number' | 'boolean' | 'array'; [keyword: string]: unknown };
}

export const MAX_LENGTH = 200;

/** A required parameter; wrap it in `z.optional` or `z._default` otherwise. Only a list may be given more than once. */
export function param<T>({ description, accepted, maxLength = MAX_LENGTH, parse, explain, schema }: Param<T>) {
  return z
    .pipe(
      z.unknown(),
      z.transform((input, context): T => {
        const refuse = (message: string) => context.issues.push({ code: 'custom', message, input });
        const isRepeated = Array.isArray(input) && schema.type !== 'array';
        if (isRepeated) refuse('must be given only once');
        const text = isRepeated ? input.at(-1) : input;
        const isReadable = String(text).length <= maxLength;
        const value = text !== undefined && isReadable ? parse(String(text)) : undefined;
        const reason = () => (isReadable && explain?.(String(text))) || '';
        if (value === undefined)
          refuse(text === undefined ? `is required: ${accepted}` : `must be ${accepted}${reason()}`);
        return value as T;
      }),
    )
    .check(z.describe(description), z.meta({ ...schema }));
}

/** An amount of whole tokens up to `max` wei, as wei. */
export function amountParam(max: bigint, description: string) {
  return param({
    description,
    accepted: `a decimal number of whole tokens (not wei) like 6000.5, from 0 to ${formatAmount(max)} with at most ${TOKEN_DECIMALS} decimal places`,
    parse: (text) => {
      const amount = parseAmount(text);
      return amount !== undefined && amount <= max ? amount : undefined;
    },
    schema: { type: 'string', pattern: decimalsUpTo(max) },
  });
}

/** A pattern of the decimal texts from 0 to `max` wei: a whole number of tokens that has at least two digits. */
function decimalsUpTo(max: bigint): string {
  const digits = [...formatAmount(max)];
  // Up to some digit the same, then a smaller one, then any.
  const smaller = digits.flatMap((digit, index) =>
    digit === '0'
      ? []
      : `${digits.slice(0, index).join('')}[0-${Number(digit) - 1}][0-9]{${digits.length - index - 1}}`,
  );
  const whole = [`[0-9]{1,${digits.length - 1}}`, ...smaller].join('|');
  return `^0*((${whole})(\\.[0-9]{1,${TOKEN_DECIMALS}})?|${digits.join('')}(\\.0{1,${TOKEN_DECIMALS}})?)$`;
}

/** A C-Chain address in any case, as its checksummed form. A wrong checksum in mixed case is refused. */
export function addressParam(meaning: string) {
  return param({
    description: `${meaning} Lower case, upper case, or with an EIP-55 checksum.`,
    accepted: 'an address: 0x followed by 40 hex digits, in lower case, in upper case, or with a valid EIP-55 checksum',
    parse: (text) => {
      if (!ADDRESS.test(text)) return undefined;
      try {
        return getAddress(text);
      } catch {
        return undefined;
      }
    },
    explain: (text) => (ADDRESS.test(text) ? '. The checksum is wrong: copy the address again' : ''),
    schema: { type: 'string', pattern: ADDRESS.source },
  });
}

/** One of a few words; `name` is the name of their type, if more than one parameter or body has it. */
export function choiceParam<const Word extends string>(words: readonly Word[], description: string, name?: string) {
  return param({
    description,
    accepted: `one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word === text),
    schema: { title: name, type: 'string', enum: words },
  });
}

export const CURRENCIES = ['usd', 'eur'] as const;

export function currencyParam(meaning: string) {
  // No default in the schema: generated clients send it, also with formats that have no currency.
  return z.optional(choiceParam(CURRENCIES, `${meaning} \`usd\` if omitted.`, 'Currency'));
}

export function integerParam(min: number, max: number, description: string) {
  return param({
    description,
    accepted: `an integer from ${min} to ${max}`,
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
    schema: { type: 'integer', minimum: min, maximum: max },
  });
}

/** Ten digits reach to the year 2286; a time in milliseconds has thirteen. */
export function timeParam(description: string) {
  return param({
    description,
    accepted: 'a Unix timestamp in seconds (not milliseconds), with at most ten digits',
    parse: (text) => (/^\d{1,10}$/.test(text) ? Number(text) : undefined),
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: END_OF_TIME },
  });
}

/** A text that matches `pattern`, parsed by `parse`. */
export function patternParam<T>(pattern: RegExp, description: string, accepted: string, parse: (text: string) => T) {
  return param({
    description,
    accepted,
    parse: (text) => (pattern.test(text) ? parse(text) : undefined),
    schema: { type: 'string', pattern: pattern.source },
  });
}

/** A `nextCursor` that matches `pattern`, parsed by `parse`. `orElse` ends the error message: what to do without one. */
export function cursorParam<T>(pattern: RegExp, parse: (text: string) => T, orElse = '') {
  const description = 'The `nextCursor` of the previous page. Keep the other parameters the same.';
  return patternParam(pattern, description, `the nextCursor of a previous page${orElse}`, parse);
}

/** The parameter `after`: the `lastCursor` of an earlier answer, from which a client follows a list. */
export function afterParam(pattern: RegExp) {
  return patternParam(
    pattern,
    'The `lastCursor` of an earlier answer: returns only newer entries, each exactly once. Needs `order=asc`.',
    'the lastCursor of an earlier answer of this release; to begin anew, send from instead',
    String,
  );
}

/** The cursor of pages that begin at a time, Unix seconds. */
export function timeCursorParam() {
  return cursorParam(/^[0-9]{1,10}$/, Number);
}

/** A node ID in either of its forms, as its 20 bytes in lower-case hex, as contracts store it. */
export function nodeIDParam(meaning: string) {
  return param({
    description: `${meaning} \`NodeID-…\`, or 20 bytes in 0x-hex. A wrong checksum is a 400.`,
    accepted: 'a node ID: NodeID-… with a valid checksum, or 0x followed by 40 hex digits',
    parse: parseNodeID,
    schema: { type: 'string', pattern: NODE_ID_FORMS },
  });
}

/** A number as programs write it: JavaScript writes 0.0000001 as 1e-7. */
const JSON_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A number from 0 to 100: 6.53 means 6.53 %. */
export function percentParam(description: string) {
  return param({
    description,
    accepted: 'a percentage from 0 to 100',
    parse: (text) => {
      const value = JSON_NUMBER.test(text) ? Number(text) : Number.NaN;
      return value >= 0 && value <= 100 ? Math.abs(value) : undefined;
    },
    schema: { type: 'number', minimum: 0, maximum: 100, example: 80 },
  });
}

export function flagParam(description: string) {
  return param({
    description,
    accepted: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    schema: { type: 'boolean' },
  });
}
