import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';
import type { LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { listen } from '../../infra/local/listen.ts';

/**
 * The thread of `tables.setup.ts`. POST /<name> starts an engine and answers the environment that points at it; DELETE
 * /<name> ends it.
 */

const engines = new Map<string, LocalDynamoDB>();

async function start(name: string): Promise<LocalDynamoDB['env']> {
  // Most runs of one file need none.
  const { startDynamoDB } = await import('../../infra/local/dynamodb.ts');
  const engine = await startDynamoDB();
  engines.set(name, engine);
  return engine.env;
}

const server = createServer(async ({ method, url = '' }, response) => {
  if (method === 'POST') return response.end(JSON.stringify(await start(url)));
  await engines.get(url)?.stop();
  engines.delete(url);
  return response.end();
});

// So dynalite throws, where nobody catches, for a write whose client has gone away before its tables were closed.
process.on('uncaughtException', (error) => {
  if (error.message !== 'Database is closed') throw error;
});

const { url } = await listen(server);
parentPort?.postMessage(url);
