import { describe, expect, jest, test } from '@jest/globals';
import { Throttled, UpstreamFailure } from '../../../../lib/chain/upstream/failover.ts';
import { Pace } from '../../../../lib/chain/upstream/pace.ts';
import { type TestClock, testClock } from '../../../support/clock.ts';

const LATENCY_MS = 100;

/** A provider 100 ms away that answers so many requests a second, and refuses others. */
function provider(clock: TestClock, perSecond: number, refusal = new Throttled('http_429')) {
  const state = { perSecond, running: 0, most: 0, refused: 0 };
  const answered: number[] = [];
  const ask = async (questions: number[]) => {
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await clock.wait(LATENCY_MS);
    state.running -= 1;
    const now = clock.now();
    if (answered.filter((time) => time > now - 1_000).length >= state.perSecond) {
      state.refused += 1;
      throw refusal;
    }
    answered.push(now);
    return questions;
  };
  const answeredWithin = (from: number, to: number) => answered.filter((time) => from <= time && time < to).length;
  return { ask, state, answeredWithin };
}

/** Asks as much as a pace allows. */
async function askFor(seconds: number, pace: Pace, { ask }: ReturnType<typeof provider>, clock: TestClock) {
  const end = clock.now() + seconds * 1_000;
  const worker = async () => {
    while (clock.now() < end) await pace.run([1], ask);
  };
  const workers = Array.from({ length: 20 }, worker);
  await clock.advance(seconds * 1_000 + 5_000);
  await Promise.all(workers);
}

describe('a pace', () => {
  test('begins with two requests at once, and has sixteen while all are answered', async () => {
    const clock = testClock();
    const [pace, fast] = [new Pace(clock), provider(clock, 1_000_000)];
    const first = Promise.all([1, 2, 3].map((question) => pace.run([question], fast.ask)));
    await clock.advance(LATENCY_MS);
    expect(fast.state.most).toBe(2);
    await clock.advance(LATENCY_MS);
    await first;
    await askFor(2, pace, fast, clock);
    expect(fast.state.most).toBe(16);
    expect(fast.state.refused).toBe(0);
  });

  test.each([5, 20, 50])('comes within 10 % of a limit of %d a second, and loses nothing', async (limit) => {
    const clock = testClock();
    const [pace, limited] = [new Pace(clock), provider(clock, limit)];
    const start = clock.now();
    await askFor(60, pace, limited, clock);
    expect(limited.answeredWithin(start, start + 60_000)).toBeGreaterThan(60 * limit * 0.9);
    // It does not hammer: few are refused.
    expect(limited.state.refused).toBeLessThan(60 * limit * 0.15);
  });

  test('follows a limit that changes', async () => {
    const clock = testClock();
    const [pace, limited] = [new Pace(clock), provider(clock, 20)];
    await askFor(20, pace, limited, clock);
    limited.state.perSecond = 5;
    await askFor(20, pace, limited, clock);
    let start = clock.now();
    await askFor(20, pace, limited, clock);
    expect(limited.answeredWithin(start, start + 20_000)).toBeGreaterThan(20 * 5 * 0.85);
    limited.state.perSecond = 30;
    await askFor(40, pace, limited, clock);
    start = clock.now();
    await askFor(20, pace, limited, clock);
    expect(limited.answeredWithin(start, start + 20_000)).toBeGreaterThan(20 * 30 * 0.85);
  });

  test('leaves a provider alone as long as it asks for, a minute at most', async () => {
    for (const [asked, waited] of [
      [7_000, 7_000],
      [86_400_000, 60_000],
    ] as const) {
      const clock = testClock();
      const pace = new Pace(clock);
      const times: number[] = [];
      const start = clock.now();
      const run = pace.run([1], async () => {
        times.push(clock.now() - start);
        if (times.length === 1) throw new Throttled('http_429', asked);
        return ['answer'];
      });
      await clock.advance(waited);
      expect(await run).toEqual(['answer']);
      expect(times).toEqual([0, waited]);
    }
  });

  test('asks again only for those calls of a batch that were refused', async () => {
    const clock = testClock();
    const asked: number[][] = [];
    const run = new Pace(clock).run([1, 2, 3], async (questions) => {
      asked.push(questions);
      return questions.map((question) => (question > asked.length ? new Throttled('rpc_429') : question));
    });
    await clock.advance(10_000);
    expect(await run).toEqual([1, 2, 3]);
    expect(asked).toEqual([[1, 2, 3], [2, 3], [3]]);
  });

  test('gives up after ten refusals, with what was answered until then', async () => {
    const clock = testClock();
    const refusal = new Throttled('http_429');
    let asked = 0;
    const refuse = async (questions: number[]) => {
      asked += 1;
      return questions.map((question) => (question === 1 ? refusal : question));
    };
    const alone = new Pace(clock).run([1], refuse).catch((error) => error);
    await clock.advance(60_000);
    expect(await alone).toBe(refusal);
    expect(asked).toBe(10);
    const together = new Pace(clock).run([1, 2], refuse);
    await clock.advance(60_000);
    expect(await together).toEqual([refusal, 2]);
  });

  test('does not wait if it may not, and says how long others would', async () => {
    const clock = testClock();
    const pace = new Pace(clock);
    expect(pace.waitMs).toBe(0);
    const refusal = new Throttled('http_429', 3_000);
    const ask = jest.fn(async (questions: number[]) =>
      questions.map((question) => (question === 1 ? refusal : question)),
    );
    await expect(pace.run([1], ask, false)).rejects.toBe(refusal);
    expect(pace.waitMs).toBe(3_000);
    const waiting = [2, 3].map((question) => pace.run([question], ask, false));
    // One in half a second is the least, and each counts.
    expect(pace.waitMs).toBe(3_000 + 2 * 2_000 + 2);
    await clock.advance(10_000);
    expect(await Promise.all(waiting)).toEqual([[2], [3]]);
    expect(ask).toHaveBeenCalledTimes(3);
    expect(await pace.run([1, 2], ask, false)).toEqual([refusal, 2]);
  });

  test('passes on any other failure at once, and goes on', async () => {
    const clock = testClock();
    const pace = new Pace(clock);
    const failure = new UpstreamFailure('timeout');
    for (let n = 0; n < 5; n++) await expect(pace.run([1], () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await pace.run([1], async () => ['answer'])).toEqual(['answer']);
  });
});
