import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { json } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';
import type { LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { listen } from '../../infra/local/listen.ts';

/**
 * The thread of `tables.setup.ts`. POST starts an engine, and responds with the environment variables for using it. PUT
 * puts the ledger of the devnet at `rpcUrl` into the engine at `endpoint`, and DELETE stops that.
 */

/** What dynalite keeps its rows in. */
interface Store {
  db: { iterator(range: object): { all(): Promise<Rows> }; batch(rows: object[]): Promise<void> };
}
type Rows = [key: Buffer, value: Buffer][];

interface Asked {
  endpoint: string;
  rpcUrl: string;
}

const BYTES = { keyEncoding: 'buffer', valueEncoding: 'buffer' };
const LEDGER_ROWS = { gte: Buffer.from('item-ledger~'), lt: Buffer.from('item-ledger\x7f'), ...BYTES };

const engines = new Map<string | undefined, LocalDynamoDB & Store>();
/** By the URL of their devnet. */
const ledgers = new Map<string, Promise<Rows>>();

async function start(): Promise<LocalDynamoDB & Store> {
  // Imported when it is first needed, because most runs of a single file need no engine.
  const { startDynamoDB } = await import('../../infra/local/dynamodb.ts');
  const stores = createRequire(import.meta.url)('dynalite/db') as { create(options: object): Store };
  const { create } = stores;
  const { promise: store, resolve } = Promise.withResolvers<Store>();
  // dynalite creates its store at once, and shows it to nobody.
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

/** Records a devnet's ledger as the recorder does, in an engine of its own. */
async function record(rpcUrl: string): Promise<Rows> {
  const { recordLedger } = await import('./recorded.ts');
  const { startContainer } = await import('./runtime.ts');
  const { env, db } = await start();
  Object.assign(process.env, env);
  await recordLedger(startContainer({ NETWORK: 'devnet', RPC_URLS: rpcUrl }));
  return db.iterator(LEDGER_ROWS).all();
}

async function copyLedger({ endpoint, rpcUrl }: Asked): Promise<void> {
  const engine = engines.get(endpoint);
  if (!engine) throw new Error(`there is no engine at ${endpoint}`);
  const recording = ledgers.get(rpcUrl) ?? record(rpcUrl);
  ledgers.set(rpcUrl, recording);
  const rows = await recording;
  await engine.db.batch(rows.map(([key, value]) => ({ type: 'put', key, value, ...BYTES })));
}

async function stop({ endpoint }: Asked): Promise<void> {
  await engines.get(endpoint)?.stop();
  engines.delete(endpoint);
}

const server = createServer(async (request, response) => {
  // A busy test might otherwise send a request on a connection that is being closed because it was idle.
  response.setHeader('Connection', 'close');
  if (request.method === 'POST') return response.end(JSON.stringify((await start()).env));
  const asked = (await json(request)) as Asked;
  try {
    await (request.method === 'PUT' ? copyLedger(asked) : stop(asked));
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
