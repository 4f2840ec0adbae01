import { beforeEach, describe, expect, test } from '@jest/globals';
import { Failover, reportAttempt } from '../../../../lib/chain/upstream/failover.ts';
import {
  NoState,
  RpcTooLarge,
  StaleAnswer,
  Throttled,
  UpstreamFailure,
} from '../../../../lib/chain/upstream/failures.ts';
import { withDeadline } from '../../../../lib/runtime/deadline.ts';
import { ApiError } from '../../../../lib/runtime/errors.ts';
import { type TestClock, testClock } from '../../../support/clock.ts';
import { recordingTelemetry } from '../../../support/telemetry.ts';

const ATTEMPT_MS = 1_000;
const BUDGET_MS = 3_000;

let clock: TestClock;
let attempts: string[];
/** The time limit of each attempt, in order: `rpc-1 1000`. */
let limits: string[];

beforeEach(() => {
  clock = testClock();
  attempts = [];
  limits = [];
});

function failover(count: number): Failover {
  const urls = Array.from({ length: count }, (_, index) => `http://provider-${index + 1}`);
  const onAttempt = ({ provider, outcome }: { provider: string; outcome: string }) =>
    attempts.push(`${provider} ${outcome}`);
  return new Failover('rpc', urls, { attemptMs: ATTEMPT_MS, budgetMs: BUDGET_MS, onAttempt, clock });
}

type Behaviour = (timeoutMs: number) => Promise<string>;

const answers: Behaviour = async () => 'answer';
const fails: Behaviour = async () => {
  throw new UpstreamFailure('http_500');
};
const hangs: Behaviour = async (timeoutMs) => {
  clock.skip(timeoutMs);
  throw new UpstreamFailure('timeout');
};
const lacksState: Behaviour = async () => {
  throw new NoState();
};
const isTooLarge = (): Behaviour => async () => {
  throw new RpcTooLarge();
};
const lags =
  (headTime: number): Behaviour =>
  async () => {
    throw new StaleAnswer('lagging', `head ${headTime}`, headTime);
  };

/** A request to providers that behave like this, in the configured order. */
function request(to: Failover, ...behaviours: Behaviour[]): Promise<string> {
  return to.request((provider, timeoutMs) => {
    limits.push(`${provider.name} ${timeoutMs}`);
    return (behaviours[to.providers.indexOf(provider)] as Behaviour)(timeoutMs);
  });
}

const unavailable = {
  code: 'UPSTREAM_UNAVAILABLE',
  status: 503,
  message: 'The data source did not answer. Please try again shortly.',
  headers: { 'Retry-After': '5' },
};

describe('attempts', () => {
  test("have an attempt's time each, and the last one all that is left of the budget", async () => {
    await expect(request(failover(3), hangs, hangs, hangs)).rejects.toMatchObject(unavailable);
    expect(limits).toEqual(['rpc-1 1000', 'rpc-2 1000', 'rpc-3 1000']);
    clock.skip(60_000);
    limits = [];
    expect(await request(failover(2), fails, answers)).toBe('answer');
    expect(limits).toEqual(['rpc-1 1000', 'rpc-2 3000']);
  });

  test('give a slow provider without a penalty the time of those that have one', async () => {
    const two = failover(2);
    const slow: Behaviour = async (timeoutMs) => {
      if (timeoutMs < 1_040) return hangs(timeoutMs);
      clock.skip(1_040);
      return 'slow';
    };
    for (let request_ = 0; request_ < 3; request_++) expect(await request(two, hangs, slow)).toBe('slow');
    expect(limits).toEqual(['rpc-1 1000', 'rpc-2 2000', 'rpc-2 3000', 'rpc-2 3000']);
  });

  test('of a large request may take longer, within the budget', async () => {
    await expect(failover(2).request(async (_, timeoutMs) => timeoutMs, { size: 2.5 })).resolves.toBe(2_500);
    await expect(failover(2).request(async (_, timeoutMs) => timeoutMs, { size: 6 })).resolves.toBe(BUDGET_MS);
  });

  test('get no more time than is left of the budget, and none is made when nothing is left', async () => {
    const slow =
      (ms: number): Behaviour =>
      async () => {
        clock.skip(ms);
        throw new UpstreamFailure('http_500');
      };
    await expect(request(failover(4), hangs, hangs, slow(999), answers)).resolves.toBe('answer');
    expect(limits).toEqual(['rpc-1 1000', 'rpc-2 1000', 'rpc-3 1000', 'rpc-4 1']);
    limits = [];
    await expect(request(failover(4), hangs, hangs, slow(1_000), answers)).rejects.toMatchObject(unavailable);
    expect(limits).toEqual(['rpc-1 1000', 'rpc-2 1000', 'rpc-3 1000']);
  });

  test('that no provider answers because of their size throw RpcTooLarge, and are no outage', async () => {
    const two = failover(2);
    await expect(request(two, isTooLarge(), fails)).rejects.toThrow(RpcTooLarge);
    await expect(request(two, fails, isTooLarge())).rejects.toThrow(RpcTooLarge);
    expect(await request(two, answers, answers)).toBe('answer');
  });

  test('that may be divided are sent again after all providers have refused them', async () => {
    let isDivided = false;
    const divides: Behaviour = async () => {
      if (isDivided) return 'divided';
      isDivided = true;
      throw new RpcTooLarge({ mayDivide: true });
    };
    expect(await request(failover(2), divides, isTooLarge())).toBe('divided');
    expect(attempts).toEqual(['rpc-1 too_large', 'rpc-2 too_large', 'rpc-1 ok']);
  });

  test("that throw anything else are a provider's failure, and the next one is asked", async () => {
    const broken = async () => {
      throw new RangeError('a fault of our own');
    };
    const two = failover(2);
    expect(await request(two, broken, answers)).toBe('answer');
    expect(await request(two, broken, answers)).toBe('answer');
    expect(attempts).toEqual(['rpc-1 unexpected', 'rpc-2 ok', 'rpc-2 ok']);
    await expect(request(failover(2), broken, broken)).rejects.toMatchObject(unavailable);
  });

  test('report their duration in whole milliseconds', async () => {
    const reported: number[] = [];
    const timed = new Failover('rpc', ['http://one'], {
      attemptMs: ATTEMPT_MS,
      budgetMs: BUDGET_MS,
      onAttempt: ({ ms }) => reported.push(ms),
    });
    await timed.request(() => new Promise((resolve) => setTimeout(resolve, 30)));
    expect(Number.isInteger(reported[0])).toBe(true);
    expect(reported[0]).toBeGreaterThanOrEqual(29);
    // Microseconds would be more.
    expect(reported[0]).toBeLessThan(20_000);
  });
});

