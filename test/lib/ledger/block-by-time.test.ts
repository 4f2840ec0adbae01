import { beforeEach, describe, expect, test } from '@jest/globals';
import { BlockByTime } from '../../../lib/ledger/block-by-time.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import { DAY } from '../../../lib/values/durations.ts';

/** Finding the blocks of a time, and what that costs. */

/** The first second of a UTC day. */
const START = 19_700 * DAY;

const entry = (block: number, timestamp: number) => ({ block, timestamp }) as Entry;
const coverageOf = (from: number, to: number) => ({ from, to, complete: true });

let entries: Entry[];
/** The limit of rows of each read. */
let limits: number[];
let oldestReads: number;
let times: BlockByTime;
beforeEach(() => {
  limits = [];
  oldestReads = 0;
  times = new BlockByTime(
    async (from, before, limit) => {
      limits.push(limit);
      const rows = entries.filter(({ block }) => from <= block && block < before).toReversed();
      return { rows: rows.slice(0, limit), more: rows.length > limit };
    },
    async ({ from, to }) => {
      oldestReads += 1;
      return entries.find(({ block }) => from <= block && block <= to);
    },
  );
});

/** An entry every `seconds`, 100 blocks apart, over this many days. */
function everySoOften(seconds: number, days: number): void {
  entries = Array.from({ length: Math.floor((days * DAY) / seconds) }, (_, n) => entry(100 * n, START + n * seconds));
}

describe('the first block after a time', () => {
  test('is that of the first later entry', async () => {
    everySoOften(7_200, 4);
    const coverage = coverageOf(0, 4_800);
    for (const [place, { timestamp }] of entries.entries()) {
      const [own, next] = [entries[place]?.block, entries[place + 1]?.block ?? 4_801];
      expect(await times.blockAfter(timestamp, coverage)).toBe(next);
      expect(await times.blockAfter(timestamp + 7_199, coverage)).toBe(next);
      expect(await times.blockAfter(timestamp - 1, coverage)).toBe(own);
    }
  });

  test('is the one after the covered blocks if no entry is later, and the first covered block if all are', async () => {
    entries = [];
    expect(await times.blockAfter(START, coverageOf(50, 60))).toBe(61);
    entries = [entry(55, START)];
    const coverage = coverageOf(50, 60);
    expect(await times.blockAfter(START, coverage)).toBe(61);
    expect(await times.blockAfter(START - 1, coverage)).toBe(50);
  });

  test('may be the last covered block', async () => {
    entries = [entry(55, START), entry(60, START + 10)];
    const coverage = coverageOf(50, 60);
    expect(await times.blockAfter(START + 9, coverage)).toBe(60);
    expect(await times.blockAfter(START + 10, coverage)).toBe(61);
  });

  test('is the first of several blocks and entries in the same second', async () => {
    entries = [entry(1, START), entry(2, START + 5), entry(2, START + 5), entry(3, START + 5), entry(4, START + 6)];
    const coverage = coverageOf(0, 9);
    expect(await times.blockAfter(START + 4, coverage)).toBe(2);
    expect(await times.blockAfter(START + 5, coverage)).toBe(4);
  });

  test('is found on a day with more entries than one read returns', async () => {
    everySoOften(40, 2);
    const coverage = coverageOf(0, 1_000_000);
    for (const time of [START, START + 40 * 1_500, START + DAY - 1, START + DAY + 40 * 100]) {
      const next = entries.find(({ timestamp }) => timestamp > time)?.block;
      expect(await times.blockAfter(time, coverage)).toBe(next);
    }
  });
});

describe('a search', () => {
  test("in the newest entry's day reads that day's entries only, once for the same coverage", async () => {
    everySoOften(3_600, 10);
    const coverage = coverageOf(0, 100_000);
    await times.blockAfter(START + 9 * DAY, coverage);
    await times.blockAfter(START + 9 * DAY + 7_000, coverage);
    expect(limits).toEqual([1, 1_000]);
    entries.push(entry(100_500, START + 10 * DAY - 1));
    expect(await times.blockAfter(START + 10 * DAY - 2, coverageOf(0, 101_000))).toBe(100_500);
  });

  test("after the newest entry reads only that entry, and does not mistake its day for the newest entry's", async () => {
    everySoOften(3_600, 2);
    const coverage = coverageOf(0, 9_000);
    const newest = entries.at(-1) as Entry;
    await times.blockAfter(newest.timestamp, coverage);
    await times.blockAfter(newest.timestamp + 10 * DAY, coverage);
    expect(limits).toEqual([1]);
    expect(await times.blockAfter(newest.timestamp - 1, coverage)).toBe(newest.block);
  });

  test('in another day takes at most twelve bisections, and is remembered when coverage grows', async () => {
    everySoOften(600, 400);
    const coverage = coverageOf(0, 10_000_000);
    await times.blockAfter(START + 200 * DAY, coverage);
    // The newest entry and the bisections, and then the day with the rest around it.
    expect(limits.filter((limit) => limit === 1).length).toBeLessThanOrEqual(13);
    expect(limits.filter((limit) => limit > 1)).toEqual([1_000]);
    limits = [];
    await times.blockAfter(START + 201 * DAY - 1, coverage);
    expect(limits).toEqual([]);
    await times.blockAfter(START + 200 * DAY, coverageOf(0, 10_000_001));
    expect(limits).toEqual([1]);
  });

  test('in a day is repeated when older blocks have been covered', async () => {
    everySoOften(3_600, 3);
    // Half of the first day.
    expect(await times.blockAfter(START + 43_200, coverageOf(1_200, 9_000))).toBe(1_300);
    expect(await times.blockAfter(START + 3_600, coverageOf(0, 9_000))).toBe(200);
  });

  test('for the oldest entry is made once, even for concurrent requests', async () => {
    everySoOften(3_600, 3);
    const coverage = coverageOf(0, 9_000);
    const [first, second] = await Promise.all([times.oldest(coverage), times.oldest(coverage)]);
    expect([first, second, await times.oldest(coverage)]).toEqual([entries[0], entries[0], entries[0]]);
    expect(oldestReads).toBe(1);
  });

  test('that fails is repeated', async () => {
    entries = [entry(5, START)];
    let isDown = true;
    const flaky = new BlockByTime(
      async () => ({ rows: entries, more: false }),
      async () => {
        if (isDown) throw new Error('throttled');
        return entries[0];
      },
    );
    const coverage = coverageOf(0, 9);
    await expect(flaky.oldest(coverage)).rejects.toThrow('throttled');
    isDown = false;
    expect(await flaky.oldest(coverage)).toEqual(entries[0]);
  });
});
