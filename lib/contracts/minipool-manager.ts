import { ifAnswered } from '../chain/answered.ts';
import type { View } from '../chain/chain.ts';
import { Contract } from '../chain/contract.ts';
import { bytesOf, WORD, wordOf } from '../chain/words.ts';
import { isSame, readMarks, statusesIn } from './minipool-marks.ts';
import { MINIPOOL_STATUSES } from './minipool-statuses.ts';
import { address, bytes32, int, number, StructDecoder, uint } from './struct.ts';

export const MINIPOOL_MANAGER_ABI = [
  'function getMinipoolCount() view returns (uint256)',
  'function getTotalAVAXLiquidStakerAmt() view returns (uint256)',
  'function getMinipool(int256 index) view returns ((int256 index, address nodeID, uint256 status, uint256 duration, uint256 delegationFee, address owner, address multisigAddr, uint256 avaxNodeOpAmt, uint256 avaxNodeOpInitialAmt, uint256 avaxLiquidStakerAmt, bytes blsPubkeyAndSig, bytes32 txID, uint256 creationTime, uint256 initialStartTime, uint256 startTime, uint256 endTime, uint256 avaxTotalRewardAmt, bytes32 errorCode, uint256 ggpSlashAmt, uint256 avaxNodeOpRewardAmt, uint256 avaxLiquidStakerRewardAmt, bytes32 hardwareProvider))',
] as const;

const BLS_PUBLIC_KEY_BYTES = 48;

/** The contract's `Minipool` struct since 2024-08 (22 fields): amounts in wei, times in unix seconds. */
const MINIPOOL = new StructDecoder({
  index: int,
  nodeID: address,
  status: number,
  duration: number,
  /** Parts per million. */
  delegationFee: number,
  owner: address,
  multisigAddr: address,
  avaxNodeOpAmt: uint,
  avaxNodeOpInitialAmt: uint,
  avaxLiquidStakerAmt: uint,
  /** 48 bytes, of the contract's `blsPubkeyAndSig`. Old records have none. */
  blsPublicKey: { from: publicKeyIn },
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
});

export type Minipool = ReturnType<(typeof MINIPOOL)['one']>;

/** A record as the contract returned it. */
export interface EncodedMinipool {
  data: Buffer;
}

/** What records are looked up by. */
export type MinipoolKeys = Pick<Minipool, 'owner' | 'nodeID'>;

const SUMMARY = ['index', 'status', 'creationTime', 'startTime'] as const;

/** A record with those fields that tell whether it has changed. */
export type MinipoolRecord = EncodedMinipool & Pick<Minipool, (typeof SUMMARY)[number]>;

/** All fields of a record: 10 µs. Throws BAD_DATA if it is of another shape. */
export function decodeMinipool({ data }: EncodedMinipool): Minipool {
  return MINIPOOL.one(data);
}

/** Only the fields that records are looked up by. */
export function keysOf({ data }: EncodedMinipool): MinipoolKeys {
  return MINIPOOL.pick(data, ['owner', 'nodeID']);
}

/** The data of all these records, one after the other. */
export function joinMinipools(records: readonly EncodedMinipool[]): Buffer {
  return Buffer.concat(records.map(({ data }) => data));
}

/** The records that {@link joinMinipools} joined. */
export function splitMinipools(joined: Buffer): EncodedMinipool[] {
  return MINIPOOL.split(joined).map((data) => ({ data }));
}

const LAUNCHED = MINIPOOL_STATUSES.indexOf('launched');
const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

/** One record costs about 85k gas, 12k more with a BLS key. */
const MINIPOOL_GAS = 100_000;
/** Records read together with the count, in a batch that they share with other reads. */
const FIRST_BATCH = 150;

async function readCount({ runner, addresses }: View): Promise<number> {
  const minipoolManager = new Contract(addresses.MinipoolManager, MINIPOOL_MANAGER_ABI, runner);
  return Number(await minipoolManager.getMinipoolCount());
}

/**
 * Every minipool record, by index: one per nodeID, ever. Read one by one: `getMinipools` filters by a single status
 * after reading its window, so all seven statuses would cost seven times as much.
 * @example
 * const minipools = await readMinipools(view);
 * minipools.every(({ index, status }, place) => index === place && status <= 6) // true
 */
export async function readMinipools(view: View): Promise<MinipoolRecord[]> {
  return withRest(view, await readFirst(view));
}

/** The first records, as many as one batch takes, and how many there are. */
interface First {
  count: number;
  first: MinipoolRecord[];
}

async function readFirst(view: View): Promise<First> {
  const [count, first] = await Promise.all([readCount(view), readMinipoolsAt(view, indexes(0, FIRST_BATCH))]);
  return { count, first: first.slice(0, count) };
}

async function withRest(view: View, { count, first }: First): Promise<MinipoolRecord[]> {
  return [...first, ...(await readMinipoolsAt(view, indexes(first.length, count)))];
}