describe('a provider that has failed', () => {
  test('is tried last for 30 s', async () => {
    const three = failover(3);
    await request(three, fails, answers, answers);
    clock.skip(29_999);
    limits = [];
    await request(three, answers, fails, fails);
    expect(limits).toEqual(['rpc-2 1000', 'rpc-3 3000', 'rpc-1 3000']);
  });

  test('is first again after 30 s', async () => {
    const three = failover(3);
    await request(three, fails, answers, answers);
    clock.skip(30_000);
    limits = [];
    await request(three, answers, answers, answers);
    expect(limits).toEqual(['rpc-1 1000']);
  });

  test('is back in its place as soon as it has answered', async () => {
    const two = failover(2);
    await request(two, fails, answers);
    await request(two, answers, lacksState);
    limits = [];
    await request(two, answers, answers);
    expect(limits).toEqual(['rpc-1 1000']);
  });

  test('keeps its place among others that have failed', async () => {
    const three = failover(3);
    await request(three, fails, fails, answers);
    limits = [];
    await request(three, answers, answers, fails);
    expect(limits).toEqual(['rpc-3 3000', 'rpc-1 1000']);
  });

  test('is tried last for longer if the failure has a longer penalty', async () => {
    const two = failover(2);
    const wrong = async () => {
      throw new UpstreamFailure('wrong_chain', { penaltyMs: 100_000 });
    };
    await request(two, wrong, answers);
    clock.skip(99_999);
    limits = [];
    await request(two, answers, answers);
    expect(limits).toEqual(['rpc-2 3000']);
    clock.skip(1);
    await request(two, answers, answers);
    expect(limits).toEqual(['rpc-2 3000', 'rpc-1 1000']);
  });

  test('is not asked last for longer because the clock went back', async () => {
    const two = failover(2);
    await request(two, fails, answers);
    clock.skip(-3_600_000);
    limits = [];
    await request(two, answers, answers);
    expect(limits).toEqual(['rpc-1 1000']);
  });
});

