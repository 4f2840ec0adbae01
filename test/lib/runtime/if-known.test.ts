import { expect, test } from '@jest/globals';
import { deadline, withDeadline } from '../../../lib/runtime/deadline.ts';
import { sourceUnavailable } from '../../../lib/runtime/errors.ts';
import { allKnown, ifAvailable, ifKnown, unlessReverted } from '../../../lib/runtime/if-known.ts';
import { testClock } from '../../support/clock.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

const failing = (error: Error) => () => {
  throw error;
};

test('what is computed of something unknown is unknown, and zero is known', () => {
  const sum = (a: bigint, b: bigint) => a + b;
  const sums = [ifKnown(sum, 0n, 0n), ifKnown(sum, undefined, 1n), ifKnown(sum, 1n, undefined)];
  expect(sums).toEqual([0n, undefined, undefined]);
  expect([allKnown({ a: 0n, b: false }), allKnown({ a: 0n, b: undefined })]).toEqual([{ a: 0n, b: false }, undefined]);
});

test('only what the contracts would revert for is unknown: a defect is thrown', () => {
  expect([unlessReverted(() => 0n), unlessReverted(failing(new RangeError()))]).toEqual([0n, undefined]);
  expect(() => unlessReverted(failing(new TypeError('a defect')))).toThrow('a defect');
});

test('what is not available is left out and logged, and gets no more time than it may take', async () => {
  const telemetry = recordingTelemetry();
  const clock = testClock();
  const context = { telemetry, clock };
  const now = clock.now();
  const limits = await withDeadline(
    now + 9_000,
    async () => [
      await ifAvailable(context, 'one', async () => deadline()),
      await ifAvailable(context, 'two', async () => deadline(), 100),
    ],
    now + 5_000,
  );
  expect(limits[0]).toBe(now + 5_000);
  expect(limits[1]).toBeLessThan(now + 5_000);
  expect(telemetry.lines).toEqual([]);
  const [down, defect] = [sourceUnavailable(), new TypeError('a defect')];
  expect(await ifAvailable(context, 'the price', async () => Promise.reject(down))).toBeUndefined();
  expect(await ifAvailable(context, 'the price', failing(defect))).toBeUndefined();
  const message = 'the price is not available';
  expect(telemetry.lines).toEqual([
    { level: 'warn', message, fields: { error: down } },
    { level: 'error', message, fields: { error: defect } },
  ]);
});
