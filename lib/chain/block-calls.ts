/** Block numbers and headers in JSON-RPC. */

import type { BlockRef } from '../values/block.ts';
import type { RpcCall } from './upstream/json-rpc.ts';

export type BlockTag = 'latest' | number;

/** `toTag(255)` is `"0xff"`. */
export function toTag(block: BlockTag): string {
  return block === 'latest' ? block : `0x${block.toString(16)}`;
}

export function headerCall(block: BlockTag): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [toTag(block), false] };
}

/** The block that the result of a {@link headerCall} describes. Throws if it is not a header. */
export function parseHeader(header: unknown): BlockRef {
  const { number, timestamp } = header as { number: unknown; timestamp: unknown };
  return { number: parseQuantity(number), timestamp: parseQuantity(timestamp) };
}

/** The block with this number that a header describes. Throws if it is not a header, or that of another block. */
export function parseNumberedHeader(number: number, header: unknown): BlockRef {
  const block = parseHeader(header);
  if (block.number !== number) throw new RangeError('the header of another block');
  return block;
}

/** The number in a JSON-RPC quantity such as `0xff`. Throws RangeError for anything else, or above 2^53. */
export function parseQuantity(text: unknown): number {
  const value = typeof text === 'string' && /^0x[\da-fA-F]+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new RangeError('no quantity');
  return value;
}