/**
 * The records at these indexes; all zeros beyond the count. They are not decoded: most are kept and not looked at, and
 * to decode 20,000 takes 0.2 s.
 */
export function readMinipoolsAt({ runner, addresses }: View, wanted: readonly number[]): Promise<MinipoolRecord[]> {
  const minipoolManager = new Contract(addresses.MinipoolManager, MINIPOOL_MANAGER_ABI, runner);
  // The argument is encoded by hand: ethers takes 100 ms for a thousand calls.
  const { selector } = minipoolManager.getFunction('getMinipool').fragment;
  const readOne = async (index: number) => {
    const call = { to: addresses.MinipoolManager, data: selector + wordOf(index), gasLimit: MINIPOOL_GAS };
    const data = bytesOf(await runner.call(call));
    return { ...MINIPOOL.pick(data, SUMMARY), data };
  };
  return Promise.all(wanted.map(readOne));
}

/**
 * Of the records that these marks describe, those that may have changed since, and all new ones. What can change a
 * record in `MinipoolManager`, by its status (the names are the contract's functions):
 *
 * - Prelaunch (0): `claimAndInitiateStaking` and both cancellations change the status.
 * - Launched (1): `recordStakingStart` and `recordStakingError` change the status. A record may also have gone through
 *   a whole cycle and be back (`recordStakingEndThenMaybeCycle` ends in 1), with status and creation time unchanged:
 *   read every time.
 * - Staking (2): `recordStakingEnd` changes the status; so does `recordStakingEndThenMaybeCycle`, and the
 *   `recordStakingStart` that may follow before we look again sets another `startTime`.
 * - Withdrawable (3), Error (6): `withdrawMinipoolFunds` and `withdrawRewardsAndRelaunchMinipool` change the status.
 * - Finished (4), Canceled (5): only `createMinipool` for the same node, at the same index.
 *
 * Whatever begins a new life (`createMinipool`, `withdrawRewardsAndRelaunchMinipool`) sets another `creationTime`, so a
 * record with the same status and the same time has not changed. Two things go unnoticed: a new BLS key (`setBLSKeys`),
 * and what the guardian writes directly into other fields. So whoever keeps records has to read all of them again from
 * time to time. Undefined if marks cannot be read.
 */
export async function readChangedMinipools(view: View, marks: Uint8Array): Promise<MinipoolRecord[] | undefined> {
  const statuses = statusesIn(marks);
  const launched = indexes(0, statuses.length).filter((index) => statuses[index] === LAUNCHED);
  const [count, current, again] = await Promise.all([
    readCount(view),
    readMarks(view, statuses.length),
    readMinipoolsAt(view, launched),
  ]);
  if (!current || count < statuses.length) return undefined;
  const changed = indexes(0, statuses.length).filter(
    (index) => statuses[index] !== LAUNCHED && !isSame(index, marks, current),
  );
  return [...again, ...(await readMinipoolsAt(view, [...changed, ...indexes(statuses.length, count)]))];
}

/**
 * The contract's status of each minipool, by index, and the withdrawable records. Avoids reading all of many records.
 */
export async function readMinipoolStatuses(view: View): Promise<{ statuses: number[]; withdrawable: Minipool[] }> {
  const { count, first } = await readFirst(view);
  const marks = count > first.length ? await readMarks(view, count) : undefined;
  if (!marks) {
    const all = await withRest(view, { count, first });
    const withdrawable = all.filter(({ status }) => status === WITHDRAWABLE);
    return { statuses: all.map(({ status }) => status), withdrawable: withdrawable.map(decodeMinipool) };
  }
  const statuses = statusesIn(marks);
  const isWithdrawable = (index: number) => statuses[index] === WITHDRAWABLE;
  const withdrawable = await readMinipoolsAt(view, indexes(0, count).filter(isWithdrawable));
  return { statuses, withdrawable: withdrawable.map(decodeMinipool) };
}

/** The indexes from `from` up to, but not including, `to`. */
export function indexes(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** AVAX wei of liquid stakers that are out with launched and staking minipools, excluding delegations. */
export function readTotalAVAXLiquidStakerAmt({ runner, addresses }: View): Promise<bigint | undefined> {
  const minipoolManager = new Contract(addresses.MinipoolManager, MINIPOOL_MANAGER_ABI, runner);
  return ifAnswered(minipoolManager.getTotalAVAXLiquidStakerAmt());
}

/** The key in `abi.encode(bytes pubkey, bytes signature)`, which follows two offsets and its own length. */
function publicKeyIn(pubkeyAndSig: string): string | undefined {
  const hex = pubkeyAndSig.slice(2);
  const key = 3 * WORD;
  if (Number.parseInt(hex.slice((key - WORD) * 2, key * 2), 16) !== BLS_PUBLIC_KEY_BYTES) return undefined;
  return `0x${hex.slice(key * 2, (key + BLS_PUBLIC_KEY_BYTES) * 2)}`;
}
