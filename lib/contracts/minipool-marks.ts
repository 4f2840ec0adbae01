import { AbiCoder } from 'ethers';
import type { ProtocolState } from '../chain/chain.ts';
import { bytesOf } from '../chain/words.ts';
import { MINIPOOL_STATUSES } from './minipool-statuses.ts';

/**
 * The compiled `MinipoolMarks.sol`, a constructor that returns marks; test/lib/contracts/minipool-marks.test.ts says how.
 */
export const MARKS_CODE =
  '0x608060405234801561001057600080fd5b5060405161016b38038061016b83398101604081905261002f91610127565b61007c565b6c6d696e69706f6f6c2e6974656d60981b60805281608d528260ad5283602d0160802060045260006020604060246000855afa61007057600080fd5b50506040519392505050565b63bd02d0f560e01b600052610100825b8281101561011c576100ab6007662e73746174757360c81b8388610034565b600081600281146100da576100d3600d6c2e6372656174696f6e54696d6560981b868b610034565b91506100f7565b6100f4600a692e737461727454696d6560b01b868b610034565b91505b5063ffffffff811660d81b8260f81b178452505060058201915060018101905061008c565b506101008103610100f35b60008060006060848603121561013c57600080fd5b83516001600160a01b038116811461015357600080fd5b60208501516040909501519096949550939250505056fe';

/** The constructor's arguments: the registry, the first index, and the index after the last. */
const CONSTRUCTOR = ['address', 'uint256', 'uint256'];
/** Bytes of a mark: one of the status, four of `startTime` (while staking) or `creationTime`. */
const MARK = 5;
/** Records per program: about 27 M gas, and 22 kB returned as if to be deployed, both below the limits. */
const PORTION = 4_500;
const STAKING = MINIPOOL_STATUSES.indexOf('staking');

/**
 * Marks of the first `count` records: a record whose mark is unchanged is unchanged, too. Undefined if the provider
 * does not run the program that reads them.
 */
export async function readMarks(state: ProtocolState, count: number): Promise<Uint8Array | undefined> {
  const coder = AbiCoder.defaultAbiCoder();
  const programs = Array.from({ length: Math.ceil(count / PORTION) }, (_, portion) => {
    const from = portion * PORTION;
    const portionOf = [state.network.storage, from, Math.min(count, from + PORTION)];
    return MARKS_CODE + coder.encode(CONSTRUCTOR, portionOf).slice(2);
  });
  const returned = await state.run(programs);
  const marks = returned && Buffer.concat(returned.map(bytesOf));
  return marks?.length === count * MARK ? marks : undefined;
}

/** The fields of a record that its mark depends on. Times in unix seconds. */
interface MarkedFields {
  index: number;
  status: number;
  startTime: number;
  creationTime: number;
}

/** `marks`, updated for these records, which may be new ones. */
export function withMarks(marks: Uint8Array, changed: readonly MarkedFields[]): Uint8Array {
  const count = changed.reduce((most, { index }) => Math.max(most, index + 1), countOf(marks));
  const all = Buffer.alloc(count * MARK);
  all.set(marks);
  for (const { index, status, startTime, creationTime } of changed) {
    // Truncated as in the program, whatever values were written.
    all.writeUInt8(status & 0xff, index * MARK);
    all.writeUInt32BE((status === STAKING ? startTime : creationTime) >>> 0, index * MARK + 1);
  }
  return all;
}

/** How many records these are the marks of. */
export function countOf(marks: Uint8Array): number {
  return marks.length / MARK;
}

/** The contract's status of each record, by index. */
export function statusesIn(marks: Uint8Array): number[] {
  return Array.from({ length: countOf(marks) }, (_, index) => marks[index * MARK] as number);
}

/** Whether a record has the same mark in both. */
export function isSame(index: number, marks: Uint8Array, others: Uint8Array): boolean {
  const markIn = (all: Uint8Array) => all.subarray(index * MARK, (index + 1) * MARK);
  return Buffer.compare(markIn(marks), markIn(others)) === 0;
}
