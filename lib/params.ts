import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { formatAmount, parseAmount, TOKEN_DECIMALS } from './amounts.ts';
import { parseNodeID } from './cb58.ts';

/** The vocabulary of path and query parameters: text that is understood or refused with what would have been accepted. */

interface Param<T> {
  description: string;
  /** Completes "must be …". */
  accepted: string;
  /** The value, or undefined if the text is not understood. */
  parse: (text: string) => T | undefined;
  /** JSON Schema keywords for the text: `enum`, `pattern`, `examples` … */
  schema?: Record<string, unknown>;
}

/** A required parameter; wrap it in `z.optional` or `z._default` otherwise. */
export function param<T>({ description, accepted, parse, schema }: Param<T>) {
  return z
    .pipe(
      z.string({ error: `is required: ${accepted}` }),
      z.transform((input, context): T => {
        const value = parse(input);
        if (value === undefined) context.issues.push({ code: 'custom', message: `must be ${accepted}`, input });
        return value as T;
      }),
    )
    .check(z.describe(description), z.meta({ ...schema }));
}

/** An amount of whole tokens up to `max` wei, as wei. */
export function tokenAmount(max: bigint, description: string) {
  return param({
    description,
    accepted: `a decimal number of whole tokens (not wei) from 0 to ${formatAmount(max)} with at most ${TOKEN_DECIMALS} places`,
    parse: (text) => {
      const amount = parseAmount(text);
      return amount !== undefined && amount <= max ? amount : undefined;
    },
    schema: { pattern: `^\\d+(\\.\\d{1,${TOKEN_DECIMALS}})?$` },
  });
}

/** A C-Chain address in any case, as its checksummed form. A wrong checksum in mixed case is refused. */
export function address(description: string) {
  return param({
    description,
    accepted: 'an address: 0x and 40 hex digits, all in one case or with a valid EIP-55 checksum',
    parse: (text) => {
      if (!/^0x[0-9a-f]{40}$/i.test(text)) return undefined;
      try {
        return getAddress(text);
      } catch {
        return undefined;
      }
    },
    schema: { pattern: '^0x[0-9a-fA-F]{40}$' },
  });
}

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[], description: string) {
  return param({
    description,
    accepted: `one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word === text),
    schema: { enum: words },
  });
}

/** Some of a few words, separated by commas: once each and in their own order, however they are given. */
export function choices<const Word extends string>(words: readonly Word[], description: string) {
  return param({
    description,
    accepted: `one or more of ${words.join(', ')}, separated by commas`,
    parse: (text) => {
      const given = text.split(',').map((word) => word.trim());
      const known = words.filter((word) => given.includes(word));
      return given.every((word) => (words as readonly string[]).includes(word)) ? known : undefined;
    },
    schema: { pattern: `^(${words.join('|')})(,(${words.join('|')}))*$` },
  });
}

/** An integer from `min` to `max`. */
export function integer(min: number, max: number, description: string) {
  return param({
    description,
    accepted: `an integer from ${min} to ${max}`,
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
    schema: { pattern: '^\\d+$' },
  });
}

/** A node in either of its forms, as its 20 bytes in lower-case hex: the way contracts name it. */
export function nodeID(description: string) {
  return param({
    description,
    accepted: 'a node ID: NodeID-… with its checksum, or 0x and 40 hex digits',
    parse: parseNodeID,
    schema: { examples: ['NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5'] },
  });
}

/** A number from 0 to 100: 6.53 means 6.53 %. */
export function percent(description: string) {
  return param({
    description,
    accepted: 'a number of percent from 0 to 100',
    parse: (text) => (/^\d{1,3}(\.\d{1,16})?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined),
    schema: { pattern: '^\\d+(\\.\\d+)?$' },
  });
}

/** Yes or no. */
export function flag(description: string) {
  return param({
    description,
    accepted: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    schema: { enum: ['true', 'false'] },
  });
}
