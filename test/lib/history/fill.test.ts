import { beforeEach, describe, expect, test } from '@jest/globals';
import { NOTHING_REGISTERED } from '../../../lib/chain/chain.ts';
import type { Point } from '../../../lib/history/point.ts';
import { fill, type Recording, type RunLimits, runRecorder } from '../../../lib/history/record-history.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import type { BlockRef } from '../../../lib/values/block.ts';
import { DAY, HOUR } from '../../../lib/values/durations.ts';
import { runnerOf } from '../../support/contracts.ts';
import { type RecordingTelemetry, recordingTelemetry } from '../../support/telemetry.ts';

/** The order of work and the end of the recorder's runs, with lists for chain and table. Numbers are worked out by hand. */

const DAY_0 = 1_789_084_800; // 2026-09-11 00:00 UTC
const HEAD: BlockRef = { number: 1_000, timestamp: DAY_0 + 2 * HOUR + 1 };

let telemetry: RecordingTelemetry;
/** The boundaries requested from the chain, in order. */
let asked: number[];
/** The number of boundaries in each of these requests. */
let groups: number[];
/** The points written, in order: `1h 1789084800`. */
let written: string[];
let recorded: Map<string, Point>;
/** True if the state at a boundary cannot be read. */
let unreadable: (time: number) => boolean;
/** Time of the chain's first block, in Unix seconds. */
let born: number;

beforeEach(() => {
  telemetry = recordingTelemetry();
  [asked, groups, written] = [[], [], []];
  recorded = new Map();
  unreadable = () => false;
  born = 0;
});

/** A chain without contracts: its points have no values. */
function recording(): Recording {
  // On Fuji, the fewest exchanges are read.
  const network = NETWORKS.fuji;
  const chain = {
    network,
    head: async () => HEAD,
    blocksAt: async (times: number[]) => {
      asked.push(...times);
      groups.push(times.length);
      return times.map((time) => (time < born ? undefined : { number: time / 10, timestamp: time }));
    },
    at: async (number: number) => {
      if (unreadable(number * 10)) throw new Error('missing trie node');
      const block = async () => ({ number, timestamp: number * 10 });
      return { network, addresses: NOTHING_REGISTERED, runner: runnerOf(() => '0x'), block };
    },
  };
  const history = {
    timestamps: async (interval: string, from: number, to: number) =>
      [...recorded.keys()]
        .map((key) => key.split(' '))
        .filter(([of, time]) => of === interval && Number(time) >= from && Number(time) <= to)
        .map(([, time]) => Number(time)),
    write: async (interval: string, point: Point) => {
      const key = `${interval} ${point.timestamp}`;
      if (recorded.has(key)) return false;
      recorded.set(key, point);
      written.push(key);
      return true;
    },
  };
  return { telemetry, chain, history } as unknown as Recording;
}

const limits = (overrides: Partial<RunLimits> = {}): RunLimits => ({ mayGoOn: () => true, ...overrides });
const boundaries = (...hours: number[]) => hours.map((hour) => DAY_0 + hour * HOUR);

