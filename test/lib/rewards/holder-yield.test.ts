import { describe, expect, test } from '@jest/globals';
import { annualRate, type Flow, type PoolMoment, spanOf, spansBetween } from '../../../lib/rewards/holder-yield.ts';
import { DAY, wei } from './units.ts';

/** The pool at a time when one ggAVAX is worth `rate` AVAX. */
const at = (time: number, rate: string): PoolMoment => ({
  time,
  totals: { totalAssets: wei(rate) * 1_000n, totalSupply: wei('1000') },
});
const flow = (time: number, shares: string, assets: string): Flow => ({
  time,
  shares: shares.startsWith('-') ? -wei(shares.slice(1)) : wei(shares),
  assets: assets.startsWith('-') ? -wei(assets.slice(1)) : wei(assets),
});

/** 100 ggAVAX in at a rate of 1, half of it out at 1.1. Held until 1.2, they earn 100 × 0.1, then 50 × 0.1. */
const FLOWS = [flow(1_000, '100', '100'), flow(2_000, '-50', '-55')];

describe('a span', () => {
  const span = spanOf(0n, FLOWS, at(1_000, '1'), at(4_000, '1.2'));

  test('earns what the shares gain while they are held', () => {
    expect(span.reward).toBe(wei('15'));
    expect([span.openShares, span.closeShares]).toEqual([0n, wei('50')]);
    expect([span.inflow, span.outflow]).toEqual([wei('100'), wei('55')]);
  });

  test('has the integral of its value over time, as trapezoids between flows', () => {
    // 100 × 1.05 × 1,000 s and 50 × 1.15 × 2,000 s
    expect(span.valueTime).toBe(wei('105000') + wei('115000'));
  });

  test('has a yearly rate relative to that integral', () => {
    expect(annualRate(span)).toBe((wei('15') * 31_536_000n * 10n ** 18n) / wei('220000'));
    expect(annualRate({ reward: wei('1'), valueTime: wei('31536000') })).toBe(wei('1'));
    expect(annualRate({ reward: -wei('1'), valueTime: wei('63072000') })).toBe(-wei('0.5'));
  });

  test('has no yearly rate if nothing was held, or so little that rounding decides', () => {
    const [first, second] = [at(0, '1'), at(DAY, '1.1')];
    const idle = spanOf(0n, [], first, second);
    expect(idle).toMatchObject({ reward: 0n, valueTime: 0n, openShares: 0n, closeShares: 0n });
    expect(annualRate(idle)).toBeUndefined();
    // One wei that was held for three weeks, and has become two by rounding.
    expect(annualRate({ reward: 1n, valueTime: 21n * 86_400n })).toBeUndefined();
    const least = 10n ** 9n * 31_536_000n;
    expect(annualRate({ reward: 1n, valueTime: least })).toBe(10n ** 9n);
    expect(annualRate({ reward: 1n, valueTime: least - 1n })).toBeUndefined();
  });

  test('has a negative reward if the rate falls', () => {
    expect(spanOf(wei('10'), [], at(0, '1.2'), at(DAY, '1.1')).reward).toBe(-wei('1'));
  });

  test('takes the rate of a flow that counts at another value than its own', () => {
    const [open, close] = [at(1_000, '1'), at(2_000, '1.2')];
    const back = spanOf(0n, [{ ...flow(1_500, '10', '10'), rate: wei('1.1') }], open, close);
    expect(back).toMatchObject({ inflow: wei('10'), reward: wei('2'), valueTime: wei('5750') });
  });

  test('derives no rate from a flow so small that rounding distorts it', () => {
    const [open, close] = [at(0, '1.5'), at(2_000, '1.5')];
    const quiet = spanOf(wei('10'), [], open, close);
    // One wei of AVAX bought one wei of ggAVAX, which does not mean a rate of 1.
    const dusty = spanOf(wei('10'), [{ time: 1_000, shares: 1n, assets: 1n }], open, close);
    const difference = dusty.valueTime - quiet.valueTime;
    expect(difference >= 0n && difference < 2_000n).toBe(true);
    const sized = spanOf(wei('10'), [{ time: 1_000, shares: 10n ** 9n, assets: 10n ** 9n }], open, close);
    expect(sized.valueTime).toBeLessThan((quiet.valueTime * 9n) / 10n);
  });
});

describe('spans between moments', () => {
  test('include the flows at their end, but not those at their start', () => {
    const moments = [at(1_000, '1'), at(2_000, '1.1'), at(3_000, '1.2')];
    const spans = spansBetween([...FLOWS, flow(2_001, '7', '8'), flow(3_001, '9', '9')], moments);
    expect(
      spans.map(({ openShares, closeShares, inflow, outflow }) => [openShares, closeShares, inflow, outflow]),
    ).toEqual([
      [wei('100'), wei('50'), 0n, wei('55')],
      [wei('50'), wei('57'), wei('8'), 0n],
    ]);
  });

  test('need two moments', () => {
    expect(spansBetween(FLOWS, [])).toEqual([]);
    expect(spansBetween(FLOWS, [at(5_000, '1')])).toEqual([]);
  });
});
