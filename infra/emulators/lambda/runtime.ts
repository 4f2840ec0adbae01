/**
 * Runs a function as Lambda does: its bundle in a process of its own, under AWS's runtime client for Node (npm
 * `aws-lambda-ric`), which fetches events from a Runtime API. Run `node infra/emulators/lambda/build-client.ts` first.
 */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listen } from '../../devnet/listen.ts';
import { endProcess } from '../../local/end.ts';
import { FUNCTION_TIMEOUT_SECONDS } from '../../stack/limits.ts';
import { RUNTIME_CLIENT_PROGRAM } from './runtime-client.ts';

export interface LambdaOptions {
  /** Folder with `index.js`. */
  folder: string;
  /** Environment variables of the function. */
  env: Record<string, string>;
}

export interface Lambda {
  /** Resolves with what the function returns, or rejects with what it throws. */
  invoke(event: unknown, timeoutMs?: number): Promise<unknown>;
  /** The function's standard error: the errors that it has logged, one JSON object per line. */
  errors(): string;
  stop(): Promise<void>;
}

const RUNTIME_PATH = '/2018-06-01/runtime';

interface Invocation {
  event: unknown;
  deadline: number;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** Starts a function and waits until it is ready. Rejects if it fails before that. */
export async function startLambda({ folder, env }: LambdaOptions): Promise<Lambda> {
  const task = await copyTask(folder);
  const runtime = await startRuntimeApi();
  const { child, errors } = startClient(task, { ...env, AWS_LAMBDA_RUNTIME_API: runtime.host });
  child.once('exit', (code) => {
    runtime.fail(new Error(`The function ended with code ${code}: ${errors().slice(0, 500)}`));
  });
  const stop = async () => {
    await runtime.stop();
    await endProcess(child, 'SIGKILL');
    await rm(task, { recursive: true });
  };
  await runtime.ready.catch(async (error) => {
    await stop();
    throw error;
  });
  return { invoke: runtime.invoke, errors, stop };
}

/** Copies a bundle to a folder of its own. */
async function copyTask(folder: string): Promise<string> {
  const task = await mkdtemp(join(tmpdir(), 'lambda-'));
  await cp(folder, task, { recursive: true });
  // As on Lambda, no package.json of a parent folder may decide whether a file is CommonJS or an ES module.
  await writeFile(join(task, 'package.json'), '{}');
  return task;
}

interface RuntimeApi {
  /** Address of the API, without the protocol. */
  host: string;
  /** Resolves at the first request for an event. Rejects if the function does not start. */
  ready: Promise<void>;
  invoke: Lambda['invoke'];
  /** Rejects the start and the running invocations. */
  fail(error: Error): void;
  stop(): Promise<void>;
}

/** Serves the Runtime API: the client fetches one event after the other, and posts the results. */
async function startRuntimeApi(): Promise<RuntimeApi> {
  const ready = Promise.withResolvers<void>();
  const running = new Map<string, Invocation>();
  const queue: Invocation[] = [];
  let waiting: ServerResponse | undefined;

  const handOut = () => {
    const invocation = waiting && queue.shift();
    if (!waiting || !invocation) return;
    const id = randomUUID();
    running.set(id, invocation);
    sendEvent(waiting, id, invocation);
    waiting = undefined;
  };

  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(RUNTIME_PATH, '');
    if (path === '/invocation/next') {
      ready.resolve();
      waiting = response;
      handOut();
      return;
    }
    const body = await text(request);
    response.writeHead(202).end();
    if (path === '/init/error') {
      ready.reject(new Error(`The function did not start: ${body}`));
      return;
    }
    const [, , id = '', outcome] = path.split('/');
    const invocation = running.get(id);
    running.delete(id);
    if (outcome === 'response') invocation?.resolve(JSON.parse(body || 'null'));
    else invocation?.reject(new Error(JSON.parse(body).errorMessage));
  });
  const { url, stop } = await listen(server);
  return {
    host: new URL(url).host,
    ready: ready.promise,
    invoke(event, timeoutMs = FUNCTION_TIMEOUT_SECONDS * 1_000) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      queue.push({ event, deadline: Date.now() + timeoutMs, resolve, reject });
      handOut();
      return promise;
    },
    fail(error) {
      ready.reject(error);
      for (const { reject } of running.values()) reject(error);
    },
    stop,
  };
}

/** Answers the client's request for an event. */
function sendEvent(response: ServerResponse, id: string, { event, deadline }: Invocation): void {
  response.writeHead(200, {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': id,
    'lambda-runtime-deadline-ms': String(deadline),
    'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:local:000000000000:function:local',
  });
  response.end(JSON.stringify(event));
}

/** Runs the bundle of a folder under the runtime client. */
function startClient(task: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [RUNTIME_CLIENT_PROGRAM, 'index.handler'], {
    cwd: task,
    env: {
      ...env,
      _HANDLER: 'index.handler',
      AWS_LAMBDA_FUNCTION_NAME: 'local',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      AWS_LAMBDA_LOG_GROUP_NAME: 'local',
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      LAMBDA_TASK_ROOT: task,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return { child, errors: () => errors };
}
