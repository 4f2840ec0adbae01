import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Fragment, hexlify, keccak256, toUtf8Bytes } from 'ethers';
import { describeView } from '../lib/chain/contract.ts';
import { CONTRACT_NAMES, keyText } from '../lib/chain/storage.ts';
import { EVENTS } from '../lib/ledger/events.ts';

/** What `lib/hashes.json` and `lib/chain/views.json` hold. */

const LIB = fileURLToPath(new URL('../lib/', import.meta.url));

/** The keccak256 of each event's signature, and of each key under which the registry keeps a contract. */
export function hashTable(): Record<string, string> {
  const events = Object.values(EVENTS).flat();
  const signatures = events.map((text) => Fragment.from(text).format('sighash'));
  const texts = new Set([...signatures, ...CONTRACT_NAMES.map(keyText)]);
  return Object.fromEntries([...texts].sort().map((text) => [text, hashOf(text)]));
}

/** What each view takes and gives, by its signature. */
export async function viewTable() {
  const signatures = new Set(await signaturesOfViews());
  return Object.fromEntries([...signatures].sort().map((signature) => [signature, describeView(signature)]));
}

/** By ethers' own function: lib/keccak.ts would read what is written there already. */
function hashOf(text: string): string {
  return hexlify(keccak256._(toUtf8Bytes(text)));
}

/** Of all readers in the library. */
async function signaturesOfViews(): Promise<string[]> {
  const files = globSync('{chain,contracts,prices}/*.ts', { cwd: LIB });
  const modules: object[] = await Promise.all(files.map((file) => import(`${LIB}${file}`)));
  const exported = modules.flatMap((module) => Object.values(module)).filter((value) => value instanceof Object);
  // Readers of several kinds of one contract are an object of them.
  const readers = exported.flatMap((value) => ('signatures' in value ? [value] : Object.values(value)));
  return readers.flatMap((reader) => reader?.signatures ?? []);
}
