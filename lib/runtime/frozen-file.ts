/** What a frozen service answers from, as one file for Lambda: compressed JSON. */

import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Frozen } from './frozen.ts';

/** The bytes of such a file. */
export function frozenFile({ block, calls, datasets }: Frozen): Buffer {
  return gzipSync(toJson({ block, calls: [...calls], datasets: [...datasets] }));
}

/** Reads a file that {@link frozenFile} has made. */
export function readFrozenFile(path: string): Frozen {
  const { block, calls, datasets } = fromJson(gunzipSync(readFileSync(path)).toString()) as {
    block: Frozen['block'];
    calls: [string, { data: string; reverted: boolean }][];
    datasets: [string, unknown][];
  };
  return { block, calls: new Map(calls), datasets: new Map(datasets) };
}

/** JSON in which `{"bigint": "1"}` is the bigint 1. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? { bigint: String(part) } : part));
}

/** The value of such JSON. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (_, part) => (typeof part?.bigint === 'string' ? BigInt(part.bigint) : part));
}
