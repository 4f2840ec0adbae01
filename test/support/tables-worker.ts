import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';
import type { LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { listen } from '../../infra/local/listen.ts';

/**
 * The thread of `tables.setup.ts`. POST /<name> starts an engine, and responds with the environment variables for using
 * it; DELETE /<name> stops it.
 */

const engines = new Map<string, LocalDynamoDB>();

async function start(name: string): Promise<LocalDynamoDB['env']> {
  // Imported when it is first needed, because most runs of a single file need no engine.
  const { startDynamoDB } = await import('../../infra/local/dynamodb.ts');
  const engine = await startDynamoDB();
  engines.set(name, engine);
  return engine.env;
}

const server = createServer(async ({ method, url = '' }, response) => {
  // A busy test might otherwise send a request on a connection that is being closed because it was idle.
  response.setHeader('Connection', 'close');
  if (method === 'POST') return response.end(JSON.stringify(await start(url)));
  await engines.get(url)?.stop();
  engines.delete(url);
  return response.end();
});

// dynalite throws this, uncaught, for a write whose client disconnected before the tables were closed.
process.on('uncaughtException', (error) => {
  if (error.message !== 'Database is closed') throw error;
});

const { url } = await listen(server);
parentPort?.postMessage(url);