describe('a fill', () => {
  test('records boundaries in the given order, and those of days in both series, the daily one first', async () => {
    const lefts: number[] = [];
    const onBoundary = (left: number) => lefts.push(left);
    const filled = await fill(recording(), HEAD, boundaries(2, 1, 0), limits({ onBoundary }));
    expect(filled).toEqual({ recorded: 3, existing: 0, failed: 0, left: 0 });
    expect(asked).toEqual(boundaries(2, 1, 0));
    expect(written).toEqual([`1h ${DAY_0 + 2 * HOUR}`, `1h ${DAY_0 + HOUR}`, `1d ${DAY_0}`, `1h ${DAY_0}`]);
    expect(lefts).toEqual([2, 1, 0]);
    const block = { number: DAY_0 / 10, timestamp: DAY_0 };
    expect(recorded.get(`1h ${DAY_0}`)).toMatchObject({ timestamp: DAY_0, block });
  });

  test('counts points that another recorder has written meanwhile, and adds a missing daily one', async () => {
    recorded.set(`1h ${DAY_0 + HOUR}`, {} as Point);
    recorded.set(`1h ${DAY_0}`, {} as Point);
    const filled = await fill(recording(), HEAD, boundaries(1, 0), limits());
    // Only the daily point was missing.
    expect(filled).toEqual({ recorded: 1, existing: 1, failed: 0, left: 0 });
    expect(written).toEqual([`1d ${DAY_0}`]);
  });

  test('goes on after a group that ends with two failures in a row, and stops after one that ends with three', async () => {
    const hours = Array.from({ length: 165 }, (_, hour) => -hour);
    const failing = boundaries(...hours.slice(10, 30), ...hours.slice(78, 80), ...hours.slice(157, 160));
    unreadable = (time) => failing.includes(time);
    const filled = await fill(recording(), HEAD, boundaries(...hours), limits());
    const failure = new Error('missing trie node');
    expect(filled).toEqual({ recorded: 135, existing: 0, failed: 25, left: 5, stopped: 'failures', failure });
    // What fails is tried once more.
    expect(groups).toEqual([80, 22, 80, 3]);
    // The reason is logged for the first three in a row.
    expect(telemetry.lines).toHaveLength(8);
    const fields = { timestamp: DAY_0 - 10 * HOUR, error: failure };
    expect(telemetry.lines[0]).toMatchObject({ level: 'warn', message: 'point not recorded', fields });
  });

  test('records what can be read at the second try', async () => {
    const once = new Set(boundaries(2, 0));
    unreadable = (time) => once.delete(time);
    expect(await fill(recording(), HEAD, boundaries(2, 1, 0), limits())).toMatchObject({ recorded: 3, failed: 0 });
    expect(telemetry.lines).toEqual([]);
  });

  test('stops where the chain begins, and does not count that boundary as tried', async () => {
    born = DAY_0 + HOUR;
    const filled = await fill(recording(), HEAD, boundaries(2, 1, 0, -1), limits());
    expect(filled).toEqual({ recorded: 2, existing: 0, failed: 0, left: 1, stopped: 'unborn' });
  });

  test('stops before the next group once its limit is reached, and within one if it has a number', async () => {
    const hours = Array.from({ length: 100 }, (_, hour) => 100 - hour);
    let may = 1;
    const filled = await fill(recording(), HEAD, boundaries(...hours), limits({ mayGoOn: async () => may-- > 0 }));
    expect(filled).toEqual({ recorded: 80, existing: 0, failed: 0, left: 20, stopped: 'limits' });
    expect(asked).toEqual(boundaries(...hours.slice(0, 80)));
    const again = await fill(recording(), HEAD, boundaries(...hours), limits({ most: 3 }));
    expect(again).toMatchObject({ existing: 3, left: 97, stopped: 'limits' });
  });
});

describe('a run', () => {
  test('records the newest boundary first, then days, then hours, each from the newest back to its start', async () => {
    const report = await runRecorder(recording(), DAY_0 - DAY - 2 * HOUR, limits());
    const back = Array.from({ length: 29 }, (_, hour) => 2 - hour);
    expect(asked).toEqual([
      ...boundaries(2),
      ...boundaries(0, -24),
      ...boundaries(...back.filter((hour) => ![2, 0, -24].includes(hour))),
    ]);
    const counts = { recorded: 29, existing: 0, failed: 0, left: 0 };
    expect(report).toEqual({ newest: DAY_0 + 2 * HOUR, newestRecorded: true, ...counts });
  });

  test('reads only what is missing', async () => {
    await runRecorder(recording(), DAY_0 - 5 * HOUR, limits());
    recorded.delete(`1h ${DAY_0 - 3 * HOUR}`);
    recorded.delete(`1d ${DAY_0}`);
    asked = [];
    const report = await runRecorder(recording(), DAY_0 - 5 * HOUR, limits());
    expect(asked).toEqual(boundaries(0, -3));
    expect(report).toMatchObject({ recorded: 2, existing: 0, newestRecorded: true });
  });

  test('tries no more boundaries than it may, over all lists', async () => {
    const lefts: number[] = [];
    const onBoundary = (left: number) => lefts.push(left);
    const report = await runRecorder(recording(), DAY_0 - DAY, limits({ most: 4, onBoundary }));
    expect(lefts).toEqual([26, 25, 24, 23]);
    expect(asked).toEqual(boundaries(2, 0, -24, 1));
    expect(report).toMatchObject({ recorded: 4, left: 23, stopped: 'limits' });
  });
});
