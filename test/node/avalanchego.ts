import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Program, startProgram } from '../../infra/devnet/program.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A network of a single avalanchego node on this machine. */

export const AVALANCHEGO_VERSION = '1.14.2';

/** Folder outside the repository for programs that take long to build, kept for the next time. */
const KEPT_FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'staking-data-service');

/** Built by `node infra/tools/node.cjs test/node/build.ts`. */
export const AVALANCHEGO = join(KEPT_FOLDER, `avalanchego-${AVALANCHEGO_VERSION}`);

/** Any ID that is not one of Avalanche's own networks. */
export const NETWORK_ID = 1337;

const START_TIMEOUT_MS = 120_000;

/** Lets the node reach consensus alone. */
const ALONE = [
  '--sybil-protection-enabled=false',
  '--snow-sample-size=1',
  '--snow-quorum-size=1',
  '--bootstrap-ips=',
  '--bootstrap-ids=',
  '--public-ip=127.0.0.1',
  '--staking-host=127.0.0.1',
  // Its default is more open files than some machines allow.
  '--fd-limit=4096',
];

export interface Node {
  /** Stays the same when the node is restarted, like `pChainUrl`. */
  cChainUrl: string;
  pChainUrl: string;
  /** Starts it, or restarts it with its existing chains. Resolves when both chains answer. */
  start(): Promise<void>;
  /** Resolves when it has exited. */
  stop(): Promise<void>;
  /** A node, not running yet, with a copy of the chains of this one, which is stopped. Its C-Chain has all old states. */
  archive(): Promise<Node>;
}

/** Creates a node, not running yet, from the content of its genesis file. */
export async function createNode(genesis: string): Promise<Node> {
  const folder = temporaryFolder('avalanchego');
  writeFileSync(join(folder, 'genesis.json'), genesis);
  return nodeIn(folder);
}

async function nodeIn(folder: string): Promise<Node> {
  const port = await freePort();
  const args = [
    `--network-id=${NETWORK_ID}`,
    `--genesis-file=${join(folder, 'genesis.json')}`,
    `--data-dir=${folder}`,
    `--http-port=${port}`,
    `--staking-port=${await freePort()}`,
    ...ALONE,
  ];
  const cChainUrl = `http://127.0.0.1:${port}/ext/bc/C/rpc`;
  const pChainUrl = `http://127.0.0.1:${port}/ext/bc/P`;
  let program: Program | undefined;
  const stop = async () => program?.stop();
  return {
    cChainUrl,
    pChainUrl,
    stop,
    async start() {
      program = startProgram(AVALANCHEGO, args);
      await untilBothAnswer(cChainUrl, pChainUrl, program);
    },
    async archive() {
      const copy = temporaryFolder('avalanchego');
      cpSync(folder, copy, { recursive: true });
      const settings = join(copy, 'configs', 'chains', 'C');
      mkdirSync(settings, { recursive: true });
      // It executes the blocks once more, from the first one on.
      writeFileSync(join(settings, 'config.json'), '{ "pruning-enabled": false, "populate-missing-tries": 0 }');
      return nodeIn(copy);
    },
  };
}

/** The result of a JSON-RPC call, without a batch, which the P-Chain does not support. Throws if it fails. */
export async function call(url: string, method: string, params: unknown = {}): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

async function untilBothAnswer(cChainUrl: string, pChainUrl: string, { hasEnded, complaint }: Program): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await call(cChainUrl, 'eth_getBlockByNumber', ['latest', false]);
      await call(pChainUrl, 'platform.getHeight');
      return;
    } catch (cause) {
      if (hasEnded() || Date.now() > deadline) throw new Error(`avalanchego did not start: ${complaint()}`, { cause });
      await wait(100);
    }
  }
}
