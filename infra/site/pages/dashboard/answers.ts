/**
 * Responses of the API. A path is requested once for all components that use it, refreshed every minute while the page is
 * visible, and sooner after a failure, so cards fail and recover independently. Invalid requests are not repeated.
 */

import { useEffect, useReducer } from 'preact/hooks';
import type { Path } from './paths.ts';

export interface Answer<Body> {
  body?: Body;
  /** The failure of the latest request. `body` keeps the previous data. */
  failure?: Failure;
  stale: boolean;
  /** Time at which the body was generated, in milliseconds of this machine's clock. */
  madeAt: number;
}

interface Failure {
  /** HTTP status; 0 without a response. */
  status: number;
  message: string;
  retryAfterMs: number;
}

const NOTHING: Answer<never> = { stale: false, madeAt: 0 };
const REFRESH_MS = 60_000;
/** The delay after the first failure, doubled for each further one up to REFRESH_MS; longer if `Retry-After` is. */
const FIRST_RETRY_MS = 4_000;
/** Longer than any Retry-After of the API. A timer of more than 24 days would fire at once. */
const LONGEST_RETRY_MS = 3_600_000;
/** Longer than the API's own deadline of 10 s. */
const TIMEOUT_MS = 12_000;
/** Stale responses in a row that mean that a source cannot be read: a CDN may repeat the first one for some seconds. */
const STALE_ANSWERS = 4;

class Poller {
  answer: Answer<unknown> = NOTHING;
  readonly #path: string;
  readonly #watchers = new Set<() => void>();
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Failures and stale responses in a row. */
  #failures = 0;

  constructor(path: string) {
    this.#path = path;
  }

  watch(notify: () => void): () => void {
    this.#watchers.add(notify);
    if (this.#watchers.size === 1) {
      this.#stop = new AbortController();
      // Data of a view that was closed longer ago would be shown as current.
      if (Date.now() - this.answer.madeAt > REFRESH_MS) this.answer = NOTHING;
      void this.#refresh();
    }
    return () => {
      this.#watchers.delete(notify);
      if (this.#watchers.size > 0) return;
      this.#stop.abort();
      clearTimeout(this.#timer);
    };
  }

  async #refresh(): Promise<void> {
    const { signal } = this.#stop;
    if (document.visibilityState === 'hidden') {
      document.addEventListener('visibilitychange', () => void this.#refresh(), { once: true, signal });
      return;
    }
    const answer = await this.#request(signal);
    if (signal.aborted) return;
    this.answer = answer;
    for (const notify of this.#watchers) notify();
    const { failure } = answer;
    if (failure?.status === 400) return;
    const delay = this.#failures === 0 ? REFRESH_MS : FIRST_RETRY_MS * 2 ** (this.#failures - 1);
    const retryAfter = Math.min(failure?.retryAfterMs ?? 0, LONGEST_RETRY_MS);
    this.#timer = setTimeout(() => void this.#refresh(), Math.max(Math.min(delay, REFRESH_MS), retryAfter));
  }

  async #request(signal: AbortSignal): Promise<Answer<unknown>> {
    // After a stale response, the browser's cache would return the same one.
    const cache = this.#failures > 0 ? 'no-cache' : 'default';
    const fail = (failure: Failure) => {
      this.#failures++;
      return { ...this.answer, failure };
    };
    try {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(this.#path, { cache, signal: AbortSignal.any([signal, timeout]) });
      // Throws for a truncated body, and for one that is not JSON: it comes from a proxy.
      const body = JSON.parse(await response.text());
      const { status, headers, ok } = response;
      if (!ok) {
        const message = body.detail ?? 'The service is not available. Retrying…';
        return fail({ status, message, retryAfterMs: Number(headers.get('Retry-After')) * 1_000 || 0 });
      }
      // Not X-Cache, which CloudFront replaces with its own.
      const stale = /\bdetail=stale\b/.test(headers.get('Cache-Status') ?? '');
      this.#failures = stale ? this.#failures + 1 : 0;
      const madeAt = Date.now() - Number(headers.get('Age') ?? 0) * 1_000;
      return { body, stale: this.#failures >= STALE_ANSWERS, madeAt };
    } catch {
      return fail({ status: 0, message: 'The service cannot be reached. Retrying…', retryAfterMs: 0 });
    }
  }
}

const pollers = new Map<string, Poller>();

function pollerOf(path: string): Poller {
  const poller = pollers.get(path) ?? new Poller(path);
  pollers.set(path, poller);
  return poller;
}

/** The response to a path, kept up to date; nothing without a path. */
export function useAnswer<Body>(path: Path<Body> | undefined): Answer<Body> {
  return useAnswers(path === undefined ? [] : [path])[0] ?? NOTHING;
}

/** The response to each of several paths. */
export function useAnswers<Body>(paths: readonly Path<Body>[]): Answer<Body>[] {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    // A response may have arrived for another component between rendering and this effect.
    redraw(undefined);
    const ends = paths.map((path) => pollerOf(path).watch(() => redraw(undefined)));
    return () => {
      for (const end of ends) end();
    };
  }, [paths.join(' ')]);
  return paths.map((path) => pollerOf(path).answer as Answer<Body>);
}
