/**
 * The schemas of response bodies. Every schema has the text that documents it, unit included: the OpenAPI document is
 * made from them.
 */

import * as z from 'zod/mini';
import type { ColumnType } from '../values/units.ts';

/**
 * Names a schema: the OpenAPI document has it once, under this name. `about` describes it there if its uses have
 * different descriptions; without `about`, the description of the first use is for all.
 */
export function model<Schema extends z.ZodMiniType>(name: string, schema: Schema, about?: string): Schema {
  return schema.check(z.meta({ title: name, about }));
}

/** Adds metadata: the type of the column in tables and, if it has one, its unit. */
function inColumn<Schema extends z.ZodMiniType>(column: ColumnType, schema: Schema, unit?: string): Schema {
  return schema.check(z.meta({ column, ...(unit && { unit }) }));
}

type Unit = 'AVAX' | 'GGP' | 'ggAVAX' | 'sAVAX' | 'whole tokens';

/** Tokens as an exact decimal string. */
export function tokens(unit: Unit, meaning: string) {
  const schema = decimal(`${meaning} Exact decimal string in ${unit}, up to 18 decimal places.`);
  return inColumn('decimal', schema, unit);
}

/** An amount of AVAX on the P-Chain, which has nine decimal places. */
export function pChainAVAX(meaning: string) {
  const description = `${meaning} Exact decimal string in AVAX, up to 9 decimal places.`;
  return inColumn('text', z.string().check(z.regex(/^\d+(\.\d+)?$/), z.describe(description)), 'AVAX');
}

/** An exact decimal string; the unit is in `meaning`. */
export function decimal(meaning: string) {
  return inColumn('decimal', z.string().check(z.regex(/^-?\d+(\.\d+)?$/), z.describe(meaning)));
}

/** A number that clients calculate with, rounded to 12 significant digits. */
export function quantity(unit: string, meaning: string) {
  const schema = z.number().check(z.describe(`${meaning} In ${unit}, rounded to 12 significant digits.`));
  return inColumn('number', schema, unit);
}

/** A share, a rate or a yield. */
export function percent(meaning: string) {
  return inColumn('number', z.number().check(z.describe(`${meaning} In percent (6.53 means 6.53%).`)), 'percent');
}

/** A count, or the number of something, such as a block. */
export function integer(meaning: string) {
  return inColumn('integer', z.int().check(z.gte(0), z.describe(meaning)));
}

/** A point in time. */
export function unixTime(meaning: string) {
  return inColumn('time', z.int().check(z.gte(0), z.describe(`${meaning} Unix timestamp in seconds.`)));
}

/** A length of time. */
export function seconds(meaning: string) {
  return inColumn('integer', z.int().check(z.gte(0), z.describe(`${meaning} In seconds.`)), 'seconds');
}

export function text(meaning: string) {
  return z.string().check(z.describe(meaning));
}

export function flag(meaning: string) {
  return inColumn('flag', z.boolean().check(z.describe(meaning)));
}

/** 20 bytes as hex in any case. Its EIP-55 checksum is not checked. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function address(meaning: string) {
  return z.string().check(z.regex(ADDRESS), z.describe(`${meaning} EIP-55 checksummed.`));
}

export function nodeID() {
  return z.string().check(z.regex(/^NodeID-[1-9A-HJ-NP-Za-km-z]+$/), z.describe('Node ID in the `NodeID-…` form.'));
}

export function nodeIDHex() {
  return z
    .string()
    .check(z.regex(/^0x[0-9a-f]{40}$/), z.describe('Node ID as 20 bytes in 0x-hex, as in contracts and events.'));
}

export function transactionHash() {
  return z.string().check(z.regex(/^0x[0-9a-f]{64}$/), z.describe('Transaction hash, 0x-prefixed hex.'));
}

/** The block of a body. A function, like the others, so that importing this file builds nothing. */
export function blockRef() {
  return model(
    'BlockRef',
    z.object({
      number: integer('C-Chain block number.'),
      timestamp: unixTime('Time of the block.'),
    }),
  ).check(z.describe('Block of all chain data in this answer.'));
}
