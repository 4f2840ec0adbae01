/** `npm start`: the whole service on this machine, until Ctrl-C; its options are in HELP. */

import { parseArgs } from 'node:util';
import { setIn } from '../../lib/runtime/config.ts';
import { serveArchive } from './archive-folder.ts';
import { DATA_FOLDER, noteRunning, openDataFolder } from './running.ts';
import { startSystem } from './system.ts';
import { describeFailure } from './terminal.ts';

const HELP = `npm start [-- OPTION…]   run the whole service on this machine until Ctrl-C

Options:
  --archive DIR       serve the website of an archive, without a chain
  --data DIR          keep the recorded data of a real network here for the next start
                      (default: ${DATA_FOLDER})
  --help              show this help

Environment variables (more in docs/settings.md):
  PORT                port to listen on (default: 3000; 0: any free port)
  NETWORK             devnet: a local chain, new at each start (default);
                      avalanche or mainnet; fuji: the test network
`;

const started = performance.now();
const log = (text: string) => {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${seconds.padStart(5)} s  ${text}`);
};
let stop = async () => {};
let isEnding = false;
// On a signal, or when the parent process has ended for any reason. npm passes on the SIGINT that a terminal sends to all.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end());
const parent = process.ppid;
// No signal reports the end of the parent.
setInterval(() => process.ppid === parent || end(), 500).unref();
// The DynamoDB engine throws where nothing catches, for example when the disk is full.
process.on('uncaughtException', (error) => end(describeFailure(error)));

try {
  const options = { archive: { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { archive, data, help } = parseArgs({ options }).values;
  if (help) console.log(HELP);
  if (help) process.exit(0);
  if (archive === undefined) await startAll(data);
  else {
    const server = await serveArchive(archive, setIn(process.env).PORT);
    stop = server.stop;
    console.log(`Ready: ${server.url}\n\nCtrl-C stops it.`);
  }
} catch (error) {
  console.error(describeFailure(error));
  process.exit(1);
}

async function startAll(data?: string): Promise<void> {
  const folder = openDataFolder();
  const callbacks = { onStep: log, onFault: end, onResponse: console.log };
  const system = await startSystem({ env: process.env, data: data || folder, ...callbacks });
  const { url, tables, context } = system;
  const NETWORK = context.config.network.name;
  const deleteNote = folder ? noteRunning(url, { ...tables, NETWORK }) : () => {};
  stop = () => system.stop().finally(deleteNote);
  log(`Ready: ${url}`);
  console.log(`
Dashboard  ${url}/dashboard
Reference  ${url}/docs
Guide      ${url}/docs/guide
${tables.RPC_URLS ? `Chain RPC  ${tables.RPC_URLS}\n` : ''}Try        curl ${url}/metrics

Ctrl-C stops everything.
`);
}

/** Stops everything once, and ends this process. Prints a fault, if there is one. */
function end(fault?: string): void {
  if (isEnding) return;
  isEnding = true;
  const code = fault === undefined ? 0 : 1;
  if (fault !== undefined) console.error(fault);
  // After a fault, not everything can be stopped: after five seconds, the rest ends with this process.
  setTimeout(() => process.exit(code), 5_000);
  stop().finally(() => process.exit(code));
}
