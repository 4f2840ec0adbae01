import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { json } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';
import { listen } from '../../infra/devnet/listen.ts';
import type { LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import type { Past } from './ask-worker.ts';

/**
 * The thread of `tables.setup.ts`. POST starts an engine, and responds with the environment variables for using it. PUT
 * puts recorded data of the devnet in `devnet` into the engine at `endpoint`. DELETE stops that engine.
 */

/** The table in which each is. */
const PASTS: Record<Past, string> = { ledger: 'ledger', days: 'history' };

/** The store in which dynalite keeps its rows. */
interface Store {
  db: { iterator(range: object): { all(): Promise<Rows> }; batch(rows: object[]): Promise<void> };
}
type Rows = [key: Buffer, value: Buffer][];

interface Asked {
  endpoint: string;
  past: Past;
  /** The variables with the devnet's URLs. */
  devnet: Record<string, string>;
}

const BYTES = { keyEncoding: 'buffer', valueEncoding: 'buffer' };

const engines = new Map<string | undefined, LocalDynamoDB & Store>();
/** By their name and the URL of their devnet. */
const pasts = new Map<string, Promise<Rows>>();
/** Resolves when the last recording has ended: this thread's SDK uses one engine at a time. */
let last: Promise<unknown> = Promise.resolve();

async function start(): Promise<LocalDynamoDB & Store> {
  // Imported when it is first needed, because most runs of a single file need no engine.
  const { startDynamoDB } = await import('../../infra/local/dynamodb.ts');
  const stores = createRequire(import.meta.url)('dynalite/db') as { create(options: object): Store };
  const { create } = stores;
  const { promise: store, resolve } = Promise.withResolvers<Store>();
  // dynalite creates its store synchronously, and does not expose it.
  stores.create = (options) => {
    const created = create(options);
    resolve(created);
    return created;
  };
  const starting = startDynamoDB();
  stores.create = create;
  const engine = { ...(await starting), db: (await store).db };
  engines.set(engine.env.AWS_ENDPOINT_URL_DYNAMODB, engine);
  return engine;
}

/** Records data as the recorders do, in a new engine that already has the rows `before`. */
async function record(past: Past, devnet: Asked['devnet'], before: Rows): Promise<Rows> {
  const { recordPast } = await import('./recorded.ts');
  const engine = await start();
  await put(engine, before);
  Object.assign(process.env, devnet, engine.env);
  await recordPast(past);
  const table = `item-${PASTS[past]}`;
  const range = { gte: Buffer.from(`${table}~`), lt: Buffer.from(`${table}\x7f`), ...BYTES };
  const rows = await engine.db.iterator(range).all();
  await stop({ endpoint: engine.env.AWS_ENDPOINT_URL_DYNAMODB });
  return rows;
}

function rowsOf(past: Past, devnet: Asked['devnet']): Promise<Rows> {
  const name = `${past} ${devnet.DEVNET_RPC_URL}`;
  const known = pasts.get(name);
  if (known) return known;
  // The ledger determines the day on which the history begins.
  const before = past === 'days' ? rowsOf('ledger', devnet) : [];
  const recording = last.then(async () => record(past, devnet, await before));
  pasts.set(name, recording);
  last = recording.catch(() => {});
  return recording;
}

async function put({ db }: Store, rows: Rows): Promise<void> {
  await db.batch(rows.map(([key, value]) => ({ type: 'put', key, value, ...BYTES })));
}

async function copyPast({ endpoint, past, devnet }: Asked): Promise<void> {
  const engine = engines.get(endpoint);
  if (!engine) throw new Error(`there is no engine at ${endpoint}`);
  await put(engine, await rowsOf(past, devnet));
}

async function stop({ endpoint }: { endpoint?: string }): Promise<void> {
  await engines.get(endpoint)?.stop();
  engines.delete(endpoint);
}

const server = createServer(async (request, response) => {
  // A busy test might otherwise send a request on a connection that is being closed because it was idle.
  response.setHeader('Connection', 'close');
  if (request.method === 'POST') return response.end(JSON.stringify((await start()).env));
  const asked = (await json(request)) as Asked;
  try {
    await (request.method === 'PUT' ? copyPast(asked) : stop(asked));
  } catch (error) {
    response.statusCode = 500;
    response.write(String((error as Error).stack));
  }
  return response.end();
});

// dynalite throws this, uncaught, for a write whose client disconnected before the tables were closed.
process.on('uncaughtException', (error) => {
  if (error.message !== 'Database is closed') throw error;
});

const { url } = await listen(server);
parentPort?.postMessage(url);
