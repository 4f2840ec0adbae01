import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * One thread with the DynamoDB engines of all tests: among Jest's modules an engine takes three times as long, and a thread for each test
 * file would load it anew. Each `startTables` has an engine of its own there.
 */
export default async function setup(): Promise<void> {
  // Of another project of this run, or an earlier run of `npm run test:mutation`.
  if (process.env.TABLES_URL) return;
  const worker = new Worker(new URL('tables-worker.ts', import.meta.url), { execArgv: [] });
  const [url] = await once(worker, 'message');
  worker.unref();
  process.env.TABLES_URL = url;
}
