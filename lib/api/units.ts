/**
 * The units of fields: schema and JSON of each. Chain values stay bigints until a unit writes them: amounts are wei,
 * fractions are scaled by 1e18. Columns, symbols and stored forms are in `lib/values/units.ts`.
 */

import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { MINIPOOL_STATUSES, statusName } from '../contracts/minipool-statuses.ts';
import { formatAmount, formatNAVAX, percentFrom, roundNumber, toNumber } from '../values/amounts.ts';
import type { BlockRef } from '../values/block.ts';
import { formatNodeID } from '../values/cb58.ts';
import { LAST_TIME } from '../values/iso-time.ts';
import { UNITS, type UnitDeclaration } from '../values/units.ts';
import { choice, described, model, unit } from './fields.ts';

/** 20 bytes as hex in any case. Its EIP-55 checksum is not checked. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Values of a JSON type; `ending` follows the meaning of each field. Tables get the type of the column and, if any, its unit. */
function scalar<Value, Schema extends z.ZodMiniType>(
  { column, symbol }: UnitDeclaration,
  schema: () => Schema,
  json: (value: Value) => z.input<Schema>,
  ending = '',
) {
  const metadata = { column, ...(symbol && { unit: symbol }) };
  return unit((meaning) => described(schema().check(z.meta(metadata)), meaning + ending), json);
}

export const matching = (pattern: RegExp) => z.string().check(z.regex(pattern));
const decimalText = () => matching(/^-?\d+(\.\d+)?$/);
const toDecimal = (value: bigint) => formatAmount(value);
const toDouble = (value: bigint) => toNumber(value);

/** Wei of a token, as an exact decimal string. */
const tokens = (stored: UnitDeclaration) =>
  scalar(stored, decimalText, toDecimal, ` Exact decimal string in ${stored.symbol}, up to 18 decimal places.`);

/** Wei, or prices scaled by 1e18, as numbers that clients calculate with. */
const numbers = (symbol: string) =>
  scalar({ column: 'number', symbol }, z.number, toDouble, ` In ${symbol}, rounded to 12 significant digits.`);

const percents = <Value>(toPercent: (value: Value) => number) =>
  scalar({ column: 'number', symbol: 'percent' }, z.number, toPercent, ' In percent (6.53 means 6.53%).');

const integers = (stored: UnitDeclaration, ending = '', most = Number.POSITIVE_INFINITY) => {
  const toInteger = (value: bigint | number) => Math.min(Number(value), most);
  return scalar(stored, () => z.int().check(z.gte(0)), toInteger, ending);
};

export const avax = tokens(UNITS.avax);
export const ggAvax = tokens(UNITS.ggAvax);
export const ggp = tokens(UNITS.ggp);
/** Wei, or another number scaled by 1e18, as an exact decimal string; the unit is in `meaning`. */
export const decimal = scalar({ column: 'decimal' }, decimalText, toDecimal);
/** nAVAX of the P-Chain, as an exact decimal string in AVAX. */
export const nAVAX = scalar(
  { column: 'decimal', symbol: 'AVAX' },
  () => matching(/^\d+(\.\d+)?$/),
  formatNAVAX,
  ' Exact decimal string in AVAX, up to 9 decimal places.',
);

export const avaxNumber = numbers('AVAX');
export const ggAvaxNumber = numbers('ggAVAX');
export const ggpNumber = numbers('GGP');
export const usd = numbers('USD');
export const eur = numbers('EUR');

export const percent = percents(percentFrom);
/** A number that is in percent already, rounded to 12 significant digits. */
export const percentNumber = percents(roundNumber);
export const bips = percents((value: bigint) => toNumber(value, 2));
export const partsPerMillion = percents((value: number) => toNumber(BigInt(value), 4));

/** A count, or the number of something, such as a block. */
export const integer = integers(UNITS.integer);
export const seconds = integers(UNITS.seconds, ' In seconds.');
/** A point in time, Unix seconds. Contracts store up to 2^256 − 1 for "never". */
export const unixTime = integers(UNITS.unixTime, ' Unix timestamp in seconds.', LAST_TIME);

const asText = (value: string) => value;
export const text = scalar(UNITS.text, z.string, asText);
export const flag = scalar(UNITS.flag, z.boolean, (value: boolean) => value);
const hash = () => matching(/^0x[0-9a-f]{64}$/);
export const transactionHash = scalar(UNITS.hash, hash, asText, 'Transaction hash, 0x-prefixed hex.');
export const address = scalar(UNITS.address, () => matching(ADDRESS), getAddress, ' EIP-55 checksummed.');
/** A node's 20 bytes in 0x-hex, in the `NodeID-…` form. */
export const nodeID = unit(
  (meaning) =>
    matching(/^NodeID-[1-9A-HJ-NP-Za-km-z]+$/).check(z.describe(meaning || 'Node ID in the `NodeID-…` form.')),
  formatNodeID,
);
const statusSchema = choice('MinipoolStatus', MINIPOOL_STATUSES).schema;
export const status = unit(statusSchema, statusName);

/** A block, and its time. A function, like all schemas, so that importing this file builds nothing. */
export const block = unit(
  (meaning) =>
    model(
      'BlockRef',
      z.object({ number: integer.schema('C-Chain block number.'), timestamp: unixTime.schema('Time of the block.') }),
    ).check(z.describe(meaning || 'Block of all chain data in this answer.')),
  (ref: BlockRef) => ref,
);
