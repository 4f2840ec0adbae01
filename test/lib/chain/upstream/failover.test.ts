import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { BackgroundFailover, ClientFailover, type Failover } from '../../../../lib/chain/upstream/failover.ts';
import {
  type Attempt,
  NoState,
  RpcTooLarge,
  reportAttempt,
  Throttled,
  UpstreamFailure,
} from '../../../../lib/chain/upstream/failures.ts';
import type { Provider } from '../../../../lib/chain/upstream/provider.ts';
import { withDeadline } from '../../../../lib/runtime/deadline.ts';
import { type TestClock, testClock } from '../../../support/clock.ts';
import { recordingTelemetry } from '../../../support/telemetry.ts';

const ATTEMPT_MS = 1_000;
const BUDGET_MS = 3_000;

let clock: TestClock;
let attempts: string[];
beforeEach(() => {
  clock = testClock();
  attempts = [];
});

const options = () => ({
  ...{ attemptMs: ATTEMPT_MS, budgetMs: BUDGET_MS, clock },
  onAttempt: ({ provider, outcome }: Attempt) => attempts.push(`${provider} ${outcome}`),
});

const failover = (of: typeof ClientFailover | typeof BackgroundFailover, count: number): Failover =>
  new of(
    'rpc',
    Array.from({ length: count }, (_, index) => `http://provider-${index + 1}`),
    options(),
  );

/** Answers after a time in ms, or fails with each of some failures first. */
interface Behaviour {
  ms?: number;
  failures?: UpstreamFailure[];
}

const answers: Behaviour = {};
const hangs: Behaviour = { ms: 1e9 };
const fails = (...failures: UpstreamFailure[]): Behaviour => ({ failures });
const broken = () => fails(...Array.from({ length: 50 }, () => new UpstreamFailure('http_500')));
const lacksState = () => fails(...Array.from({ length: 50 }, () => new NoState()));

async function behave({ ms = 0, failures = [] }: Behaviour, timeoutMs: number): Promise<string> {
  if (ms > 0) await clock.wait(Math.min(ms, timeoutMs));
  if (ms > timeoutMs) throw new UpstreamFailure('timeout');
  const failure = failures.shift();
  if (failure) throw failure;
  return 'answer';
}

/** The outcome of a request to providers that behave like this, in the configured order, and the time it took. */
async function request(to: Failover, ...behaviours: Behaviour[]): Promise<{ outcome: unknown; ms: number }> {
  const started = clock.now();
  let ended: { outcome: unknown; ms: number } | undefined;
  to.request((provider, timeoutMs) => behave(behaviours[to.providers.indexOf(provider)] as Behaviour, timeoutMs))
    .catch((error: unknown) => error)
    .then((outcome) => {
      ended = { outcome, ms: clock.now() - started };
    });
  for (let step = 0; step < 400 && !ended; step++) await clock.advance(100);
  return ended as unknown as { outcome: unknown; ms: number };
}

const answered = async (to: Failover, ...behaviours: Behaviour[]) => (await request(to, ...behaviours)).outcome;

/** Copies, because the failures of a behaviour are used up. */
const copy = ({ ms, failures = [] }: Behaviour): Behaviour => ({ ms: ms ?? 0, failures: [...failures] });

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  ms: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2_900 }), fc.constant(1e9)),
  failures: fc.array(
    fc.constantFrom(
      ...[new UpstreamFailure('http_500'), new NoState(), new UpstreamFailure('wrong_chain', { penaltyMs: 300_000 })],
      ...[new RpcTooLarge(), new RpcTooLarge({ mayDivide: true }), new Throttled('http_429')],
    ),
    { maxLength: 2 },
  ),
});

