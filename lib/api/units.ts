/**
 * The units of fields. Chain values stay bigints until a unit writes them: amounts are wei, fractions are scaled by 1e18.
 */

import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { formatAmount, formatNAVAX, percentFrom, roundNumber, toNumber } from '../values/amounts.ts';
import type { BlockRef } from '../values/block.ts';
import { formatNodeID } from '../values/cb58.ts';
import { type Field, json, unit } from './fields.ts';
import * as schemas from './schemas.ts';

/** Wei of AVAX, as an exact decimal string. */
export const avax = unit((meaning) => schemas.tokens('AVAX', meaning), formatWei);
export const ggAvax = unit((meaning) => schemas.tokens('ggAVAX', meaning), formatWei);
export const ggp = unit((meaning) => schemas.tokens('GGP', meaning), formatWei);
export const sAvax = unit((meaning) => schemas.tokens('sAVAX', meaning), formatWei);
/** Wei, or another number scaled by 1e18, as an exact decimal string; the unit is in `meaning`. */
export const decimal = unit(schemas.decimal, formatWei);

/** nAVAX of the P-Chain, as an exact decimal string in AVAX. */
export const nAVAX = unit(schemas.pChainAVAX, formatNAVAX);

/** Wei, or prices scaled by 1e18, as numbers to calculate with. */
export const avaxNumber = unit((meaning) => schemas.quantity('AVAX', meaning), weiToNumber);
export const ggAvaxNumber = unit((meaning) => schemas.quantity('ggAVAX', meaning), weiToNumber);
export const ggpNumber = unit((meaning) => schemas.quantity('GGP', meaning), weiToNumber);
export const usd = unit((meaning) => schemas.quantity('USD', meaning), weiToNumber);
export const eur = unit((meaning) => schemas.quantity('EUR', meaning), weiToNumber);

/** A fraction, in percent. */
export const percent = unit(schemas.percent, percentFrom);
/** A number that is in percent already, rounded to 12 significant digits. */
export const percentNumber = unit(schemas.percent, roundNumber);
/** Basis points, in percent. */
export const bips = unit(schemas.percent, (value: bigint) => toNumber(value, 2));

/** Parts per million, in percent. */
export const partsPerMillion = unit(schemas.percent, (value: number) => toNumber(BigInt(value), 4));

export const integer = unit(schemas.integer, toInteger);
export const seconds = unit(schemas.seconds, toInteger);
/** Unix seconds. */
export const unixTime = unit(schemas.unixTime, toInteger);

export const text = unit(schemas.text, (value: string) => value);
export const flag = unit(schemas.flag, (value: boolean) => value);
/** A transaction's hash. */
export const transactionHash = unit(schemas.transactionHash, (value: string) => value);
/** An address in any case, checksummed. */
export const address = unit(schemas.address, getAddress);

/** A node's 20 bytes in 0x-hex, in the `NodeID-…` form. */
export function nodeID<Source>(value: (source: Source) => string): Field<Source, ReturnType<typeof schemas.nodeID>> {
  return json(schemas.nodeID, (source) => formatNodeID(value(source)));
}

/** A block, and its time. */
export const blockAt = unit(
  (meaning) => schemas.blockRef().check(z.describe(meaning)),
  (block: BlockRef) => block,
);

/** The block of a body. */
export function block<Source extends { block: BlockRef }>(): Field<Source, ReturnType<typeof schemas.blockRef>> {
  return json(schemas.blockRef, ({ block }: Source) => block);
}

function formatWei(value: bigint): string {
  return formatAmount(value);
}

function weiToNumber(value: bigint): number {
  return toNumber(value);
}

function toInteger(value: bigint | number): number {
  return Number(value);
}
