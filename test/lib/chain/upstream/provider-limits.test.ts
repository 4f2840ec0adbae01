import { beforeEach, describe, expect, test } from '@jest/globals';
import { Throttled } from '../../../../lib/chain/upstream/failures.ts';
import { ProviderLimits } from '../../../../lib/chain/upstream/provider-limits.ts';
import { type TestClock, testClock } from '../../../support/clock.ts';

const LATENCY_MS = 100;

let clock: TestClock;
let limits: ProviderLimits;

beforeEach(() => {
  clock = testClock();
  limits = new ProviderLimits();
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

const inBackground = (send: () => Promise<unknown>) => limits.runBackground(send, clock);

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
      expect(limits.queueDelayMs(clock)).toBe(pauseMs);
      clock.skip(pauseMs);
      await refuse();
    }
    clock.skip(800);
    await inBackground(async () => 'answer');
    await refuse();
    expect(limits.queueDelayMs(clock)).toBe(100);
  });

  test('wait as long as a refusal says, up to a minute', async () => {
    const busy = (ms: number) => inBackground(() => Promise.reject(new Throttled('http_429', ms))).catch(() => {});
    await busy(7_000);
    expect(limits.queueDelayMs(clock)).toBe(7_000);
    clock.skip(7_000);
    await busy(3_600_000);
    expect(limits.queueDelayMs(clock)).toBe(60_000);
  });

  test('count a refusal of one call in a batch', async () => {
    await inBackground(async () => ['answer', new Throttled('rpc_-32005')]);
    expect(limits.queueDelayMs(clock)).toBe(100);
  });
});

test("a client's request starts at once, and meanwhile one background request at a time", async () => {
  const slow = provider(1_000_000);
  const waiting = [1, 2, 3].map(() => inBackground(slow.send));
  expect(slow.state.running).toBe(0);
  const client = limits.runClient(() => clock.wait(10 * LATENCY_MS), clock);
  await clock.advance(LATENCY_MS);
  await clock.advance(1);
  expect(slow.state.running).toBe(1);
  await clock.advance(20 * LATENCY_MS);
  await Promise.all([client, ...waiting]);
});

describe('the calls per batch', () => {
  const succeed = (times: number) => Promise.all(Array.from({ length: times }, () => limits.runClient(async () => [])));

  test('are halved when a batch is too large, and grow by one per success', async () => {
    limits.halveBatches(41);
    expect(limits.callsPerBatch).toBe(20);
    await succeed(3);
    expect(limits.callsPerBatch).toBe(23);
    await succeed(100);
    expect(limits.callsPerBatch).toBe(40);
    for (let times = 0; times < 10; times++) limits.halveBatches(limits.callsPerBatch);
    expect(limits.callsPerBatch).toBe(1);
  });

  test('stay below what the provider says that it takes', async () => {
    limits.limitBatches(3);
    await succeed(10);
    expect(limits.callsPerBatch).toBe(3);
  });
});
