import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../lib/runtime/clock.ts';

export interface TestClock extends Clock {
  /** Lets this much time pass. Waits that end within it resolve, each at its own time. */
  advance(ms: number): Promise<void>;
  /** Sets the clock forward without resolving waits, as if the code that is running had taken this long. */
  skip(ms: number): void;
}

/** A clock that shows this time, unix milliseconds. Its waits are real. */
export function clockAt(now: () => number): Clock {
  return { now, unix: now, wait: systemClock.wait };
}

/** A clock that stands still until a test moves it. */
export function testClock(start = 1_790_000_000_000): TestClock {
  let time = start;
  let waiting: { due: number; resolve: () => void }[] = [];
  return {
    now: () => time,
    unix: () => time,
    wait(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry = { due: time + ms, resolve };
      waiting.push(entry);
      signal?.addEventListener('abort', () => {
        waiting = waiting.filter((other) => other !== entry);
        reject(signal.reason);
      });
      return promise;
    },
    async advance(ms) {
      const end = time + ms;
      await setImmediate();
      for (;;) {
        const [next] = waiting.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (!next) break;
        waiting = waiting.filter((other) => other !== next);
        time = Math.max(time, next.due);
        next.resolve();
        await setImmediate();
      }
      time = Math.max(time, end);
    },
    skip(ms) {
      time += ms;
    },
  };
}
