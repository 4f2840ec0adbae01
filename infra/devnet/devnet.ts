import { type ContractName, ETCHED } from './addresses.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { createReader } from './chain.ts';
import { loadArtifacts } from './compile.ts';
import { goLive } from './live.ts';
import { codeOf, describeProtocol } from './protocol.ts';
import { connect } from './rpc.ts';
import { DAY, FIRST_DAY, LAST_DAY } from './scenario/calendar.ts';
import { dayZero, writeHistory } from './scenario/history.ts';
import { ACCOUNTS, namePeople } from './scenario/people.ts';
import { listValidators } from './scenario/validators.ts';

export { DEVNET_ADDRESSES } from './addresses.ts';
export type { DevnetValidator } from './scenario/validators.ts';

/** Avalanche's id for local networks. */
export const DEVNET_CHAIN_ID = 43_112;

interface DevnetOptions {
  /** Days before now with a block every two hours, 0 to 90 (default). The scenario is the same for any number. */
  historyDays?: number;
  /** True if time goes on after the history (the default). False leaves the chain still, with automine, for tests. */
  live?: boolean;
  /** Seconds between live blocks, in which the market moves; 20 by default. Shorter intervals cost memory in the long run. */
  blockTime?: number;
  /** End of the history (unix seconds); the clock by default. The same value gives the same chain, block by block. */
  now?: number;
  onProgress?: (line: string) => void;
}

export type Devnet = Awaited<ReturnType<typeof startDevnet>>;

/**
 * Starts a local Avalanche C-Chain with the protocol's contracts (stand-ins of this project) and a scenario of 90 days,
 * in about ten seconds. Every block of the history stays readable.
 */
export async function startDevnet(options: DevnetOptions = {}) {
  const { historyDays = LAST_DAY, live = true, blockTime = 20, onProgress = () => {} } = options;
  const now = options.now ?? Math.floor(Date.now() / 1000);
  const startOfDay0 = dayZero(now);
  const running: Pick<Anvil, 'stop'>[] = [];
  const stop = async () => {
    for (const part of running.splice(0).reverse()) await part.stop();
  };
  try {
    // anvil hashes its whole state into every block unless it is a fork, which takes most of the time. So the chain is
    // forked from an empty one.
    const genesis = startOfDay0 + FIRST_DAY * DAY - 60;
    const origin = await startAnvil({
      args: ['--accounts', '0', '--chain-id', `${DEVNET_CHAIN_ID}`, '--timestamp', `${genesis}`],
    });
    running.push(origin);
    const history = await startAnvil({ forkOf: origin.url, args: ACCOUNTS });
    running.push(history);

    const artifacts = await loadArtifacts();
    onProgress(`Devnet: ${Object.keys(artifacts).length} contracts compiled`);
    const rpc = connect(history.url);
    running.push({ stop: async () => rpc.close() });
    const protocol = describeProtocol(artifacts);
    const people = namePeople((await rpc.send('eth_accounts')) as string[]);
    for (const [name, address] of Object.entries(ETCHED))
      await rpc.send('anvil_setCode', address, artifacts[codeOf(name as ContractName)]?.deployedBytecode);

    const stage = { rpc, artifacts, protocol, people, startOfDay0 };
    const present = await writeHistory(stage, { now, historyDays, onProgress });
    const validators = await listValidators(createReader(rpc), protocol, now);

    let newest = history;
    if (live) {
      newest = await goLive({ ...stage, ...present, history, blockTime, onProgress });
      running.push(newest);
    } else {
      await rpc.send('evm_setAutomine', true);
    }
    const { url } = newest;
    onProgress(`Devnet: ready at ${url}`);
    /** Resolves when one of the nodes has ended, for any reason: the others are of no use then. */
    const ended = Promise.race([origin, history, newest].map((node) => node.ended));
    return { url, validators, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
