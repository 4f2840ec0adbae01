import { describe, expect, test } from '@jest/globals';
import { AbiCoder, id, solidityPackedKeccak256 } from 'ethers';
import {
  MINIPOOL_MANAGER_ABI,
  type Minipool,
  readChangedMinipools,
  readMinipoolStatuses,
  readMinipools,
} from '../../../lib/contracts/minipool-manager.ts';
import {
  countOf,
  isSame,
  MARKS_CODE,
  readMarks,
  statusesIn,
  withMarks,
} from '../../../lib/contracts/minipool-marks.ts';
import { readRecordTotals } from '../../../lib/contracts/records.ts';
import { type Answers, addresses, network, viewOf } from '../../support/contracts.ts';

/** Which minipools are read again. The manager is a list here; most of its records stay the same for years. */

const [PRELAUNCH, LAUNCHED, STAKING, WITHDRAWABLE, FINISHED] = [0, 1, 2, 3, 4];
const getMinipool = MINIPOOL_MANAGER_ABI[2].slice('function '.length);
const ZERO = `0x${'0'.repeat(40)}`;
const NOTHING = `0x${'0'.repeat(64)}`;

interface MinipoolFields {
  status: number;
  creationTime?: number;
  startTime?: number;
}

/** A manager with these records, which notes the indexes asked for. Its network runs the program that reads marks. */
function managerOf(records: readonly MinipoolFields[]) {
  const asked: number[] = [];
  const manager: Answers = {
    'getMinipoolCount() view returns (uint256)': [records.length],
    [getMinipool]: (index) => {
      asked.push(Number(index));
      const { status = 0, creationTime = 0, startTime = 0 } = records[Number(index)] ?? {};
      const before = [index, ZERO, status, 0, 0, ZERO, ZERO, 0, 0, 0, '0x', NOTHING];
      return [[...before, creationTime, 0, startTime, 0, 0, NOTHING, 0, 0, 0, NOTHING]];
    },
  };
  const ran: [store: string, from: number, to: number][] = [];
  const run = async (programs: readonly string[]): Promise<string[] | undefined> =>
    programs.map((program) => {
      const parameters = `0x${program.slice(MARKS_CODE.length)}`;
      const [store, from, to] = AbiCoder.defaultAbiCoder().decode(['address', 'uint256', 'uint256'], parameters);
      ran.push([store, Number(from), Number(to)]);
      const marks = records.slice(Number(from), Number(to)).map(markOf);
      return `0x${marks.join('')}`;
    });
  return { view: { ...viewOf({ [addresses.MinipoolManager]: manager }), run }, asked, ran };
}

/** A byte for the status and four for a time: the start of a staking minipool, the creation of any other. */
function markOf({ status, creationTime = 0, startTime = 0 }: MinipoolFields): string {
  const time = status === STAKING ? startTime : creationTime;
  return status.toString(16).padStart(2, '0') + time.toString(16).padStart(8, '0');
}

const marksOf = (records: readonly MinipoolFields[]) => Buffer.from(records.map(markOf).join(''), 'hex');
const many = (count: number, record: MinipoolFields): MinipoolFields[] => Array.from({ length: count }, () => record);
const settled: MinipoolFields = { status: FINISHED, creationTime: 100, startTime: 200 };

describe('marks', () => {
  test('are read from the storage contract, 4,500 records at a time', async () => {
    const { view, ran } = managerOf(many(9_001, settled));
    const marks = await readMarks(view, 9_001);
    expect(ran).toEqual([
      [network.storage, 0, 4_500],
      [network.storage, 4_500, 9_000],
      [network.storage, 9_000, 9_001],
    ]);
    expect(marks).toEqual(marksOf(many(9_001, settled)));
    expect(countOf(marks as Uint8Array)).toBe(9_001);
  });

  test('are unknown if the endpoint refuses programs, or returns fewer records', async () => {
    const { view } = managerOf(many(3, settled));
    expect(await readMarks({ ...view, run: async () => undefined }, 3)).toBeUndefined();
    expect(await readMarks(view, 4)).toBeUndefined();
  });

  test('hold the status, and the start of a staking minipool or the creation of any other', () => {
    const record = (index: number, fields: MinipoolFields) =>
      ({ index, creationTime: 0, startTime: 0, ...fields }) as Minipool;
    const first = withMarks(new Uint8Array(), [
      record(0, { status: PRELAUNCH, creationTime: 7, startTime: 8 }),
      record(2, { status: STAKING, creationTime: 7, startTime: 8 }),
    ]);
    const marks = [{ status: PRELAUNCH, creationTime: 7 }, { status: 0 }, { status: STAKING, startTime: 8 }];
    expect(first).toEqual(marksOf(marks));
    expect(statusesIn(first)).toEqual([PRELAUNCH, 0, STAKING]);
    // Earlier marks stay.
    const second = withMarks(first, [record(1, { status: FINISHED, creationTime: 2 ** 32 + 9 })]);
    expect(second).toEqual(marksOf(marks.with(1, { status: FINISHED, creationTime: 9 })));
    expect([0, 1, 2].map((index) => isSame(index, first, second))).toEqual([true, false, true]);
  });
});

