import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Services } from '../../../lib/api/services.ts';
import { apyBeforeFee, type RatePoint, readYields } from '../../../lib/history/yields.ts';
import { sourceUnavailable } from '../../../lib/runtime/errors.ts';
import type { BlockRef } from '../../../lib/values/block.ts';
import { DAY, HOUR } from '../../../lib/values/durations.ts';
import { WAD } from '../../../lib/values/wad.ts';
import { type Answers, addresses, protocolOf } from '../../support/contracts.ts';
import { startContainer, type TestRuntime } from '../../support/runtime.ts';
import { tablesForEachTest } from '../../support/tables.ts';

/**
 * The start and the yield of windows, on a chain with a block every ten seconds. The rate grows by a millionth of AVAX
 * with each block.
 */

const HEAD: BlockRef = { number: 1_000_000, timestamp: 1_790_000_003 };

tablesForEachTest();
let runtime: TestRuntime;
let context: Services;
/** The first block of the pool, and the first whose state is available. */
let born: number;
let kept: number;

const timeOf = (number: number) => HEAD.timestamp - (HEAD.number - number) * 10;
const blockAt = (time: number) => HEAD.number - Math.ceil((HEAD.timestamp - time) / 10);
const rateAt = (number: number) => WAD + BigInt(number) * 10n ** 12n;
const pointAt = (number: number): RatePoint => ({ block: { number, timestamp: timeOf(number) }, rate: rateAt(number) });
const PRESENT = pointAt(HEAD.number);

function protocolAt(number: number) {
  if (number < kept) throw sourceUnavailable({ cause: new Error('missing trie node') });
  const pool: Answers = { 'convertToAssets(uint256) view returns (uint256)': [rateAt(number)] };
  return protocolOf(number < born ? {} : { [addresses.TokenggAVAX]: pool });
}

const withChain = (chain: object) => ({ ...runtime.opened, chain }) as Services;

beforeEach(() => {
  [born, kept] = [0, 0];
  runtime = startContainer({ NETWORK: 'devnet', RPC_URLS: 'http://127.0.0.1:9' });
  const chain = {
    at: async (number: number) => protocolAt(number),
    blocksAt: async (times: number[]) =>
      times.map(blockAt).map((number) => (number < 0 ? undefined : { number, timestamp: timeOf(number) })),
  };
  context = withChain(chain);
});

const record = (timestamp: number, number: number, values: { avaxPerGgAvax?: bigint } = { avaxPerGgAvax: 7n }) =>
  context.history.write('1h', { timestamp, block: { number, timestamp: timeOf(number) }, values });

const daysAgo = (days: number) => HEAD.timestamp - days * DAY;
const begins = ({ windows }: Awaited<ReturnType<typeof readYields>>) => windows.map(({ days, from }) => [days, from]);

describe('a window', () => {
  test('begins with the last block at or before its time, and annualizes the growth over the real seconds since', async () => {
    const yields = await readYields(context, PRESENT, [7, 28]);
    expect(begins(yields)).toEqual([
      [7, pointAt(blockAt(daysAgo(7)))],
      [28, pointAt(blockAt(daysAgo(28)))],
    ]);
    expect(yields.whole).toBe(true);
    const [{ apr, apy, to }] = yields.windows as [(typeof yields.windows)[number]];
    const growth = Number(PRESENT.rate - rateAt(HEAD.number - 60_480)) / Number(rateAt(HEAD.number - 60_480));
    expect(to).toEqual(PRESENT);
    expect(apr).toBeCloseTo((growth * 365 * 100) / 7, 9);
    expect(apy).toBeCloseTo(((1 + growth) ** (365 / 7) - 1) * 100, 9);
  });

  test.each([
    ['exactly at its time', 0, true],
    ['six hours before it', 6 * HOUR, true],
    ['six hours and a second before it', 6 * HOUR + 1, false],
    ['a second after it', -1, false],
  ])('may begin with a point that is recorded %s (by %d s): %s', async (_, before, begun) => {
    await record(daysAgo(7) - before, 500_000);
    const [window] = (await readYields(context, PRESENT, [7])).windows;
    const recorded = { block: { number: 500_000, timestamp: timeOf(500_000) }, rate: 7n };
    expect(window?.from).toEqual(begun ? recorded : pointAt(blockAt(daysAgo(7))));
  });

  test('begins with its own block, even if the state of blocks near it is missing', async () => {
    kept = blockAt(daysAgo(7));
    expect(begins(await readYields(context, PRESENT, [7]))).toEqual([[7, pointAt(kept)]]);
  });

  test('is omitted if the pool is younger, and with a warning if its state is not available', async () => {
    born = blockAt(daysAgo(7)) + 1;
    expect(await readYields(context, PRESENT, [7, 1])).toMatchObject({ windows: [{ days: 1 }], whole: true });
    expect(runtime.telemetry.lines).toEqual([]);
    [born, kept] = [0, born];
    expect(await readYields(context, PRESENT, [7, 1])).toMatchObject({ windows: [{ days: 1 }], whole: false });
    expect(runtime.telemetry.lines).toMatchObject([
      { level: 'warn', message: 'past exchange rate is not available', fields: { error: expect.any(Error) } },
    ]);
  });
});

describe('the headline yield', () => {
  const from = (days: number) => (born = blockAt(daysAgo(days)) - 10);

  test.each([28, 14, 7, 1])('is that of %d days, if history has no longer one of 28, 14, 7 and 1', async (days) => {
    from(days);
    const { headline, windows } = await readYields(context, PRESENT, [90, 3]);
    expect(headline).toMatchObject({ days, from: pointAt(blockAt(daysAgo(days))) });
    expect(windows.map((window) => window.days)).toEqual(days >= 3 ? [3] : []);
  });

  test('is that of the requested window nearest to 28 days, if it can be', async () => {
    expect((await readYields(context, PRESENT, [1, 14, 7])).headline?.days).toBe(14);
  });

  test('is that of a shorter window if a state is missing, and marked as incomplete', async () => {
    kept = blockAt(daysAgo(20));
    expect(await readYields(context, PRESENT, [28])).toMatchObject({ headline: { days: 14 }, whole: false });
    kept = blockAt(daysAgo(0.5));
    expect(await readYields(context, PRESENT, [3])).toEqual({ windows: [], headline: undefined, whole: false });
  });

  test('is undefined without a rate', async () => {
    const none = { windows: [], headline: undefined, whole: true };
    expect(await readYields(context, { ...PRESENT, rate: undefined }, [28])).toEqual(none);
  });
});

test('the yield before the fee is the yield from which the fee was deducted', () => {
  const window = {
    ...{ days: 365, apr: 9, apy: 9 },
    from: { block: { number: 1, timestamp: 7 * DAY }, rate: 1_000n },
    to: { block: { number: 2, timestamp: (7 + 365) * DAY }, rate: 1_090n },
  };
  expect(apyBeforeFee(window, 1_000n)).toBeCloseTo(10, 9);
  expect(apyBeforeFee(window, 0n)).toBeCloseTo(9, 9);
  expect(apyBeforeFee(window, 9_999n)).toBeGreaterThan(100);
  expect(apyBeforeFee(window, 10_000n)).toBeUndefined();
});
