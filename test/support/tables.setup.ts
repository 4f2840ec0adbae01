import { once } from 'node:events';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { takeOwnEnvironment } from './own-environment.ts';
import { takeTemporaryDirectory } from './temporary-folder.ts';

/**
 * One thread with the DynamoDB engines of all tests; each `startTables` gets an engine of its own there. Inside Jest's
 * module system an engine is three times as slow, and a thread per test file would load it again.
 */
export default async function setup(): Promise<void> {
  if (!('SourceTextModule' in vm))
    throw new Error('Run `npm test` or `npm run jest -- <path or name>`, not `npx jest`');
  // Started for another project of this run.
  if (process.env.TABLES_URL) return;
  takeOwnEnvironment();
  takeTemporaryDirectory();
  const worker = new Worker(new URL('tables-worker.ts', import.meta.url), { execArgv: [] });
  const [url] = await once(worker, 'message');
  worker.unref();
  process.env.TABLES_URL = url;
}
