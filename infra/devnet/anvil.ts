import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { StartError } from '../local/terminal.ts';
import { type LocalServer, listen } from './listen.ts';
import { startProgram } from './program.ts';
import { connect, type Rpc } from './rpc.ts';

export type Anvil = Awaited<ReturnType<typeof launch>>;

const START_TIMEOUT_MS = 60_000;
/** anvil connects to the node behind a fork once, and ends if it cannot be reached, as on a very busy machine. */
const FORK_ATTEMPTS = 4;

/** Both spellings: anvil would otherwise use a developer's proxy for the node behind a fork, even on this machine. */
const NO_PROXY = { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };

/**
 * Makes anvil's allocator (jemalloc) return free memory, also while no request arrives: reading a thousand past states
 * needs room for their copies, and jemalloc would keep that room.
 */
const MALLOC = 'background_thread:true,narenas:1,tcache:false,dirty_decay_ms:500,muzzy_decay_ms:0';

/** anvil's settings for a private chain: free transactions from any account, mined only on request. */
const PRIVATE_CHAIN = [
  ['--no-mining'],
  ['--order', 'fees'],
  ['--auto-impersonate'],
  ['--disable-code-size-limit'],
  ['--gas-price', '0'],
  ['--base-fee', '0'],
  // For many transactions in a block, and for an eth_call that reads thousands of records.
  ['--gas-limit', '10000000000'],
  // Later forks write every block's hash into the state (EIP-2935), which would grow with the chain.
  ['--hardfork', 'cancun'],
].flat();

interface AnvilOptions {
  /** Number of newest blocks that keep a readable state; all by default. */
  keepStates?: number;
  /** Endpoint of a node whose latest block to fork from. Requests about earlier blocks are passed on to that node. */
  forkOf?: string;
  args?: readonly string[];
}

/** Starts anvil on a free port of 127.0.0.1. Throws a one-line error if the binary is missing or anvil refuses its arguments. */
export function startAnvil(options: AnvilOptions, attempts = options.forkOf ? FORK_ATTEMPTS : 1): Promise<Anvil> {
  return launch(options).catch(async (error) => {
    if (attempts === 1) throw error;
    await setTimeout(1_000);
    return startAnvil(options, attempts - 1);
  });
}

async function launch({ keepStates = 1_000_000, forkOf, args: own = ['--accounts', '0'] }: AnvilOptions) {
  const args = [
    ...['--port', '0'],
    // Every state stays in memory: states written to disk are slow, large, and left behind by a hard kill.
    ...['--prune-history', String(keepStates)],
    ...['--cache-path', join(tmpdir(), `devnet-anvil-${randomUUID()}`)],
    ...PRIVATE_CHAIN,
    ...(forkOf ? ['--fork-url', forkOf, '--no-rate-limit', '--no-storage-caching'] : []),
    // Accounts given by default would overwrite the balances of a forked chain.
    ...own,
  ];
  const program = startProgram(anvilBinary(), args, { _RJEM_MALLOC_CONF: MALLOC, ...NO_PROXY });
  // Goes by its own output: what answers on a port may be another program.
  const late = setTimeout(START_TIMEOUT_MS, undefined, { ref: false });
  const [, url] = (await Promise.race([program.printed(/^Listening on (\S+)/), late])) ?? [];
  if (!url) {
    await program.stop();
    throw new StartError(`anvil did not start: ${program.complaint() || 'no answer'}`);
  }
  const node = connect(`http://${url}`, Number.POSITIVE_INFINITY);
  await node.send('anvil_setLoggingEnabled', false);
  const last = forkOf ? Number(await node.send('eth_blockNumber')) : 0;
  // Without headers behind it, as the history's node, a fork is asked directly: other forks read thousands of its slots.
  const front = forkOf && last > 0 ? await routePast(node, forkOf, last) : undefined;
  const stop = () => Promise.all([front?.stop(), program.stop()]).then(() => {});
  return { url: front?.url ?? `http://${url}`, ended: program.ended, stop };
}

/** The place of the block among the parameters of a method. */
const BLOCK_AT: Record<string, number> = {
  eth_getBlockByNumber: 0,
  ...{ eth_call: 1, eth_getBalance: 1, eth_getCode: 1, eth_getTransactionCount: 1, eth_getStorageAt: 2 },
};

/**
 * Serves a fork, one reader of a numbered block at a time, because anvil takes locks twice and hangs for ever if several read
 * old headers or states (1.7.1). Those of blocks up to the `last` one before the fork come from the node `behind` it.
 */
function routePast(fork: Rpc, behind: string, last: number): Promise<LocalServer> {
  const origin = connect(behind);
  let reading: Promise<unknown> = Promise.resolve();
  const answerOne = (call: { method: string; params?: unknown[] }) => {
    const block = Number(call.params?.[BLOCK_AT[call.method] ?? -1]);
    if (Number.isNaN(block)) return fork.post(call);
    reading = reading.catch(() => {}).then(() => (block <= last ? origin : fork).post(call));
    return reading;
  };
  // Longer than requests are apart: one that is sent while its connection is being closed fails.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    json(request)
      .then((calls) =>
        Array.isArray(calls) ? Promise.all(calls.map(answerOne)) : answerOne(calls as { method: string }),
      )
      .then((body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)))
      .catch(() => response.destroy());
  });
  return listen(server);
}

function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'anvil');
  } catch (cause) {
    throw new StartError(`The devnet needs the package ${name}: run npm ci --include=optional`, { cause });
  }
}
