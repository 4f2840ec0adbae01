/** CB58, Avalanche's text form of bytes: base58 of the bytes and the last four of their SHA-256 (avalanchego, utils/cb58). */

import { hash } from 'node:crypto';
import { base58 } from '@scure/base';

const CHECKSUM_BYTES = 4;
const NODE_ID_BYTES = 20;
const NODE_ID_PREFIX = 'NodeID-';
/** 24 bytes take 25 to 33 digits: a zero byte at the start takes one, and the others about 1.37 each. */
const NODE_ID_TEXT = `${NODE_ID_PREFIX}[1-9A-HJ-NP-Za-km-z]{25,33}`;
const NODE_ID_HEX = `0x[0-9a-fA-F]{${NODE_ID_BYTES * 2}}`;

/** Both forms of a node ID. The checksum is not checked. */
export const NODE_ID_FORMS = `^(${NODE_ID_TEXT}|${NODE_ID_HEX})$`;

/** The text form of a node ID. The checksum is not checked. */
export const NODE_ID = new RegExp(`^${NODE_ID_TEXT}$`);
const IS_HEX = new RegExp(`^${NODE_ID_HEX}$`, 'i');

export function formatNodeID(hex: string): string {
  return NODE_ID_PREFIX + formatTxID(hex);
}

/** A node's 20 bytes as lower-case 0x-hex, from either form; undefined for anything else, bad checksums included. */
export function parseNodeID(text: string): string | undefined {
  if (IS_HEX.test(text)) return text.toLowerCase();
  const bytes = NODE_ID.test(text) ? decode(text.slice(NODE_ID_PREFIX.length)) : undefined;
  return bytes?.length === NODE_ID_BYTES ? `0x${bytes.toString('hex')}` : undefined;
}

/** The text form of bytes in 0x-hex, such as a P-Chain transaction's 32. */
export function formatTxID(hex: string): string {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  return base58.encode(Buffer.concat([bytes, checksum(bytes)]));
}

/** The bytes without their checksum, or undefined if that is wrong. */
function decode(digits: string): Buffer | undefined {
  const whole = Buffer.from(base58.decode(digits));
  const bytes = whole.subarray(0, -CHECKSUM_BYTES);
  return checksum(bytes).equals(whole.subarray(-CHECKSUM_BYTES)) ? bytes : undefined;
}

function checksum(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(-CHECKSUM_BYTES);
}
