import { expect, test } from '@jest/globals';
import { inParallel } from '../../../lib/runtime/parallel.ts';
import { type ScheduledHandler, scheduled } from '../../../lib/runtime/scheduled.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

test('a scheduled run that fails is logged, and fails for Lambda, too; its metrics are written in any case', async () => {
  const telemetry = recordingTelemetry();
  const [event, context] = [{}, {}] as Parameters<ScheduledHandler>;
  const ran: unknown[] = [];
  await scheduled(telemetry, async (given) => void ran.push(given))(event, context);
  expect([ran, telemetry.lines, telemetry.flushes]).toEqual([[context], [], 1]);
  const error = new Error('no chain');
  await expect(scheduled(telemetry, () => Promise.reject(error))(event, context)).rejects.toBe(error);
  expect(telemetry.lines).toEqual([{ level: 'error', message: 'run failed', fields: { error } }]);
  expect(telemetry.flushes).toBe(2);
});

test('work on many things is done once each, never on more at a time than allowed, with results in order', async () => {
  const ends: (() => void)[] = [];
  let begun = 0;
  const done = inParallel(['a', 'b', 'c', 'd', 'e'], 2, async (thing) => {
    begun += 1;
    await new Promise<void>((resolve) => ends.push(resolve));
    return thing.toUpperCase();
  });
  while (ends.length > 0) {
    expect(ends.length).toBeLessThanOrEqual(2);
    // The last one that began ends first.
    ends.pop()?.();
    await new Promise(setImmediate);
  }
  expect(await done).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(begun).toBe(5);
  expect(await inParallel([], 2, () => Promise.reject(new Error('of none')))).toEqual([]);
  await expect(inParallel([1, 2], 1, () => Promise.reject(new Error('of one')))).rejects.toThrow('of one');
});
