import type { View } from '../chain/chain.ts';
import { Abi } from './abi.ts';
import { ifAnswered } from './answered.ts';
import { contractAt } from './contract.ts';
import { StructDecoder } from './struct.ts';

const ABI = new Abi([
  'function getMinipoolCount() view returns (uint256)',
  'function getTotalAVAXLiquidStakerAmt() view returns (uint256)',
  'function getMinipool(int256 index) view returns (uint256)',
  'function getMinipoolByNodeID(address nodeID) view returns (uint256)',
]);

/** Hex digits of an ABI word. */
const WORD = 64;
const BLS_PUBLIC_KEY_BYTES = 48;

/** The contract's `Minipool` struct since 2024-08 (22 fields): amounts in wei, times in unix seconds. */
const MINIPOOL = new StructDecoder({
  /** −1 in the record that stands for "no such node". */
  index: 'int',
  nodeID: 'address',
  status: 'number',
  duration: 'number',
  /** Parts per million. */
  delegationFee: 'number',
  owner: 'address',
  multisigAddr: 'address',
  avaxNodeOpAmt: 'uint',
  avaxNodeOpInitialAmt: 'uint',
  avaxLiquidStakerAmt: 'uint',
  /** 48 bytes, of the contract's `blsPubkeyAndSig`. Old records have none. */
  blsPublicKey: publicKeyIn,
  txID: 'bytes32',
  creationTime: 'number',
  initialStartTime: 'number',
  startTime: 'number',
  endTime: 'number',
  avaxTotalRewardAmt: 'uint',
  errorCode: 'bytes32',
  ggpSlashAmt: 'uint',
  avaxNodeOpRewardAmt: 'uint',
  avaxLiquidStakerRewardAmt: 'uint',
  hardwareProvider: 'bytes32',
});

export type Minipool = ReturnType<(typeof MINIPOOL)['one']>;

/** The contract's `MinipoolStatus`, by its number. */
export const MINIPOOL_STATUSES = [
  'prelaunch',
  'launched',
  'staking',
  'withdrawable',
  'finished',
  'canceled',
  'error',
] as const;

/** One record costs about 85k gas, 12k more with a BLS key. */
const MINIPOOL_GAS = 100_000;
/** Records read together with the count, in a batch that they share with other reads. */
const FIRST_BATCH = 150;

/**
 * Every minipool record, by index: one a nodeID, ever. Read one by one: `getMinipools` filters by a single status after
 * reading its window, so all seven statuses would cost seven times as much. An index beyond the count answers zeros.
 */
export async function readMinipools({ runner, addresses }: View): Promise<Minipool[]> {
  const read = (data: string, gasLimit?: number) => runner.call({ to: addresses.MinipoolManager, data, gasLimit });
  const readOne = async (index: number) => MINIPOOL.one(await read(ABI.encode('getMinipool', [index]), MINIPOOL_GAS));
  const readRange = (from: number, to: number) =>
    Promise.all(Array.from({ length: Math.max(0, to - from) }, (_, index) => readOne(from + index)));
  const [count, first] = await Promise.all([
    read(ABI.encode('getMinipoolCount')).then(Number),
    readRange(0, FIRST_BATCH),
  ]);
  return [...first.slice(0, count), ...(await readRange(FIRST_BATCH, count))];
}

/** AVAX wei of liquid stakers that is out with launched and staking minipools; without what is out for delegation. */
export function readTotalAVAXLiquidStakerAmt({ runner, addresses }: View): Promise<bigint | undefined> {
  return ifAnswered(contractAt(runner, addresses.MinipoolManager, ABI)('getTotalAVAXLiquidStakerAmt'));
}

/** The record of a node (20-byte hex), or undefined: the contract answers a zero struct that looks like Prelaunch. */
export async function readMinipool({ runner, addresses }: View, nodeID: string): Promise<Minipool | undefined> {
  const data = ABI.encode('getMinipoolByNodeID', [nodeID]);
  const minipool = MINIPOOL.one(await runner.call({ to: addresses.MinipoolManager, data, gasLimit: MINIPOOL_GAS }));
  return minipool.index < 0 ? undefined : minipool;
}

/** The key in `abi.encode(bytes pubkey, bytes signature)`: behind two offsets and its own length. */
function publicKeyIn(pubkeyAndSig: string): string | undefined {
  const length = 2 + 2 * WORD;
  const key = length + WORD;
  if (Number.parseInt(pubkeyAndSig.slice(length, key), 16) !== BLS_PUBLIC_KEY_BYTES) return undefined;
  return `0x${pubkeyAndSig.slice(key, key + 2 * BLS_PUBLIC_KEY_BYTES)}`;
}
