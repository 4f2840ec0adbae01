/** Notes of running `npm start`s, one for each port, so that commands beside them find their chain, index and tables. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, networkName, setIn } from '../../lib/runtime/config.ts';
import { createFolder } from '../../lib/runtime/create-folder.ts';
import { startDynamoDB } from './dynamodb.ts';

const { HOME = '/', XDG_DATA_HOME = join(HOME, '.local/share') } = setIn(process.env);
/** Default of `--data`: the folder for the data that `npm start` records of real networks. */
export const DATA_FOLDER = join(XDG_DATA_HOME, 'staking-data-service');
const NOTES = join(DATA_FOLDER, 'running');
/** The settings that a command shares with the service. RPC_URLS may have a key, so nobody else may read the note. */
const SHARED = /^(NETWORK|RPC_URLS|P_CHAIN_URLS|DATA_API_URL|(HISTORY|HOURLY)_START|AWS_.*|\w+_TABLE)$/;

type Note = { pid: number; url: string; env: Env };

/** The default folder, with that of the notes. Undefined, with a warning, if it cannot be written, as in some containers. */
export function openDataFolder(): string | undefined {
  try {
    createFolder(NOTES);
    return DATA_FOLDER;
  } catch (error) {
    return warn(error as NodeJS.ErrnoException);
  }
}

function warn({ code }: NodeJS.ErrnoException): undefined {
  const problem = `${DATA_FOLDER} cannot be written (${code})`;
  console.warn(`warning: ${problem}: nothing is kept without --data, and npm run export does not find this service`);
}

/** Writes the note of this process; warns if the disk is full. Returns a function that deletes it. */
export function noteRunning(url: string, tables: Env): () => void {
  const all = Object.entries({ ...setIn(process.env), ...tables });
  const env = Object.fromEntries(all.filter(([name]) => SHARED.test(name)));
  const path = join(NOTES, `${new URL(url).port}.json`);
  try {
    writeFileSync(path, JSON.stringify({ pid: process.pid, url, env } satisfies Note), { mode: 0o600 });
  } catch (error) {
    warn(error as NodeJS.ErrnoException);
  }
  return () => rmSync(path, { force: true });
}

/** The note of a service. Undefined if it has no pid of a running process, or was not written to its end. */
function readNote(name: string): Note | undefined {
  try {
    const note = JSON.parse(readFileSync(join(NOTES, name), 'utf8')) as Note;
    return process.kill(note.pid, 0) ? note : undefined;
  } catch {
    return undefined;
  }
}

/** The settings for the tables of the running `npm start` (at PORT, if given) or, without one, those in its data folder, with their name. `stop` stops the engine that was started for them. */
export async function findTables(env: Env) {
  const { PORT, NETWORK: named } = setIn(env);
  const NETWORK = named && networkName(named);
  const names = existsSync(NOTES) ? readdirSync(NOTES) : [];
  const running = names
    .flatMap((name) => readNote(name) ?? [])
    .find((note) => (!PORT || new URL(note.url).port === PORT) && (!NETWORK || NETWORK === note.env.NETWORK));
  if (running) return { name: `the service at ${running.url}`, env: running.env };
  const networks = ['avalanche', 'fuji'].filter((network) => existsSync(join(DATA_FOLDER, network)));
  const network = NETWORK ? networks.find((one) => one === NETWORK) : networks[0];
  if (!network) return undefined;
  const folder = join(DATA_FOLDER, network);
  const database = await startDynamoDB(folder, console.log);
  return { name: folder, env: { ...database.env, NETWORK: network }, stop: database.stop };
}