test.each([
  ['a client', ClientFailover],
  ['a recorder', BackgroundFailover],
] as const)('any set of providers gives %s at least the answers of the best one alone', async (_, of) => {
  const requests = fc.array(fc.array(behaviour, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(requests, async (all) => {
      const together = failover(of, 3);
      for (const behaviours of all) {
        const alone = [];
        for (const each of behaviours) alone.push(await answered(failover(of, 1), copy(each)));
        const outcome = await answered(together, ...behaviours.map(copy));
        if (alone.includes('answer')) expect(outcome).toBe('answer');
      }
    }),
    { numRuns: 40 },
  );
});

describe('a client', () => {
  test('asks the next provider when one is late, and takes the answer that is first', async () => {
    const two = failover(ClientFailover, 2);
    expect(await request(two, { ms: 1_040 }, hangs)).toEqual({ outcome: 'answer', ms: 1_040 });
    expect(await request(two, hangs, { ms: 300 })).toEqual({ outcome: 'answer', ms: 1_300 });
    expect(await request(two, hangs, { ms: 300 })).toEqual({ outcome: 'answer', ms: 300 });
    expect(attempts).toEqual(['rpc-1 timeout', 'rpc-1 ok', 'rpc-1 timeout', 'rpc-2 ok', 'rpc-2 ok']);
  });

  test.each<[string, number, number, string[]]>([
    ['is not late with a large request that the next one answers no sooner', 2_000, 1_500, ['rpc-1 ok', 'rpc-2 ok']],
    ['is late if the next one is faster', 2_000, 500, ['rpc-2 ok', 'rpc-1 timeout', 'rpc-1 ok']],
  ])('asks the next provider after a second, and the first one %s', async (_, first, second, expected) => {
    const two = failover(ClientFailover, 2);
    const times = [first, second];
    const send = (provider: Provider, timeoutMs: number) =>
      behave({ ms: times[two.providers.indexOf(provider)] as number }, timeoutMs);
    const read = two.request(send, 2.5);
    await clock.advance(2_000);
    expect(await read).toBe('answer');
    await clock.advance(2_000);
    expect(attempts).toEqual(expected);
  });

  test('gives up when every provider has had the whole budget', async () => {
    const { outcome, ms } = await request(failover(ClientFailover, 3), hangs, hangs, hangs);
    expect(outcome).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', status: 503, headers: { 'Retry-After': '5' } });
    expect(ms).toBe(2 * ATTEMPT_MS + BUDGET_MS);
    expect(attempts).toEqual(['rpc-1 timeout', 'rpc-2 timeout', 'rpc-3 timeout']);
  });

  test("gives up at the request's deadline, and blames no provider for it", async () => {
    const two = failover(ClientFailover, 2);
    const { outcome, ms } = await withDeadline(clock.now() + 500, () => request(two, hangs, answers));
    expect([outcome, ms]).toEqual([expect.objectContaining({ code: 'DEADLINE_EXCEEDED' }), 500]);
    await answered(two, answers, answers);
    expect(attempts).toEqual(['rpc-1 timeout', 'rpc-1 ok']);
  });

  test('divides a request that is too large, and says so if no provider answers it', async () => {
    const divisible = () => fails(new RpcTooLarge({ mayDivide: true }));
    expect(await answered(failover(ClientFailover, 2), divisible(), broken())).toBe('answer');
    expect(attempts).toEqual(['rpc-1 too_large', 'rpc-2 http_500', 'rpc-1 ok']);
    expect(await answered(failover(ClientFailover, 2), fails(new RpcTooLarge()), broken())).toBeInstanceOf(RpcTooLarge);
  });

  test('asks providers without a state once more, a moment later', async () => {
    const { outcome, ms } = await request(failover(ClientFailover, 2), fails(new NoState()), broken());
    expect([outcome, ms]).toEqual(['answer', 250]);
    await answered(failover(ClientFailover, 1), lacksState());
    expect(attempts.slice(3)).toEqual(['rpc-1 no_state', 'rpc-1 no_state']);
  });
});

describe('a provider that has failed', () => {
  test.each<[string, UpstreamFailure | RangeError, number]>([
    ['is asked last for 30 s', new UpstreamFailure('http_500'), 30_000],
    ['with a defect of ours is, too', new RangeError('ours'), 30_000],
    [
      'is asked last for longer if its penalty is longer',
      new UpstreamFailure('wrong_chain', { penaltyMs: 300_000 }),
      300_000,
    ],
  ])('%s', async (_, failure, penaltyMs) => {
    const two = failover(ClientFailover, 2);
    await answered(two, fails(failure as UpstreamFailure), answers);
    clock.skip(penaltyMs - 101);
    await answered(two, answers, answers);
    clock.skip(1_000);
    await answered(two, answers, answers);
    expect(attempts.slice(1)).toEqual(['rpc-2 ok', 'rpc-2 ok', 'rpc-1 ok']);
  });

  test('is asked last for longer if it then fails again, until it answers', async () => {
    const two = failover(ClientFailover, 2);
    for (const seconds of [30, 60, 120, 300, 300]) {
      await answered(two, broken(), answers);
      expect(attempts.splice(0)).toEqual(['rpc-1 http_500', 'rpc-2 ok']);
      clock.skip(seconds * 1_000 - 101);
      await answered(two, answers, answers);
      expect(attempts.splice(0)).toEqual(['rpc-2 ok']);
      clock.skip(1_000);
    }
    await answered(two, answers, answers);
    await answered(two, broken(), answers);
    clock.skip(30_000);
    await answered(two, answers, answers);
    expect(attempts).toEqual(['rpc-1 ok', 'rpc-1 http_500', 'rpc-2 ok', 'rpc-1 ok']);
  });

  test('is asked last by all who share it in this process', async () => {
    const [first, ...others] = failover(ClientFailover, 2).providers;
    const one = new BackgroundFailover('rpc', [first as Provider], options());
    await answered(one, broken());
    const all = new ClientFailover('rpc', [first as Provider, ...others], options());
    await answered(all, answers, answers);
    expect(attempts).toEqual(['rpc-1 http_500', 'rpc-2 ok']);
  });

  test('is back in its place as soon as it has answered', async () => {
    const two = failover(ClientFailover, 2);
    await answered(two, broken(), answers);
    await answered(two, answers, broken());
    await answered(two, answers, answers);
    expect(attempts.slice(2)).toEqual(['rpc-2 http_500', 'rpc-1 ok', 'rpc-1 ok']);
  });

  test('is not asked last because it lacked a state', async () => {
    const two = failover(ClientFailover, 2);
    await answered(two, lacksState(), answers);
    await answered(two, answers, answers);
    expect(attempts).toEqual(['rpc-1 no_state', 'rpc-2 ok', 'rpc-1 ok']);
  });

  test('with all others is asked again with the next request, and the cause of the error names no URL', async () => {
    const two = failover(ClientFailover, 2);
    const error = (await answered(two, broken(), broken())) as Error & { cause: AggregateError };
    expect(error.cause.message).toBe('rpc: http_500, http_500');
    expect(JSON.stringify([error, error.cause.errors])).not.toContain('http://');
    expect(await answered(two, answers, answers)).toBe('answer');
  });
});

describe('a recorder', () => {
  test('waits out rate limits, and gives up after eight refusals of each provider', async () => {
    const throttled = (times: number) => fails(...Array.from({ length: times }, () => new Throttled('http_429')));
    expect(await answered(failover(BackgroundFailover, 2), throttled(8), throttled(7))).toBe('answer');
    expect(attempts).toHaveLength(16);
    expect(await answered(failover(BackgroundFailover, 2), throttled(9), throttled(9))).toMatchObject({ status: 503 });
  });

  test('leaves out for 30 s a provider without old states, and not at all one that throttles', async () => {
    const two = failover(BackgroundFailover, 2);
    await answered(two, fails(new Throttled('http_429')), answers);
    await answered(two, lacksState(), answers);
    await answered(two, answers, answers);
    expect(attempts).toEqual(['rpc-1 http_429', 'rpc-2 ok', 'rpc-1 no_state', 'rpc-2 ok', 'rpc-2 ok']);
  });

  test('is not sent back to a provider by the answer to an earlier request', async () => {
    const two = failover(BackgroundFailover, 2);
    const before = two.request((provider, timeoutMs) => behave({ ms: 500 }, timeoutMs).then(() => provider.name));
    await answered(two, broken(), answers);
    await clock.advance(500);
    expect(await before).toBe('rpc-1');
    await answered(two, answers, answers);
    expect(attempts).toEqual(['rpc-1 http_500', 'rpc-2 ok', 'rpc-1 ok', 'rpc-2 ok']);
  });

  test('asks the provider with the fewest requests first, and those that back off last', async () => {
    const two = failover(BackgroundFailover, 2);
    const [one, other] = two.providers as [(typeof two.providers)[0], (typeof two.providers)[0]];
    const busy = one.rateLimit.run(true, () => clock.wait(500));
    await answered(two, answers, answers);
    await other.rateLimit.run(true, async () => new Throttled('http_429', 60_000));
    await answered(two, answers, answers);
    await clock.advance(500);
    await busy;
    expect(attempts).toEqual(['rpc-2 ok', 'rpc-1 ok']);
  });
});

test('an attempt is counted, and a failed one logged once a minute, a defect as an error', () => {
  const telemetry = recordingTelemetry();
  const report = reportAttempt(telemetry, clock);
  const error = new RangeError('ours');
  report({ provider: 'rpc-1', outcome: 'ok', ms: 12 });
  report({ provider: 'rpc-1', outcome: 'unexpected', ms: 5, error });
  report({ provider: 'rpc-1', outcome: 'network', ms: 5, reason: 'name not found' });
  for (const ms of [1, 2, 3]) report({ provider: 'rpc-2', outcome: 'timeout', ms });
  clock.skip(60_000);
  report({ provider: 'rpc-2', outcome: 'timeout', ms: 4 });
  expect(telemetry.attempts).toHaveLength(7);
  expect(telemetry.lines.map(({ level, fields }) => ({ level, ...fields }))).toEqual([
    { level: 'error', provider: 'rpc-1', outcome: 'unexpected', ms: 5, error },
    { level: 'warn', provider: 'rpc-1', outcome: 'network', ms: 5, times: 1, reason: 'name not found' },
    { level: 'warn', provider: 'rpc-2', outcome: 'timeout', ms: 1, times: 1 },
    { level: 'warn', provider: 'rpc-2', outcome: 'timeout', ms: 4, times: 3 },
  ]);
});
