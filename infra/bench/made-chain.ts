/**
 * A JSON-RPC server with a chain of a size that no devnet could grow to: as many logs as wanted, which ethers encodes, of
 * transactions such as the protocol's. It keeps the limits of a provider. Views answer plausible constants.
 */

import { Interface, id, parseEther, ZeroAddress, zeroPadValue } from 'ethers';
import { toTag } from '../../lib/chain/block-calls.ts';
import { type ContractName, EVENTS } from '../../lib/ledger/event-abis.ts';
import { NETWORKS } from '../../lib/runtime/networks.ts';
import { startRpcServer } from './rpc-server.ts';

const BLOCK_SECONDS = 2;
const FIRST_TIME = 1_700_000_000;
/** Infura's and Alchemy's limit of an answer to `eth_getLogs`. */
const MAX_LOGS = 10_000;
/** Transactions that differ in their addresses and amounts; then they come again, in other blocks. */
const DIFFERENT = 5_040;
const { storage, chainId } = NETWORKS.devnet;

const CONTRACTS: Readonly<Record<ContractName, string>> = {
  ClaimNodeOp: address('c1', 0),
  MinipoolManager: address('c2', 0),
  Oracle: address('c3', 0),
  RewardsPool: address('c4', 0),
  Staking: address('c5', 0),
  TokenggAVAX: address('c6', 0),
  Vault: address('c7', 0),
  WithdrawQueue: NETWORKS.devnet.withdrawQueue,
  TokenpstAVAX: address('c8', 0),
  xGGP: address('c9', 0),
  xAVAX: address('ca', 0),
  AssetLocker: address('cb', 0),
  Timelock: address('cc', 0),
};

type Emitted = readonly [emitter: ContractName, event: string, args: readonly unknown[]];

/** Events that one transaction of each kind emits. For five kinds, the ledger also reads the state. */
const KINDS: readonly ((n: number) => readonly Emitted[])[] = [
  deposit,
  transfer,
  deposit,
  withdraw,
  transfer,
  // A claim that restakes a part.
  (n) => [
    ['Staking', 'GGPStaked', [user(n), amount(n)]],
    ['ClaimNodeOp', 'GGPRewardsClaimed', [user(n), amount(n + 1)]],
  ],
  // A minipool is launched.
  (n) => [
    ['MinipoolManager', 'MinipoolStatusChanged', [node(n), 2]],
    ['MinipoolManager', 'MinipoolLaunched', [node(n), id('hardware'), 1_209_600]],
  ],
  // Its cycle ends.
  (n) => [
    ['TokenggAVAX', 'FeeCollected', [id('MINIPOOL'), amount(n)]],
    [
      'TokenggAVAX',
      'DepositedFromStaking(bytes32,address,uint256,uint256)',
      [id('MINIPOOL'), CONTRACTS.MinipoolManager, amount(n), amount(n + 1)],
    ],
    ['MinipoolManager', 'MinipoolStatusChanged', [node(n), 4]],
  ],
  (n) => [['Oracle', 'GGPPriceUpdated', [amount(n), FIRST_TIME + n]]],
];

function deposit(n: number): Emitted[] {
  return [
    ['TokenggAVAX', 'Transfer', [ZeroAddress, user(n), amount(n)]],
    ['TokenggAVAX', 'Deposit', [user(n), user(n), amount(n + 1), amount(n)]],
  ];
}

function transfer(n: number): Emitted[] {
  return [['TokenggAVAX', 'Transfer', [user(n), user(n + 1), amount(n)]]];
}

function withdraw(n: number): Emitted[] {
  return [
    ['TokenggAVAX', 'Transfer', [user(n), ZeroAddress, amount(n)]],
    ['TokenggAVAX', 'Withdraw', [user(n), user(n), user(n), amount(n + 1), amount(n)]],
  ];
}

