/**
 * `npm run dev`: `npm start` that starts the service anew whenever a file changes, and only the service: chain, ledger and history go
 * on. Options are Node's: `npm run dev -- --inspect`.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable, useDynamoDB } from './dynamodb.ts';
import { CHAIN_ENDED, endProcess, endsOnRequest } from './end.ts';
import { startLocalServices } from './local-services.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START = join(ROOT, 'infra/local/start.ts');
const { NETWORK = 'devnet' } = process.env;
const SOURCES = ['functions', 'lib', 'infra'];
/** An editor may write a file in several steps, and a branch has many files. */
const SETTLE_MS = 50;

const services = await startLocalServices(NETWORK === 'devnet', process.env, (line) => console.log(line));
if (services.env.AWS_ENDPOINT_URL_DYNAMODB) useDynamoDB(services.env);
else Object.assign(process.env, services.env);
const tables = new DynamoDBClient();

let service: ChildProcess;
let starts = 0;
const watched = new Set<string>();

/**
 * Folder by folder, because on Linux a recursive watch loses files that are replaced, as many editors do. New folders are found at
 * each start.
 */
function watchAll(): void {
  const folders = SOURCES.flatMap((folder) => [
    folder,
    ...readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name))),
  ]);
  for (const folder of folders.filter((one) => !watched.has(one))) {
    watched.add(folder);
    watch(join(ROOT, folder), (_, file) => onChange(join(folder, file ?? '')));
  }
}

/** With an empty cache, so that no answer is one that the code before has made. */
async function start(): Promise<void> {
  watchAll();
  const cache = `cache-${++starts}`;
  await createTable(tables, cache, 'cache');
  service = spawn(process.execPath, [...process.argv.slice(2), START], {
    stdio: 'inherit',
    env: { ...process.env, CACHE_TABLE: cache },
  });
  service.once('exit', (code) => {
    if (code) console.error('The service has ended: waiting for a change');
  });
}

/** At once: nothing of the service's has to be kept. */
const stop = () => endProcess(service, 'SIGKILL');

let timer: NodeJS.Timeout | undefined;
let restarting: Promise<void> = Promise.resolve();

function onChange(file: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    console.log(`\n${file} has changed`);
    restarting = restarting.then(stop).then(start);
  }, SETTLE_MS);
}

await start();
const end = endsOnRequest(async () => {
  await stop();
  await services.stop();
});
services.chainEnded?.then(() => end(CHAIN_ENDED));
