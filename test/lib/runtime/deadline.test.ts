import { describe, expect, jest, test } from '@jest/globals';
import { systemClock, toTenths } from '../../../lib/runtime/clock.ts';
import { deadline, inTime, optionally, withDeadline } from '../../../lib/runtime/deadline.ts';
import { testClock } from '../../support/clock.ts';

describe('a deadline', () => {
  test('is never later than the one around it, and so is that of optional parts', () => {
    expect([deadline(), optionally(deadline)]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    const both = () => [deadline(), optionally(deadline)];
    withDeadline(
      1_000,
      () => {
        expect(both()).toEqual([1_000, 600]);
        expect(withDeadline(2_000, both)).toEqual([1_000, 600]);
        expect(withDeadline(2_000, both, 700)).toEqual([1_000, 600]);
        expect(withDeadline(500, both)).toEqual([500, 500]);
        expect(deadline()).toBe(1_000);
      },
      600,
    );
  });

  test('ends the wait for work that hangs, and for no other', async () => {
    const clock = testClock();
    const within = <T>(ms: number, work: Promise<T>) => withDeadline(clock.now() + ms, () => inTime(work, clock));
    expect(await within(50, Promise.resolve(1))).toBe(1);
    await expect(within(50, Promise.reject(new RangeError('of the work')))).rejects.toThrow('of the work');
    const hanging = within(50, new Promise(() => {})).catch(({ code }) => code);
    await clock.advance(49);
    expect(await Promise.race([hanging, 'still waiting'])).toBe('still waiting');
    await clock.advance(1);
    expect(await hanging).toBe('DEADLINE_EXCEEDED');
  });
});

test('the clock of the system tells milliseconds, and waits until a signal', async () => {
  const before = Date.now();
  await systemClock.wait(20);
  const passed = systemClock.now() - before;
  expect(passed).toBeGreaterThanOrEqual(19);
  await expect(systemClock.wait(60_000, AbortSignal.timeout(5))).rejects.toThrow('aborted');
  expect([2, 2.26, 0.04].map(toTenths)).toEqual([2, 2.3, 0]);
});

test('the clock of durations is never set back, and goes on with the machine while the process is frozen', () => {
  const wall = jest.spyOn(Date, 'now');
  const before = systemClock.now();
  wall.mockReturnValue(before - 3_600_000);
  expect(systemClock.unix()).toBe(before - 3_600_000);
  expect(systemClock.now() - before).toBeGreaterThanOrEqual(0);
  expect(systemClock.now() - before).toBeLessThan(60_000);
  wall.mockReturnValue(before + 3_600_000);
  expect(systemClock.now() - before).toBeGreaterThanOrEqual(3_600_000);
  wall.mockRestore();
});
