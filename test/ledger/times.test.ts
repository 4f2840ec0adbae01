import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Entry } from '../../lib/ledger/entry.ts';
import { Times } from '../../lib/ledger/times.ts';

/** Which blocks are of which time, and what it costs to find them. */

const DAY = 86_400;
/** The first second of a UTC day. */
const START = 19_700 * DAY;

const entry = (block: number, timestamp: number) => ({ block, timestamp }) as Entry;
const coverageOf = (from: number, to: number) => ({ from, to, complete: true });

let entries: Entry[];
/** How many rows each read was for. */
let limits: number[];
let oldestReads: number;
let times: Times;
beforeEach(() => {
  limits = [];
  oldestReads = 0;
  times = new Times(
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

/** An entry every so many seconds, 100 blocks from the next, over so many days. */
function everySoOften(seconds: number, days: number): void {
  entries = Array.from({ length: Math.floor((days * DAY) / seconds) }, (_, n) => entry(100 * n, START + n * seconds));
}

describe('the first block after a time', () => {
  test('is that of the first entry that is younger', async () => {
    everySoOften(7_200, 4);
    const coverage = coverageOf(0, 4_800);
    for (const [place, { timestamp }] of entries.entries()) {
      const [own, next] = [entries[place]?.block, entries[place + 1]?.block ?? 4_801];
      expect(await times.blockAfter(timestamp, coverage)).toBe(next);
      expect(await times.blockAfter(timestamp + 7_199, coverage)).toBe(next);
      expect(await times.blockAfter(timestamp - 1, coverage)).toBe(own);
    }
  });

  test('is the one after those searched while there is no younger entry, and the first of them before all', async () => {
    entries = [];
    expect(await times.blockAfter(START, coverageOf(50, 60))).toBe(61);
    entries = [entry(55, START)];
    const coverage = coverageOf(50, 60);
    expect(await times.blockAfter(START, coverage)).toBe(61);
    expect(await times.blockAfter(START - 1, coverage)).toBe(50);
  });

  test('may be the last that has been searched', async () => {
    entries = [entry(55, START), entry(60, START + 10)];
    const coverage = coverageOf(50, 60);
    expect(await times.blockAfter(START + 9, coverage)).toBe(60);
    expect(await times.blockAfter(START + 10, coverage)).toBe(61);
  });

  test('of several blocks and entries in one second is the first of them', async () => {
    entries = [entry(1, START), entry(2, START + 5), entry(2, START + 5), entry(3, START + 5), entry(4, START + 6)];
    const coverage = coverageOf(0, 9);
    expect(await times.blockAfter(START + 4, coverage)).toBe(2);
    expect(await times.blockAfter(START + 5, coverage)).toBe(4);
  });

  test('is found in a day of more entries than one read gives', async () => {
    everySoOften(40, 2);
    const coverage = coverageOf(0, 1_000_000);
    for (const time of [START, START + 40 * 1_500, START + DAY - 1, START + DAY + 40 * 100]) {
      const next = entries.find(({ timestamp }) => timestamp > time)?.block;
      expect(await times.blockAfter(time, coverage)).toBe(next);
    }
  });
});

describe('what is read', () => {
  test('of the day of the newest entry is its entries alone, once for what has been searched', async () => {
    everySoOften(3_600, 10);
    const coverage = coverageOf(0, 100_000);
    await times.blockAfter(START + 9 * DAY, coverage);
    await times.blockAfter(START + 9 * DAY + 7_000, coverage);
    expect(limits).toEqual([1, 1_000]);
    entries.push(entry(100_500, START + 10 * DAY - 1));
    expect(await times.blockAfter(START + 10 * DAY - 2, coverageOf(0, 101_000))).toBe(100_500);
  });

  test('of a time that has no entries after it is the newest entry alone, and no day is taken for that of the newest', async () => {
    everySoOften(3_600, 2);
    const coverage = coverageOf(0, 9_000);
    const newest = entries.at(-1) as Entry;
    await times.blockAfter(newest.timestamp, coverage);
    await times.blockAfter(newest.timestamp + 10 * DAY, coverage);
    expect(limits).toEqual([1]);
    expect(await times.blockAfter(newest.timestamp - 1, coverage)).toBe(newest.block);
  });

  test('of another day is found in twelve halvings at most, and remembered when more has been searched', async () => {
    everySoOften(600, 400);
    const coverage = coverageOf(0, 10_000_000);
    await times.blockAfter(START + 200 * DAY, coverage);
    // The newest entry and halvings, and then the day with what is left beside it.
    expect(limits.filter((limit) => limit === 1).length).toBeLessThanOrEqual(13);
    expect(limits.filter((limit) => limit > 1)).toEqual([1_000]);
    limits = [];
    await times.blockAfter(START + 201 * DAY - 1, coverage);
    expect(limits).toEqual([]);
    await times.blockAfter(START + 200 * DAY, coverageOf(0, 10_000_001));
    expect(limits).toEqual([1]);
  });

  test('of days is read again when older blocks have been searched', async () => {
    everySoOften(3_600, 3);
    // Half of the first day.
    expect(await times.blockAfter(START + 43_200, coverageOf(1_200, 9_000))).toBe(1_300);
    expect(await times.blockAfter(START + 3_600, coverageOf(0, 9_000))).toBe(200);
  });

  test('of the oldest entry is read once, also where several ask at once', async () => {
    everySoOften(3_600, 3);
    const coverage = coverageOf(0, 9_000);
    const [first, second] = await Promise.all([times.oldest(coverage), times.oldest(coverage)]);
    expect([first, second, await times.oldest(coverage)]).toEqual([entries[0], entries[0], entries[0]]);
    expect(oldestReads).toBe(1);
  });

  test('in vain is read again', async () => {
    entries = [entry(5, START)];
    let isDown = true;
    const flaky = new Times(
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