describe('a refresh of minipools', () => {
  const known = [
    { status: PRELAUNCH, creationTime: 1 },
    { status: LAUNCHED, creationTime: 2 },
    { status: STAKING, creationTime: 3, startTime: 4 },
    settled,
    settled,
  ];
  const changesTo = async (records: readonly MinipoolFields[]) => {
    const { view, asked } = managerOf(records);
    const changed = await readChangedMinipools(view, marksOf(known));
    expect(changed?.map(({ index }) => index)).toEqual(changed && asked);
    return changed?.map(({ index }) => index).toSorted((a, b) => a - b);
  };

  test('reads launched minipools every time', async () => {
    expect(await changesTo(known)).toEqual([1]);
  });

  test('reads those with another status or creation time, and staking ones with another start time', async () => {
    expect(await changesTo(known.with(0, { status: LAUNCHED, creationTime: 1 }))).toEqual([0, 1]);
    expect(await changesTo(known.with(3, { ...settled, creationTime: 101 }))).toEqual([1, 3]);
    expect(await changesTo(known.with(2, { status: STAKING, creationTime: 3, startTime: 5 }))).toEqual([1, 2]);
  });

  test('reads new ones', async () => {
    expect(await changesTo([...known, settled, settled])).toEqual([1, 5, 6]);
  });

  test('is impossible on a chain that has fewer of them', async () => {
    expect(await changesTo(known.slice(0, -1))).toBeUndefined();
  });

  test('is impossible without marks', async () => {
    const { view } = managerOf(known);
    expect(await readChangedMinipools({ ...view, run: async () => undefined }, marksOf(known))).toBeUndefined();
  });
});

describe('statuses', () => {
  const records = (count: number) => many(count, settled).with(count - 1, { status: WITHDRAWABLE });

  test('of up to 150 minipools come from the records', async () => {
    const { view, ran } = managerOf(records(150));
    const { statuses, withdrawable } = await readMinipoolStatuses(view);
    expect(statuses).toEqual(records(150).map(({ status }) => status));
    expect(withdrawable).toMatchObject([{ index: 149 }]);
    expect(ran).toEqual([]);
  });

  test('of more minipools come from the marks, and only withdrawable records are read besides', async () => {
    const { view, asked } = managerOf(records(400));
    const { statuses, withdrawable } = await readMinipoolStatuses(view);
    expect(statuses).toEqual(records(400).map(({ status }) => status));
    expect(withdrawable).toMatchObject([{ index: 399 }]);
    expect(asked.filter((index) => index >= 150)).toEqual([399]);
  });

  test('of more minipools come from the records if there are no marks', async () => {
    const { view } = managerOf(records(400));
    const read = await readMinipoolStatuses({ ...view, run: async () => undefined });
    expect(read.statuses).toEqual(records(400).map(({ status }) => status));
    expect(read.withdrawable).toMatchObject([{ index: 399 }]);
  });
});

test('each record is read by a call of its own, with gas for one record', async () => {
  const { view } = managerOf(many(2, settled));
  await readMinipools(view);
  const gas = view.asked.map(({ gasLimit }) => gasLimit);
  expect(gas.filter((limit) => limit !== undefined)).toEqual(Array.from({ length: 150 }, () => 100_000));
});

describe('totals of records', () => {
  const keyOf = (list: string, index: number, field: string) =>
    solidityPackedKeccak256(['string', 'int256', 'string'], [`${list}.item`, index, `.${field}`]);
  const stored = new Map([
    [id('minipool.count'), 4n],
    [id('staker.count'), 2n],
    [keyOf('minipool', 0, 'status'), 2n],
    [keyOf('minipool', 1, 'status'), 3n],
    [keyOf('minipool', 2, 'status'), 2n],
    [keyOf('minipool', 3, 'status'), 3n],
    [keyOf('minipool', 0, 'avaxNodeOpRewardAmt'), 1_000n],
    [keyOf('minipool', 1, 'avaxNodeOpRewardAmt'), 20n],
    [keyOf('minipool', 3, 'avaxNodeOpRewardAmt'), 5n],
    [keyOf('staker', 0, 'avaxStaked'), 7n],
    [keyOf('staker', 1, 'avaxStaked'), 2n ** 200n],
    // Beyond the counts.
    [keyOf('minipool', 4, 'status'), 2n],
    [keyOf('staker', 2, 'avaxStaked'), 9n],
  ]);
  const getUint = 'getUint(bytes32 key) view returns (uint256)';

  test('are sums over the records in the storage contract', async () => {
    const view = viewOf({ [network.storage]: { [getUint]: (key) => [stored.get(String(key)) ?? 0n] } });
    expect(await readRecordTotals(view)).toEqual({
      minipoolsStaking: 2,
      avaxStaked: 2n ** 200n + 7n,
      // Of the withdrawable ones.
      avaxNodeOpRewards: 25n,
    });
  });

  test('are 0 without records, and undefined before there was a registry', async () => {
    const empty = viewOf({ [network.storage]: { [getUint]: [0n] } });
    expect(await readRecordTotals(empty)).toEqual({ minipoolsStaking: 0, avaxStaked: 0n, avaxNodeOpRewards: 0n });
    expect(await readRecordTotals(viewOf({}))).toBeUndefined();
  });
});
