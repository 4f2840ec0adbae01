import { parentPort } from 'node:worker_threads';
import { type LocalDynamoDB, startDynamoDB } from '../../infra/local/dynamodb.ts';

/** The thread of `tables.ts`: starts an engine for each `start`, and ends the one that a `stop` names. */

const engines = new Map<number, LocalDynamoDB>();

parentPort?.on('message', async ({ id, method }: { id: number; method: 'start' | 'stop' }) => {
  if (method === 'start') engines.set(id, await startDynamoDB());
  const engine = engines.get(id) as LocalDynamoDB;
  if (method === 'stop') await engine.stop();
  parentPort?.postMessage({ id, env: engine.env });
});
