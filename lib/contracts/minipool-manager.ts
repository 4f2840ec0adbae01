import { lengthAt, toBytes, toWord, WORD, wordAt } from '../chain/abi-words.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt, ifAnswered } from '../chain/contract.ts';
import { range } from '../values/arrays.ts';
import { address, anotherStruct, bytes32, int, number, sizeOf, structAt, uint } from './struct.ts';

const MINIPOOL_STRUCT =
  '(int256 index, address nodeID, uint256 status, uint256 duration, uint256 delegationFee, address owner, address multisigAddr, uint256 avaxNodeOpAmt, uint256 avaxNodeOpInitialAmt, uint256 avaxLiquidStakerAmt, bytes blsPubkeyAndSig, bytes32 txID, uint256 creationTime, uint256 initialStartTime, uint256 startTime, uint256 endTime, uint256 avaxTotalRewardAmt, bytes32 errorCode, uint256 ggpSlashAmt, uint256 avaxNodeOpRewardAmt, uint256 avaxLiquidStakerRewardAmt, bytes32 hardwareProvider)' as const;

export const MINIPOOL_MANAGER_ABI = [
  'function getMinipoolCount() view returns (uint256)',
  'function getTotalAVAXLiquidStakerAmt() view returns (uint256)',
  `function getMinipool(int256 index) view returns (${MINIPOOL_STRUCT})`,
  `function getMinipoolByNodeID(address nodeID) view returns (${MINIPOOL_STRUCT})`,
] as const;

const BLS_PUBLIC_KEY_BYTES = 48;

/** The contract's `Minipool` struct since 2024-08 (22 fields): amounts in wei, times in unix seconds. */
const FIELDS = {
  index: int,
  nodeID: address,
  status: number,
  duration: number,
  delegationFee: number,
  owner: address,
  multisigAddr: address,
  avaxNodeOpAmt: uint,
  avaxNodeOpInitialAmt: uint,
  avaxLiquidStakerAmt: uint,
  /** Offset of the byte string. */
  blsPubkeyAndSig: number,
  txID: bytes32,
  creationTime: number,
  initialStartTime: number,
  startTime: number,
  endTime: number,
  avaxTotalRewardAmt: uint,
  errorCode: bytes32,
  ggpSlashAmt: uint,
  avaxNodeOpRewardAmt: uint,
  avaxLiquidStakerRewardAmt: uint,
  hardwareProvider: bytes32,
};

export type Minipool = ReturnType<typeof decodeMinipool>;

/** Gas to reserve for a record: it takes about 85k, and 12k more with a BLS key. */
const MINIPOOL_GAS = 100_000;
/** Number of records that are read together with the count, in a batch shared with other reads. */
const FIRST_BATCH = 150;

/**
 * Every minipool record, by index: one per nodeID, ever. Read one by one, because `getMinipools` filters by a single status
 * after reading its range. Takes two requests if there are more records than fit into the first batch.
 */
export async function readMinipools(state: ProtocolState): Promise<Minipool[]> {
  const minipoolManager = contractAt(state.addresses.MinipoolManager, MINIPOOL_MANAGER_ABI, state.runner);
  const readAll = (indexes: number[]) => readEach(state, 'getMinipool', indexes.map(toWord));
  const [count, first] = await Promise.all([minipoolManager.getMinipoolCount(), readAll(range(0, FIRST_BATCH))]);
  return [...first.slice(0, Number(count)), ...(await readAll(range(FIRST_BATCH, Number(count))))];
}

/** The records of these nodes (20 bytes, hex), in one request. The record of a node without a minipool has zeros. */
export function readMinipoolsByNode(state: ProtocolState, nodeIDs: readonly string[]): Promise<Minipool[]> {
  const words = nodeIDs.map((nodeID) => nodeID.slice('0x'.length).padStart(2 * WORD, '0'));
  return readEach(state, 'getMinipoolByNodeID', words);
}

/** Reads a record for each argument. Calls are encoded by hand: ethers takes 100 ms for a thousand. */
function readEach({ runner, addresses }: ProtocolState, view: string, words: readonly string[]): Promise<Minipool[]> {
  const to = addresses.MinipoolManager;
  const { selector } = contractAt(to, MINIPOOL_MANAGER_ABI, runner).getFunction(view).fragment;
  const calls = words.map((word) => runner.call({ to, data: selector + word, gasLimit: MINIPOOL_GAS }));
  return Promise.all(calls.map(async (call) => decodeMinipool(toBytes(await call))));
}

/** AVAX wei of liquid stakers that are out with launched and staking minipools, excluding delegations. */
export function readTotalAVAXLiquidStakerAmt({ runner, addresses }: ProtocolState): Promise<bigint | undefined> {
  const minipoolManager = contractAt(addresses.MinipoolManager, MINIPOOL_MANAGER_ABI, runner);
  return ifAnswered(minipoolManager.getTotalAVAXLiquidStakerAmt());
}

/** The struct that a function returned. Throws BAD_DATA if it has other fields: its byte string is elsewhere then. */
export function decodeMinipool(data: Buffer) {
  const start = lengthAt(data, 0);
  const { blsPubkeyAndSig, ...fields } = structAt(FIELDS, data, start);
  const bytes = start + sizeOf(FIELDS);
  const length = lengthAt(data, bytes);
  const end = bytes + WORD + Math.ceil(length / WORD) * WORD;
  if (blsPubkeyAndSig !== sizeOf(FIELDS) || end !== data.length) throw anotherStruct(data);
  return { ...fields, blsPublicKey: publicKeyIn(data.subarray(bytes + WORD, bytes + WORD + length)) };
}

/** The key (0x-hex) in `abi.encode(bytes pubkey, bytes signature)`, after two offsets and its length. Old records have none. */
function publicKeyIn(pubkeyAndSig: Buffer): string | undefined {
  const [start, end] = [3 * WORD, 3 * WORD + BLS_PUBLIC_KEY_BYTES];
  const isKey = pubkeyAndSig.length >= end && number(wordAt(pubkeyAndSig, 2 * WORD)) === BLS_PUBLIC_KEY_BYTES;
  return isKey ? `0x${pubkeyAndSig.toString('hex', start, end)}` : undefined;
}
