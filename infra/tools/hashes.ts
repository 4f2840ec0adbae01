import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Fragment, hexlify, keccak256, toUtf8Bytes } from 'ethers';
import { describeView } from '../../lib/chain/contract.ts';
import { CONTRACT_NAMES, keyText } from '../../lib/chain/storage.ts';
import { EVENTS } from '../../lib/ledger/events.ts';

/** The contents of `lib/values/hashes.json` and `lib/chain/views.json`. */

const LIB = fileURLToPath(new URL('../../lib/', import.meta.url));

/** The keccak256 hash of each event's signature, and of each key under which the registry stores a contract. */
export function hashTable(): Record<string, string> {
  const events = Object.values(EVENTS).flat();
  const signatures = events.map((text) => Fragment.from(text).format('sighash'));
  const texts = new Set([...signatures, ...CONTRACT_NAMES.map(keyText)]);
  return Object.fromEntries([...texts].sort().map((text) => [text, hashOf(text)]));
}

/** The parameters and results of each view, by its signature. */
export async function viewTable() {
  const signatures = new Set(await signaturesOfViews());
  return Object.fromEntries([...signatures].sort().map((signature) => [signature, describeView(signature)]));
}

/** Uses ethers' implementation, because lib/values/keccak.ts looks hashes up in the very file that is generated. */
function hashOf(text: string): string {
  return hexlify(keccak256._(toUtf8Bytes(text)));
}

/** The signatures that all readers in `lib` use. */
async function signaturesOfViews(): Promise<string[]> {
  const files = globSync('{chain,contracts,prices}/*.ts', { cwd: LIB });
  const modules: object[] = await Promise.all(files.map((file) => import(`${LIB}${file}`)));
  const exported = modules.flatMap((module) => Object.values(module)).filter((value) => value instanceof Object);
  // Where a contract has several kinds, its readers are exported together in one object.
  const readers = exported.flatMap((value) => ('signatures' in value ? [value] : Object.values(value)));
  return readers.flatMap((reader) => reader?.signatures ?? []);
}