describe('providers that share requests', () => {
  let waits: number[];
  const sharing = (...ms: number[]) => {
    waits = ms;
    const to: Failover = new Failover(
      'rpc',
      waits.map(() => 'http://provider'),
      {
        ...{ attemptMs: ATTEMPT_MS, budgetMs: BUDGET_MS, clock },
        onAttempt: ({ provider, outcome }) => attempts.push(`${provider} ${outcome}`),
        queueDelay: (provider) => waits[to.providers.indexOf(provider)] as number,
      },
    );
    return to;
  };
  const throttles: Behaviour = async () => {
    throw new Throttled('http_429');
  };

  test('are asked in the order of their waits, those that have failed last', async () => {
    const three = sharing(2, 1, 0);
    expect(await request(three, answers, answers, fails)).toBe('answer');
    await request(three, fails, fails, answers);
    expect(attempts).toEqual(['rpc-3 http_500', 'rpc-2 ok', 'rpc-2 http_500', 'rpc-1 http_500', 'rpc-3 ok']);
  });

  test('are asked in turn until one has no rate limit any more, without a budget', async () => {
    let refusals = 0;
    const recovers: Behaviour = async () => {
      clock.skip(BUDGET_MS);
      if (++refusals === 8) return 'answer';
      throw new Throttled('http_429');
    };
    expect(await request(sharing(0, 0), recovers, recovers)).toBe('answer');
    expect(attempts).toEqual(
      [...Array(3).fill(['rpc-1 http_429', 'rpc-2 http_429']), 'rpc-1 http_429', 'rpc-2 ok'].flat(),
    );
  });

  test('fail a request that they have refused ten times each', async () => {
    await expect(request(sharing(0, 0), throttles, throttles)).rejects.toMatchObject(unavailable);
    expect(attempts).toHaveLength(20);
  });

  test('are left out for 30 s without old states, and not at all for a refusal', async () => {
    const two = sharing(0, 0);
    await request(two, throttles, answers);
    await request(two, lacksState, answers);
    clock.skip(29_999);
    await request(two, answers, answers);
    clock.skip(1);
    await request(two, answers, answers);
    expect(attempts.filter((attempt) => !attempt.includes('http'))).toEqual([
      ...['rpc-2 ok', 'rpc-1 no_state', 'rpc-2 ok', 'rpc-2 ok', 'rpc-1 ok'],
    ]);
  });

  test('are not put right by an answer to what was asked before a failure', async () => {
    const two = sharing(0, 0);
    const { promise, resolve } = Promise.withResolvers<string>();
    const before = request(two, () => promise, answers);
    await request(two, fails, answers);
    resolve('late');
    expect(await before).toBe('late');
    await request(two, answers, answers);
    expect(attempts).toEqual(['rpc-1 http_500', 'rpc-2 ok', 'rpc-1 ok', 'rpc-2 ok']);
  });
});

