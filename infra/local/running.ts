/** Notes of running `npm start`s, one for each port, so that commands beside them find their chain, index and tables. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDB } from './dynamodb.ts';
import type { Env } from './system.ts';

/** Default of `--data`: the folder for the data that `npm start` records of real networks. */
export const DATA_FOLDER = join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'staking-data-service');
const NOTES = join(DATA_FOLDER, 'running');
/** The settings that a command shares with the service. RPC_URLS may have a key, so nobody else may read the note. */
const SHARED = /^(NETWORK|RPC_URLS|P_CHAIN_URLS|DATA_API_URL|(HISTORY|HOURLY)_START|AWS_.*|\w+_TABLE)$/;

type Note = { pid: number; url: string; env: Env };

/** Writes the note of this process. Returns a function that deletes it. */
export function noteRunning(url: string, tables: Env): () => void {
  const all = { NETWORK: 'devnet', ...process.env, ...tables };
  const env = Object.fromEntries(Object.entries(all).filter(([name]) => SHARED.test(name)));
  const path = join(NOTES, `${new URL(url).port}.json`);
  mkdirSync(NOTES, { recursive: true });
  writeFileSync(path, JSON.stringify({ pid: process.pid, url, env } satisfies Note), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The settings for the tables of the running `npm start` (at PORT, if given) or, without one, those in its data folder, with their name. `stop` stops the engine that was started for them. */
export async function findTables({ PORT, NETWORK }: Env) {
  const names = existsSync(NOTES) ? readdirSync(NOTES) : [];
  const notes = names.map((name) => JSON.parse(readFileSync(join(NOTES, name), 'utf8')) as Note);
  const running = notes.find(
    ({ pid, url, env }) =>
      isAlive(pid) && (!PORT || new URL(url).port === PORT) && (!NETWORK || NETWORK === env.NETWORK),
  );
  if (running) return { name: `the service at ${running.url}`, env: running.env };
  const networks = ['avalanche', 'fuji'].filter((network) => existsSync(join(DATA_FOLDER, network)));
  const network = NETWORK ? networks.find((one) => one === NETWORK) : networks[0];
  if (!network) return undefined;
  const folder = join(DATA_FOLDER, network);
  const { env, stop } = await startDynamoDB(folder);
  return { name: folder, env: { ...env, NETWORK: network }, stop };
}
