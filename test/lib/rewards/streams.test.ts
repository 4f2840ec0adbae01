import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { releasedAt, releasedBetween, type Stream, YIELD_SOURCES } from '../../../lib/rewards/streams.ts';
import { wei } from './units.ts';

const STREAM: Stream = {
  start: 1_000,
  end: 2_000,
  amount: 10n,
  fee: 3n,
  bySource: { minipools: 4n, delegation: 3n, mev: 0n, other: 3n },
};

test('a stream releases evenly from its start to its end, rounded down', () => {
  expect([0, 1_000, 1_001, 1_099, 1_100, 1_999, 2_000, 9_000].map((time) => releasedAt(STREAM, time))).toEqual([
    0n,
    0n,
    0n,
    0n,
    1n,
    9n,
    10n,
    10n,
  ]);
  expect(releasedBetween([STREAM], 1_100, 1_500)).toMatchObject({ net: 4n, fee: 1n });
  expect(releasedBetween([], 0, 9_000)).toMatchObject({ net: 0n, fee: 0n });
});

const amount = fc.bigInt({ min: 0n, max: wei('500') });
const anyStreams = fc.array(
  fc.record({ minipools: amount, delegation: amount, mev: amount, other: amount, fee: amount, late: fc.nat(90_000) }),
  { maxLength: 6 },
);

test('parts of any time add up to the whole, and sources to the net amount, to the wei', () => {
  fc.assert(
    fc.property(anyStreams, fc.array(fc.nat(9_000_000), { maxLength: 12 }), (parts, times) => {
      const streams = parts.map(({ fee, late, ...bySource }, index): Stream => {
        const sum = YIELD_SOURCES.reduce((total, source) => total + bySource[source], 0n);
        const start = index * 1_209_600 + late;
        return { start, end: start + 1_100_000, amount: sum, fee, bySource };
      });
      const cuts = [0, ...times.sort((a, b) => a - b), 99_000_000];
      const pieces = cuts.slice(1).map((to, index) => releasedBetween(streams, cuts[index] as number, to));
      const whole = releasedBetween(streams, 0, 99_000_000);
      const sum = (of: (piece: typeof whole) => bigint) => pieces.reduce((total, piece) => total + of(piece), 0n);
      expect(sum(({ net }) => net)).toBe(streams.reduce((total, stream) => total + stream.amount, 0n));
      expect(sum(({ fee }) => fee)).toBe(whole.fee);
      for (const source of YIELD_SOURCES) expect(sum(({ bySource }) => bySource[source])).toBe(whole.bySource[source]);
      for (const { net, bySource } of pieces)
        expect(YIELD_SOURCES.reduce((total, source) => total + bySource[source], 0n)).toBe(net);
    }),
  );
});
