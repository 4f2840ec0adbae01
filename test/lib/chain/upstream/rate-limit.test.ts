import { beforeEach, describe, expect, test } from '@jest/globals';
import { Throttled } from '../../../../lib/chain/upstream/failures.ts';
import { RateLimit } from '../../../../lib/chain/upstream/provider.ts';
import { type TestClock, testClock } from '../../../support/clock.ts';

const LATENCY_MS = 100;

let clock: TestClock;
let limit: RateLimit;

beforeEach(() => {
  clock = testClock();
  limit = new RateLimit(clock);
});

/** A provider 100 ms away with a rate limit of `perSecond` requests. It refuses further requests. */
function provider(perSecond: number) {
  const state = { running: 0, most: 0, refused: 0 };
  const answered: number[] = [];
  const send = async () => {
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await clock.wait(LATENCY_MS);
    state.running -= 1;
    const now = clock.now();
    if (answered.filter((time) => time > now - 1_000).length >= perSecond) {
      state.refused += 1;
      throw new Throttled('http_429');
    }
    answered.push(now);
    return ['answer'];
  };
  return { send, state, answered };
}

const inBackground = (send: () => Promise<unknown>) => limit.run(true, send);

/** Sends as many background requests as the limits allow. */
async function sendFor(seconds: number, { send }: ReturnType<typeof provider>) {
  const end = clock.now() + seconds * 1_000;
  const worker = async () => {
    while (clock.now() < end) await inBackground(send).catch(() => {});
  };
  const workers = Array.from({ length: 20 }, worker);
  await clock.advance(seconds * 1_000 + 70_000);
  await Promise.all(workers);
}

const refuses = async () => {
  throw new Throttled('http_429');
};
const refuse = () => expect(inBackground(refuses)).rejects.toThrow(Throttled);

describe('background requests', () => {
  test('start with two at once, and reach sixteen while all are answered', async () => {
    const fast = provider(1_000_000);
    const first = Promise.all([1, 2, 3].map(() => inBackground(fast.send)));
    await clock.advance(2 * LATENCY_MS);
    await first;
    expect(fast.state.most).toBe(2);
    await sendFor(4, fast);
    expect(fast.state.most).toBe(16);
  });

  test.each([
    [5, 0.5],
    [20, 0.1],
    [50, 0.1],
  ])('use 70 %% of a rate limit of %d a second, with at most %d refusals per answer', async (perSecond, refusals) => {
    const limited = provider(perSecond);
    const start = clock.now();
    await sendFor(60, limited);
    const answered = limited.answered.filter((time) => time < start + 60_000).length;
    expect(answered).toBeGreaterThan(60 * perSecond * 0.7);
    expect(limited.state.refused).toBeLessThan(answered * refusals);
  });

  test('wait 100 ms after a refusal, and twice as long after each further one', async () => {
    for (const pauseMs of [0, 100, 200, 400]) {
      expect(limit.pauseMs).toBe(pauseMs);
      clock.skip(pauseMs);
      await refuse();
    }
    clock.skip(800);
    await inBackground(async () => 'answer');
    await refuse();
    expect(limit.pauseMs).toBe(100);
  });

  test('wait as long as a refusal says, up to a minute', async () => {
    const busy = (ms: number) => inBackground(() => Promise.reject(new Throttled('http_429', ms))).catch(() => {});
    await busy(7_000);
    expect(limit.pauseMs).toBe(7_000);
    clock.skip(7_000);
    await busy(3_600_000);
    expect(limit.pauseMs).toBe(60_000);
  });

  test('count a refusal of one call in a batch', async () => {
    await inBackground(async () => ['answer', new Throttled('rpc_-32005')]);
    expect(limit.pauseMs).toBe(100);
  });
});

test("a client's request starts at once, and meanwhile one background request at a time", async () => {
  const slow = provider(1_000_000);
  const waiting = [1, 2, 3].map(() => inBackground(slow.send));
  expect(slow.state.running).toBe(0);
  const client = limit.run(false, () => clock.wait(10 * LATENCY_MS));
  await clock.advance(LATENCY_MS);
  await clock.advance(1);
  expect(slow.state.running).toBe(1);
  await clock.advance(20 * LATENCY_MS);
  await Promise.all([client, ...waiting]);
});
