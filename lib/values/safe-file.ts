/** Files for the Transaction Builder of Safe, a wallet with several owners (https://help.safe.global). */

import { keccak256 } from 'ethers/crypto';
import { toUtf8Bytes } from 'ethers/utils';

/** `data` is calldata in hex, `value` in AVAX wei. */
type SafeCall = Record<'contract' | 'data' | 'value', string> & { chainId: number };

/** One batch of calls; `createdAt` is in unix seconds. Its checksum is the one that Safe's import computes. */
export function createSafeFile(name: string, calls: readonly SafeCall[], createdAt: number): string {
  const file = {
    version: '1.0',
    chainId: String(calls[0]?.chainId),
    createdAt: createdAt * 1_000,
    meta: { name },
    transactions: calls.map(({ contract, value, data }) => ({
      ...{ to: contract, value, data },
      ...{ contractMethod: null, contractInputsValues: null },
    })),
  };
  return JSON.stringify({ ...file, meta: { name, checksum: safeChecksum(file) } });
}

/** Source: `lib/checksum.ts` of tx-builder in safe-global/safe-react-apps. The name of the batch does not count. */
export function safeChecksum(file: { meta: object }): string {
  return keccak256(toUtf8Bytes(serialized({ ...file, meta: { ...file.meta, name: null } })));
}

function serialized(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(serialized).join(',')}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const entries = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  const values = entries.map(([, value]) => `${serialized(value)},`);
  return `{${JSON.stringify(entries.map(([key]) => key))}${values.join('')}}`;
}
