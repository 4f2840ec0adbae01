import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { Interface, id, isAddress, solidityPackedKeccak256, toBeHex, toQuantity, ZeroAddress, ZeroHash } from 'ethers';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { startAnvil } from '../../infra/devnet/anvil.ts';
import { ACCOUNTS, namePeople, type People } from '../../infra/devnet/scenario/people.ts';
import { connectChain } from '../../infra/verify/chain.ts';
import { figuresIn, type Json } from '../../infra/verify/figure.ts';
import { EXPECTED } from '../../infra/verify/paths.ts';
import { type Client, createClient } from '../infra/devnet/devnet-client.ts';

/** A client of the devnet shared by all tests. It calls the contracts directly. */
export interface Chain extends Client {
  people: People;
}

export async function openChain(url = process.env.DEVNET_RPC_URL as string): Promise<Chain> {
  const client = createClient(url);
  return { ...client, people: namePeople((await client.rpc.send('eth_accounts')) as string[]) };
}

/** Call it at the top of a test file: a client of the shared devnet for all its tests. */
export function chainForAllTests(): Chain {
  const chain = {} as Chain;
  beforeAll(async () => void Object.assign(chain, await openChain()));
  afterAll(() => chain.rpc.close());
  return chain;
}

/** A chain of its own, forked from the shared one. */
export interface Fork extends Chain {
  url: string;
  stop(): Promise<void>;
}

/**
 * Forks the shared chain, for tests that change it. Each transaction is mined at once. The fork begins with the newest state:
 * otherwise it would request each slot that it needs.
 */
export async function forkDevnet(): Promise<Fork> {
  const anvil = await startAnvil({ forkOf: process.env.DEVNET_RPC_URL as string, args: ACCOUNTS });
  const chain = await openChain(anvil.url);
  await chain.rpc.send('anvil_loadState', await readFile(process.env.DEVNET_STATE as string, 'utf8'));
  await chain.rpc.send('evm_setAutomine', true);
  const stop = () => {
    chain.rpc.close();
    return anvil.stop();
  };
  return { ...chain, url: anvil.url, stop };
}

/** Mines a block this many seconds after the latest one, however much time this machine has taken since. */
export async function pass({ rpc, block }: Chain, seconds: number): Promise<void> {
  const { timestamp } = await block('latest');
  await rpc.send('evm_setNextBlockTimestamp', timestamp + seconds);
  await rpc.send('evm_mine');
}

/** Reverts the chain after each test. */
export function undoneAfterEach(chain: () => Chain): void {
  let snapshot: unknown;
  beforeEach(async () => {
    snapshot = await chain().rpc.send('evm_snapshot');
  });
  afterEach(() => chain().rpc.send('evm_revert', snapshot));
}

const STORAGE = new Interface([
  'function setUint(bytes32 key, uint256 value)',
  'function setBool(bytes32 key, bool value)',
  'function setAddress(bytes32 key, address value)',
]);

/** Sends a transaction, waits until it is mined, and returns whether it has succeeded. */
export async function transact(
  { rpc }: Chain,
  transaction: { from: string; to: string; data: string; value?: string },
): Promise<boolean> {
  const hash = await rpc.send('eth_sendTransaction', { ...transaction, gas: '0x1c9c380', gasPrice: '0x0' });
  for (;;) {
    const receipt = (await rpc.send('eth_getTransactionReceipt', hash)) as { status: string } | null;
    if (receipt) return receipt.status === '0x1';
  }
}

/**
 * Calls a function, by its signature without names, of a contract: a registered one by its name, another by its
 * address. Returns whether it has succeeded.
 */
export async function act(
  chain: Chain,
  from: string,
  contract: string,
  signature: string,
  args: readonly unknown[] = [],
  value = 0n,
): Promise<boolean> {
  const to = isAddress(contract) ? contract : await chain.registered(contract);
  const data = new Interface([`function ${signature}`]).encodeFunctionData(signature, args);
  return transact(chain, { from, to, data, value: toQuantity(value) });
}

/** The balance of one of the protocol's tokens, or of AVAX, in wei. */
export async function balanceOf(chain: Chain, owner: string, token: string): Promise<bigint> {
  if (token === 'AVAX') return BigInt(String(await chain.rpc.send('eth_getBalance', owner, 'latest')));
  const addresses: Record<string, string> = {
    GGP: DEVNET_ADDRESSES.TokenGGP,
    pstAVAX: DEVNET_ADDRESSES.TokenpstAVAX,
    ggAVAX: await chain.registered('TokenggAVAX'),
  };
  return (await chain.readAt(String(addresses[token]), 'balanceOf', [owner]))[0];
}

/**
 * Has the queue serve pending requests, as whenever AVAX (wei) is returned from staking: by default none. Returns whether it has
 * succeeded.
 */
export function serveQueue(chain: Chain, avax = 0n, source: string = ZeroHash): Promise<boolean> {
  const serve = 'depositFromStaking(uint256,uint256,bytes32)';
  return act(chain, chain.people.rialto, DEVNET_ADDRESSES.WithdrawQueue, serve, [avax, 0, source], avax);
}

/** Writes into the protocol's storage, as its guardian can at any time. */
async function write(chain: Chain, method: 'setUint' | 'setBool' | 'setAddress', key: string, value: unknown) {
  const data = STORAGE.encodeFunctionData(method, [key, value]);
  expect(await transact(chain, { from: chain.people.guardian, to: DEVNET_ADDRESSES.Storage, data })).toBe(true);
}