/** Starts a chain with at least so many logs, a transaction in so many blocks, and a provider's limit of a range of blocks. */
export async function startMadeChain(
  atLeast: number,
  { blocksOfATransaction = 10, mostBlocks = Number.POSITIVE_INFINITY } = {},
) {
  const transactions = Array.from({ length: DIFFERENT }, (_, n) => encode(n));
  const counts = transactions.map((logs) => logs.length);
  let [logs, length] = [0, 0];
  for (; logs < atLeast; length++) logs += counts[length % DIFFERENT] as number;
  const head = length * blocksOfATransaction;

  const createLogs = (from: number, to: number) => {
    const found: object[] = [];
    const last = Math.min(length - 1, Math.floor(to / blocksOfATransaction));
    for (let n = Math.ceil(from / blocksOfATransaction); n <= last; n++) {
      const place = {
        blockNumber: toTag(n * blocksOfATransaction),
        transactionHash: `0x${hex(n, 64)}`,
        removed: false,
      };
      const ofTransaction = transactions[n % DIFFERENT] as object[];
      // Between them are those of other contracts, such as WAVAX.
      for (const [index, log] of ofTransaction.entries()) found.push({ ...log, ...place, logIndex: toTag(2 * index) });
      if (found.length > MAX_LOGS) return undefined;
    }
    return found;
  };
  const parseNumber = (tag: string) => (tag === 'latest' ? head : Number(tag));
  // biome-ignore lint/suspicious/noExplicitAny: parameters of JSON-RPC, which differ by method
  const answer = (method: string, params: any[]): object => {
    if (method === 'eth_chainId') return { result: toTag(chainId) };
    if (method === 'eth_getCode') return { result: '0x60' };
    if (method === 'eth_getBlockByNumber') return { result: createHeader(parseNumber(params[0])) };
    if (method === 'eth_call') return { result: callAt(params[0].data, parseNumber(params[1])) };
    const [from, to] = [Number(params[0].fromBlock), Number(params[0].toBlock)];
    if (to - from >= mostBlocks)
      return { error: { code: -32_000, message: `requested too many blocks, maximum is set to ${mostBlocks}` } };
    const found = createLogs(from, to);
    return found
      ? { result: found }
      : { error: { code: -32_005, message: `query returned more than ${MAX_LOGS} results` } };
  };
  return { ...(await startRpcServer(answer)), logs };
}

const coders = Object.fromEntries(Object.entries(EVENTS).map(([emitter, abi]) => [emitter, new Interface(abi)]));

function encode(n: number): object[] {
  const emitted = (KINDS[n % KINDS.length] as (typeof KINDS)[number])(n);
  return emitted.map(([emitter, event, args]) => ({
    address: CONTRACTS[emitter],
    ...(coders[emitter] as Interface).encodeEventLog(event, args),
  }));
}

/** A header with about as much text as a real one. */
function createHeader(number: number): object {
  const hash = `0x${hex(number, 64)}`;
  return {
    ...{ number: toTag(number), timestamp: toTag(FIRST_TIME + number * BLOCK_SECONDS) },
    ...{ hash, parentHash: hash, stateRoot: hash, receiptsRoot: hash, transactionsRoot: hash, transactions: [hash] },
    ...{ logsBloom: `0x${'0'.repeat(512)}`, gasLimit: '0x7a1200', gasUsed: '0x5208', miner: ZeroAddress },
  };
}

const multicall = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returned)[])',
]);
/** Stands for the number of the block in {@link answers}. */
const BLOCK = '0b10c'.repeat(12).padStart(64, '0');
const BLOCK_NUMBER = '0x42cbb15c';
const answers = new Map<string, string>();
const registered = new Map(
  Object.entries(CONTRACTS).map(([name, contract]) => [id(`contract.address${name}`), zeroPadValue(contract, 32)]),
);

function callAt(data: string, block: number): string {
  const answered = answers.get(data) ?? aggregate(data);
  answers.set(data, answered);
  return answered.replaceAll(BLOCK, hex(block, 64));
}

function aggregate(data: string): string {
  const [calls] = multicall.decodeFunctionData('aggregate3', data);
  const returned = calls.map(({ target, callData }: { target: string; callData: string }) => {
    if (callData.startsWith(BLOCK_NUMBER)) return [true, `0x${BLOCK}`];
    const named = target === storage ? registered.get(`0x${callData.slice(10)}`) : undefined;
    return [true, named ?? `0x${hex(10n ** 18n, 64)}`];
  });
  return multicall.encodeFunctionResult('aggregate3', [returned]);
}

function user(n: number): string {
  return address('a5', (n * 7) % 1_009);
}

function node(n: number): string {
  return address('b0', n % 503);
}

function address(prefix: string, n: number): string {
  return `0x${prefix}${hex(n + 1, 38)}`;
}

function amount(n: number): bigint {
  return parseEther('12.345678901234567891') + BigInt(n);
}

function hex(value: number | bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
