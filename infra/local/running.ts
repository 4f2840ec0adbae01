/** Notes of running `npm start`s, one for each port, so that commands beside them find their chain, index and tables. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER } from './data-folder.ts';
import { startDynamoDB } from './dynamodb.ts';
import type { Env } from './local-services.ts';

const NOTES = join(DATA_FOLDER, 'running');
/** The settings that a command shares with the service. RPC_URLS may have a key, so nobody else may read the note. */
const SHARED = /^(NETWORK|RPC_URLS|P_CHAIN_URLS|DATA_API_URL|HISTORY_START|AWS_.*|\w+_TABLE)$/;

interface Note {
  pid: number;
  url: string;
  env: Env;
}

/** Writes the note of this process. Returns a function that deletes it. */
export function noteRunning(url: string, tables: Env): () => void {
  const all = { NETWORK: 'devnet', ...process.env, ...tables };
  const env = Object.fromEntries(Object.entries(all).filter(([name]) => SHARED.test(name)));
  const path = join(NOTES, `${new URL(url).port}.json`);
  mkdirSync(NOTES, { recursive: true });
  writeFileSync(path, JSON.stringify({ pid: process.pid, url, env } satisfies Note), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** The `npm start`s that are running now. */
function findRunning(): Note[] {
  const names = existsSync(NOTES) ? readdirSync(NOTES) : [];
  const notes = names.map((name) => JSON.parse(readFileSync(join(NOTES, name), 'utf8')) as Note);
  return notes.filter(({ pid }) => isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Where data can be read from, in words, and the settings for it. */
export interface Found {
  name: string;
  env: Env;
}

/**
 * The tables of the running `npm start` (at PORT, if it is given) or, without one, those in its data folder. Undefined if there are
 * none.
 */
export async function findTables({ PORT, NETWORK }: Env): Promise<Found | undefined> {
  const [running] = findRunning().filter(
    ({ url, env }) => (!PORT || new URL(url).port === PORT) && (!NETWORK || NETWORK === env.NETWORK),
  );
  if (running) return { name: `the service at ${running.url}`, env: running.env };
  const networks = ['avalanche', 'fuji'].filter((network) => existsSync(join(DATA_FOLDER, network)));
  const network = NETWORK ? networks.find((one) => one === NETWORK) : networks[0];
  if (!network) return undefined;
  const folder = join(DATA_FOLDER, network);
  const { env } = await startDynamoDB(folder);
  return { name: folder, env: { ...env, NETWORK: network } };
}
