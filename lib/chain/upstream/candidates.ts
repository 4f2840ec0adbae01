import type { Clock } from '../../runtime/clock.ts';
import { deadline, deadlineExceeded } from '../../runtime/deadline.ts';
import { sourceUnavailable } from '../../runtime/errors.ts';
import type { Telemetry } from '../../runtime/telemetry.ts';
import { PENALTY_MS, RpcTooLarge, StaleAnswer, UpstreamFailure } from './failures.ts';
import { Provider } from './provider.ts';

/** Pause in ms before providers are asked again for a state that none had: about the time a node needs to catch up. */
export const CATCH_UP_MS = 250;
/** Minimum time in ms between two equal warnings. */
const WARNING_MS = 60_000;
const FAILED = 'upstream attempt failed';
/** Their cause is the service's own text. Others may quote what a provider has sent. */
const EXPLAINED = ['network', 'wrong_chain'];

export interface Attempt {
  provider: string;
  outcome: string;
  ms: number;
  /** Of the outcomes that are {@link EXPLAINED}. */
  reason?: string;
  /** The error of an `unexpected` outcome: a defect of this service, or an answer of an unknown form. */
  error?: unknown;
}

export interface FailoverOptions {
  /** Time in ms after which the next provider is asked, too (client), or instead (background). */
  attemptMs: number;
  /** Time limit of each provider's answer in ms. */
  budgetMs: number;
  onAttempt: (attempt: Attempt) => void;
  clock: Clock;
}

/** Sends a request to a provider. Any error that it throws counts as the provider's failure. */
export type Send<T> = (provider: Provider, timeoutMs: number) => Promise<T>;

export interface Failed {
  provider: Provider;
  failure: UpstreamFailure;
}

/** An attempt that runs. `isLate` reports and penalises it as timed out, although its answer is still awaited. */
export interface Running<T> {
  outcome: Promise<{ answer: T } | Failed>;
  isLate(): void;
}

/** The providers of an upstream, with the memory of their failures. A provider that has failed is asked last for 30 s. */
export abstract class Failover {
  readonly providers: readonly Provider[];
  protected readonly options: FailoverOptions;
  protected readonly clock: Clock;
  readonly #what: string;
  readonly #penalties = new Map<Provider, { until: number; attempt: number }>();
  #attempts = 0;

  /** `what` names the upstream in errors and prefixes the providers' names: `rpc` gives `rpc-1`, `rpc-2`. */
  constructor(what: string, providers: readonly (string | Provider)[], options: FailoverOptions) {
    this.#what = what;
    this.options = options;
    this.clock = options.clock;
    this.providers = providers.map((provider, index) =>
      typeof provider === 'string' ? new Provider(`${what}-${index + 1}`, provider, this.clock) : provider,
    );
  }

  /**
   * The answer of one of the providers. Throws {@link RpcTooLarge} if the request is too large for a provider and no
   * other one answers, DEADLINE_EXCEEDED if it ran out of time, and otherwise UPSTREAM_UNAVAILABLE, whose cause holds
   * every failure. `size` multiplies the time of an attempt.
   */
  abstract request<T>(send: Send<T>, size?: number): Promise<T>;

  /** The providers in the configured order, or in that of `compare`, with the penalised ones last. */
  protected inOrder(compare: (a: Provider, b: Provider) => number = () => 0): Provider[] {
    const rank = (provider: Provider) => Number((this.#penalties.get(provider)?.until ?? 0) > this.clock.now());
    return this.providers.toSorted((a, b) => rank(a) - rank(b) || compare(a, b));
  }

  /** Starts an attempt. `penaltyOf` is the penalty of its failure in ms. */
  protected start<T>(
    provider: Provider,
    timeoutMs: number,
    send: Send<T>,
    penaltyOf = (failure: UpstreamFailure) => failure.penaltyMs,
  ): Running<T> {
    const attempt = ++this.#attempts;
    const started = performance.now();
    let isLate = false;
    const report = (outcome: string, details: Pick<Attempt, 'reason' | 'error'> = {}) =>
      this.options.onAttempt({
        provider: provider.name,
        outcome,
        ms: Math.round(performance.now() - started),
        ...details,
      });
    const answered = (answer: T) => {
      // The answer does not lift the penalty of a request that was sent later.
      if ((this.#penalties.get(provider)?.attempt ?? 0) <= attempt) this.#penalties.delete(provider);
      report('ok');
      return { answer };
    };
    const failed = (error: unknown) => {
      const isExpected = error instanceof UpstreamFailure;
      const failure = isExpected ? error : new UpstreamFailure('unexpected', { cause: error });
      const { outcome, cause } = failure;
      if (isLate && outcome === 'timeout') return { provider, failure };
      // A provider is not to blame for an attempt that the request's own deadline cut short.
      const isCut = outcome === 'timeout' && this.clock.now() >= deadline();
      this.#penalise(provider, attempt, isCut ? 0 : penaltyOf(failure));
      if (EXPLAINED.includes(outcome) && cause instanceof Error) report(outcome, { reason: cause.message });
      else report(outcome, isExpected ? {} : { error });
      return { provider, failure };
    };
    return {
      outcome: send(provider, timeoutMs).then(answered, failed),
      isLate: () => {
        if (isLate) return;
        isLate = true;
        this.#penalise(provider, attempt, PENALTY_MS);
        report('timeout');
      },
    };
  }

  #penalise(provider: Provider, attempt: number, ms: number): void {
    if (ms === 0) return;
    const until = Math.max(this.#penalties.get(provider)?.until ?? 0, this.clock.now() + ms);
    this.#penalties.set(provider, { until, attempt });
  }

  /** The freshest stale answer among the failures of a request. Throws the request's error if there is none. */
  protected settle<T>(failed: readonly Failed[]): T {
    const failures = failed.map(({ failure }) => failure);
    const [freshest] = failures
      .filter((failure) => failure instanceof StaleAnswer)
      .sort((a, b) => b.headTime - a.headTime);
    if (freshest) return freshest.answer as T;
    const outcomes = failures.map(({ outcome }) => outcome).join(', ');
    const cause = new AggregateError(failures, `${this.#what}: ${outcomes || 'no time left'}`);
    if (this.clock.now() >= deadline()) throw deadlineExceeded({ cause });
    const tooLarge = failures.find((failure) => failure instanceof RpcTooLarge);
    if (tooLarge) throw tooLarge;
    throw sourceUnavailable({ cause });
  }
}

/** Counts every attempt, and warns of failed ones: once a minute for each outcome of a provider, with the number of `times`. */
export function reportAttempt(telemetry: Telemetry, clock: Clock): (attempt: Attempt) => void {
  const warned = new Map<string, { at: number; unsaid: number }>();
  return ({ provider, outcome, ms, reason, error }) => {
    telemetry.attempt(provider, outcome);
    if (error) telemetry.error(FAILED, { provider, outcome, ms, error });
    if (error || outcome === 'ok') return;
    const kind = `${provider} ${outcome}`;
    const { at, unsaid } = warned.get(kind) ?? { at: Number.NEGATIVE_INFINITY, unsaid: 0 };
    const isDue = clock.now() - at >= WARNING_MS;
    warned.set(kind, isDue ? { at: clock.now(), unsaid: 0 } : { at, unsaid: unsaid + 1 });
    if (isDue) telemetry.warn(FAILED, { provider, outcome, ms, times: unsaid + 1, ...(reason && { reason }) });
  };
}