/** Writes a field of a minipool's or a staker's record. */
function setRecord(list: 'minipool' | 'staker') {
  return (chain: Chain, index: number | bigint, field: string, value: number | bigint): Promise<void> => {
    const key = solidityPackedKeccak256(['string', 'int256', 'string'], [`${list}.item`, index, `.${field}`]);
    return write(chain, 'setUint', key, value);
  };
}

export const setMinipool = setRecord('minipool');
export const setStaker = setRecord('staker');

/** Writes a setting of the DAO. The name of one that exists per claimant ends with the claimant's name. */
export const setSetting = (chain: Chain, name: string, value: bigint) => setUint(chain, `ProtocolDAO.${name}`, value);

/** Writes a number that contracts store under a name. */
export const setUint = (chain: Chain, name: string, value: bigint) => write(chain, 'setUint', id(name), value);

/** The key of what the protocol's storage has about a contract. */
const keyOf = (what: string, name: string) => solidityPackedKeccak256(['string', 'string'], [what, name]);

export const pause = (chain: Chain, name: string) => write(chain, 'setBool', keyOf('contract.paused', name), true);

/** Pauses all contracts that can be paused by the protocol. */
export async function pauseContracts(chain: Chain): Promise<void> {
  for (const name of ['TokenggAVAX', 'MinipoolManager', 'RewardsPool', 'ClaimNodeOp', 'Staking'])
    await pause(chain, name);
}

const register = (chain: Chain, name: string, address: string) =>
  write(chain, 'setAddress', keyOf('contract.address', name), address);

/** Removes a contract from the registry. */
export const unregister = (chain: Chain, name: string) => register(chain, name, ZeroAddress);

/** Registers an address without code in place of a contract, as if its successor had none of its views. */
export const silence = (chain: Chain, name: string) => register(chain, name, `0x${'dead'.repeat(10)}`);

/** The storage slots of the pool's amounts. */
const POOL_SLOTS = { totalSupply: 0, lastRewardsAmt: 8, totalReleasedAssets: 9, stakingTotalAssets: 10 };

/** Writes amounts of the pool, in wei, and mines a block. */
export async function setPool({ rpc, registered }: Chain, amounts: Partial<Record<keyof typeof POOL_SLOTS, bigint>>) {
  const pool = await registered('TokenggAVAX');
  for (const [name, amount] of Object.entries(amounts)) {
    const slot = POOL_SLOTS[name as keyof typeof POOL_SLOTS];
    await rpc.send('anvil_setStorageAt', pool, toBeHex(slot, 32), toBeHex(amount, 32));
  }
  await rpc.send('evm_mine');
}

/** Takes WAVAX from the pool, until it has only this much. */
export async function leaveWAVAX(chain: Chain, amount: bigint): Promise<void> {
  const { WAVAX } = DEVNET_ADDRESSES;
  const token = await chain.registered('TokenggAVAX');
  const [held] = await chain.readAt(WAVAX, 'balanceOf', [token]);
  const sent = [chain.people.guardian, held - amount];
  expect(await act(chain, token, WAVAX, 'transfer(address,uint256)', sent)).toBe(true);
}

/** Removes a view from a contract: changes its selector where the dispatcher compares it (the last occurrence). */
export async function removeView({ rpc }: Chain, address: string, signature: string): Promise<void> {
  const code = String(await rpc.send('eth_getCode', address, 'latest'));
  const at = code.lastIndexOf(`63${id(signature).slice(2, 10)}`);
  if (at < 0) throw new Error(`${signature} not found`);
  const without = `${code.slice(0, at)}63deadbeef${code.slice(at + 10)}`;
  await rpc.send('anvil_setCode', address, without);
  await rpc.send('evm_mine');
}

/** Writes the GGP price of the oracle contract, in AVAX wei. */
export const setOraclePrice = (chain: Chain, price: bigint) => setUint(chain, 'Oracle.GGPPriceInAVAX', price);

/**
 * Compares the figures of responses with the contracts, by the code of `npm run verify`: all figures that it supports
 * for this path of the OpenAPI document, and the first ten items of a list.
 */
export async function expectTrue(
  path: string,
  bodies: readonly Json[],
  url = process.env.DEVNET_RPC_URL as string,
): Promise<void> {
  const chain = await connectChain(43_112, url);
  for (const body of bodies) {
    // Each point of a history has a block of its own.
    const figures = figuresIn(body, await EXPECTED[path]?.(body, chain.at(body.block?.number), chain));
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.filter(({ served, expected }) => served !== expected)).toEqual([]);
  }
  chain.close();
}

/**
 * The newest full hour that can be recorded: the last one before the head's timestamp, which another block may still
 * share. Computed from the raw header, independently of the recorder.
 */
export async function newestHour({ block }: Chain): Promise<number> {
  const before = (await block('latest')).timestamp - 1;
  return before - (before % 3_600);
}

/** The times from `from` to `to`, both inclusive, that are multiples of `seconds`. */
export function multiplesOf(seconds: number, from: number, to: number): number[] {
  const times: number[] = [];
  for (let time = from; time <= to; time++) if (time % seconds === 0) times.push(time);
  return times;
}