describe('if no provider answers', () => {
  test('the error says when to retry, and its cause what happened, without a URL', async () => {
    const error = await request(failover(2), fails, hangs).catch((thrown: ApiError) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject(unavailable);
    const { cause } = error as ApiError & { cause: AggregateError };
    expect(cause.message).toBe('rpc: http_500, timeout');
    expect(cause.errors).toHaveLength(2);
    expect(JSON.stringify([error, cause.errors])).not.toContain('http://');
  });

  test('none is asked again for a second', async () => {
    const two = failover(2);
    await expect(request(two, fails, fails)).rejects.toMatchObject(unavailable);
    clock.skip(999);
    await expect(request(two, answers, answers)).rejects.toMatchObject(unavailable);
    expect(attempts).toHaveLength(2);
    clock.skip(1);
    expect(await request(two, answers, answers)).toBe('answer');
  });

  test('the freshest of the lagging answers is used', async () => {
    expect(await request(failover(3), lags(10), lags(30), lags(20))).toBe('head 30');
    expect(attempts).toEqual(['rpc-1 lagging', 'rpc-2 lagging', 'rpc-3 lagging']);
  });

  test('a lagging answer is used rather than none', async () => {
    expect(await request(failover(2), lags(10), fails)).toBe('head 10');
  });
});

describe('a provider that lacks a state', () => {
  test('does not count as an outage, even if the others fail', async () => {
    const two = failover(2);
    await expect(request(two, lacksState, lacksState)).rejects.toMatchObject(unavailable);
    expect(attempts).toEqual(['rpc-1 no_state', 'rpc-2 no_state']);
    await expect(request(two, lacksState, fails)).rejects.toMatchObject(unavailable);
    expect(await request(two, answers, answers)).toBe('answer');
  });

  test('is asked once more, a moment later, if it is the only one', async () => {
    const sole = failover(1);
    let asked = 0;
    const catchesUp: Behaviour = async () => {
      if (++asked === 1) throw new NoState();
      return 'answer';
    };
    const answered = request(sole, catchesUp);
    await clock.advance(249);
    expect(asked).toBe(1);
    await clock.advance(1);
    expect(await answered).toBe('answer');
    expect(attempts).toEqual(['rpc-1 no_state', 'rpc-1 ok']);
    expect(limits).toEqual(['rpc-1 3000', 'rpc-1 2750']);
  });

  test('is not asked a third time, even if it is the only one', async () => {
    const refused = expect(request(failover(1), lacksState)).rejects.toMatchObject(unavailable);
    await clock.advance(10_000);
    await refused;
    expect(attempts).toEqual(['rpc-1 no_state', 'rpc-1 no_state']);
  });

  test('is not asked again if the budget leaves no time, even if it is the only one', async () => {
    const slow: Behaviour = async () => {
      clock.skip(BUDGET_MS - 250);
      throw new NoState();
    };
    const refused = expect(request(failover(1), slow)).rejects.toMatchObject(unavailable);
    await clock.advance(1_000);
    await refused;
    expect(attempts).toEqual(['rpc-1 no_state']);
  });
});

describe('the report of an attempt', () => {
  test('counts it, and logs a warning if it failed, or a defect as such', () => {
    const telemetry = recordingTelemetry();
    const report = reportAttempt(telemetry, clock);
    report({ provider: 'rpc-1', outcome: 'ok', ms: 12 });
    report({ provider: 'rpc-2', outcome: 'timeout', ms: 1_000 });
    const error = new RangeError('a fault of our own');
    report({ provider: 'rpc-1', outcome: 'unexpected', ms: 5, error });
    const reason = 'name not found';
    report({ provider: 'rpc-1', outcome: 'network', ms: 5, reason });
    expect(telemetry.attempts).toEqual(['rpc-1 ok', 'rpc-2 timeout', 'rpc-1 unexpected', 'rpc-1 network']);
    const message = 'upstream attempt failed';
    expect(telemetry.lines).toEqual([
      { level: 'warn', message, fields: { provider: 'rpc-2', outcome: 'timeout', ms: 1_000, times: 1 } },
      { level: 'error', message, fields: { provider: 'rpc-1', outcome: 'unexpected', ms: 5, error } },
      { level: 'warn', message, fields: { provider: 'rpc-1', outcome: 'network', ms: 5, times: 1, reason } },
    ]);
  });
});

test('warnings of the same outcome of a provider come once a minute, with their number', () => {
  const telemetry = recordingTelemetry();
  const report = reportAttempt(telemetry, clock);
  const warnings = () => telemetry.lines.splice(0).map(({ fields }) => [fields.provider, fields.outcome, fields.times]);
  for (const provider of ['rpc-1', 'rpc-2', 'rpc-1', 'rpc-1']) report({ provider, outcome: 'http_429', ms: 1 });
  report({ provider: 'rpc-1', outcome: 'timeout', ms: 1_000 });
  expect(warnings()).toEqual([
    ['rpc-1', 'http_429', 1],
    ['rpc-2', 'http_429', 1],
    ['rpc-1', 'timeout', 1],
  ]);
  clock.skip(60_000);
  for (const provider of ['rpc-1', 'rpc-1']) report({ provider, outcome: 'http_429', ms: 1 });
  expect(warnings()).toEqual([['rpc-1', 'http_429', 3]]);
  expect(telemetry.attempts).toHaveLength(7);
});

describe("a request's deadline", () => {
  test('limits its attempts if it comes before the end of the budget', async () => {
    const within = (ms: number, work: () => Promise<string>) => withDeadline(clock.now() + ms, work);
    expect(await within(400, () => request(failover(2), answers, answers))).toBe('answer');
    expect(await within(1_400, () => request(failover(2), fails, answers))).toBe('answer');
    expect(await within(9_000, () => request(failover(1), answers))).toBe('answer');
    expect(limits).toEqual(['rpc-1 400', 'rpc-1 1000', 'rpc-2 1400', 'rpc-1 3000']);
  });

  test('cuts an attempt short without a penalty, and is not an outage', async () => {
    const two = failover(2);
    const late = withDeadline(clock.now() + 400, () => request(two, hangs, answers));
    await expect(late).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', status: 504 });
    expect(attempts).toEqual(['rpc-1 timeout']);
    expect(await request(two, answers, answers)).toBe('answer');
    expect(attempts).toEqual(['rpc-1 timeout', 'rpc-1 ok']);
  });

  test('does not spare a provider that had all its time', async () => {
    const two = failover(2);
    await withDeadline(clock.now() + 1_001, () => request(two, hangs, answers));
    limits = [];
    await request(two, answers, answers);
    expect(limits).toEqual(['rpc-2 3000']);
  });

  test('does not spare a provider that fails otherwise', async () => {
    const two = failover(2);
    const broken: Behaviour = async (timeoutMs) => {
      clock.skip(timeoutMs);
      throw new UpstreamFailure('http_500');
    };
    await expect(withDeadline(clock.now() + 400, () => request(two, broken, answers))).rejects.toThrow();
    limits = [];
    await request(two, answers, answers);
    expect(limits).toEqual(['rpc-2 3000']);
  });

  test('that has passed allows no attempt', async () => {
    const error = await withDeadline(clock.now(), () => request(failover(1), answers)).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(error.cause.message).toBe('rpc: no time left');
    expect(attempts).toEqual([]);
  });
});
