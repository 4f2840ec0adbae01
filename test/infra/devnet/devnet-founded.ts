import { afterAll, beforeAll } from '@jest/globals';
import { parseEther } from 'ethers';
import { type Anvil, startAnvil } from '../../../infra/devnet/anvil.ts';
import { type BlockWriter, call, createBlockWriter, type Transaction } from '../../../infra/devnet/chain.ts';
import { loadArtifacts } from '../../../infra/devnet/compile.ts';
import { type ContractName, describeProtocol } from '../../../infra/devnet/protocol.ts';
import { foundProtocol, type Stage } from '../../../infra/devnet/scenario/founding.ts';
import { ACCOUNTS, namePeople, type People } from '../../../infra/devnet/scenario/people.ts';
import { type Client, createClient } from './devnet-client.ts';

export const DAY = 86_400;
const START = 1_763_000_000;
const INITIAL_GGP_SUPPLY = parseEther('18000000');

type Person = keyof People;

/** A chain with the newly founded protocol, without the scenario. Time passes only on request of a test. */
export class FoundedProtocol {
  client!: Client;
  stage!: Stage;
  /** Timestamp of the newest block. */
  time = START + 100;
  #anvil: Anvil | undefined;
  #writer!: BlockWriter;

  async start(): Promise<void> {
    const anvil = await startAnvil({ args: [...ACCOUNTS, '--chain-id', '43112', '--timestamp', `${START}`] });
    this.#anvil = anvil;
    this.client = createClient(anvil.url);
    const artifacts = await loadArtifacts();
    const people = namePeople((await this.client.rpc.send('eth_accounts')) as string[]);
    this.stage = { artifacts, protocol: describeProtocol(artifacts), people };
    this.reset();
    await this.mine(foundProtocol(this.stage, INITIAL_GGP_SUPPLY));
  }

  async stop(): Promise<void> {
    this.client?.rpc.close();
    await this.#anvil?.stop();
  }

  /** Call it after the chain has been reverted to its founding. */
  reset(): void {
    this.time = START + 100;
    this.#writer = createBlockWriter(this.client.rpc);
  }

  /** Mines a block with these transactions, by default a second later. */
  async mine(transactions: Transaction[], after = 1): Promise<void> {
    this.time += after;
    await this.#writer.mine(this.time, transactions);
    await this.#writer.finish();
  }

  passTo(timestamp: number): Promise<void> {
    return this.mine([], timestamp - this.time);
  }

  /** Sends a transaction in a block of its own. */
  send(who: Person, name: ContractName, method: string, args: unknown[] = [], { value = 0n, after = 1 } = {}) {
    return this.mine([call(this.stage.people[who], this.stage.protocol[name], method, args, value)], after);
  }

  /** The result of `send`, without mining a block. */
  attempt(who: Person, name: ContractName, method: string, args: unknown[] = [], value = 0n): Promise<unknown> {
    const { from, to, data } = call(this.stage.people[who], this.stage.protocol[name], method, args);
    return this.client.rpc.send('eth_call', { from, to, data, value: `0x${value.toString(16)}` }, 'latest');
  }
}

/** Starts the chain before the tests of a file and stops it after them. */
export function useFoundedProtocol(): FoundedProtocol {
  const founded = new FoundedProtocol();
  beforeAll(() => founded.start());
  afterAll(() => founded.stop());
  return founded;
}

/** Lets a group of tests begin at the founding, whatever earlier groups did. */
export function fromTheFounding(founded: FoundedProtocol): void {
  let snapshot: unknown;
  beforeAll(async () => {
    snapshot = await founded.client.rpc.send('evm_snapshot');
    founded.reset();
  });
  afterAll(() => founded.client.rpc.send('evm_revert', snapshot));
}
