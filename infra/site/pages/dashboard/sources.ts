/**
 * Loads the data for the page. A path is requested once for all components that use it. It is refreshed every minute,
 * and sooner after a failure, while a component uses it, so cards fail and recover independently. Invalid requests are
 * not repeated. When no component uses a path any more, its request is aborted. Its data is kept for a minute, so that
 * the Back button shows it at once, at the same place of the page.
 */

import { useEffect, useReducer, useRef } from 'preact/hooks';
import { ApiFailure, get } from './api.ts';
import type { Path } from './paths.ts';

export interface Loaded<Body> {
  body?: Body;
  /** The failure of the latest request. `body` keeps the previous data. */
  failure?: ApiFailure;
  /** True if the service keeps returning stale responses. */
  stale: boolean;
  /** Time at which the body was generated, in milliseconds of this machine's clock. */
  madeAt: number;
  /** True while the body is still that of the previous path. */
  isPrevious?: boolean;
}

/** Most responses stay fresh for a minute; the browser's cache serves those that stay fresh longer. */
const REFRESH_MS = 60_000;
/** The delay after the first failure, doubled for each further one up to REFRESH_MS; longer if `Retry-After` is. */
const FIRST_RETRY_MS = 4_000;
/** Longer than any Retry-After of the API. Without a limit, a timer of more than 24 days would fire at once. */
const LONGEST_RETRY_MS = 3_600_000;
/** Time in ms for which data is kept of a path that no component uses. */
const KEPT_MS = 60_000;
/**
 * Number of stale responses in a row that mean that a source cannot be read. The first may only mean that another
 * request is refreshing it. The next two, within 12 seconds, may be the same response: a CDN caches it for five seconds,
 * and serves it once more while it revalidates.
 */
const STALE_ANSWERS = 4;

const NOTHING: Loaded<never> = { stale: false, madeAt: 0 };

class Source {
  loaded: Loaded<unknown>;
  readonly watchers = new Set<() => void>();
  readonly #path: string;
  readonly #stopped = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Failures and stale responses in a row. */
  #failures = 0;
  #isAsking = false;

  constructor(path: string, loaded: Loaded<unknown>) {
    this.#path = path;
    this.loaded = loaded;
  }

  async ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    clearTimeout(this.#timer);
    const { signal } = this.#stopped;
    try {
      // The browser's cache would return the same stale response again.
      const cache = this.#failures > 0 ? 'no-cache' : 'default';
      const { body, stale, ageSeconds } = await get(this.#path, signal, cache);
      this.#failures = stale ? this.#failures + 1 : 0;
      this.loaded = { body, stale: this.#failures >= STALE_ANSWERS, madeAt: Date.now() - ageSeconds * 1_000 };
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiFailure)) throw error;
      this.loaded = { ...this.loaded, failure: error };
      this.#failures++;
    } finally {
      this.#isAsking = false;
    }
    for (const tell of this.watchers) tell();
    const { failure } = this.loaded;
    if (failure?.isRefusal) return;
    const wait = this.#failures === 0 ? REFRESH_MS : FIRST_RETRY_MS * 2 ** (this.#failures - 1);
    const leastWait = Math.min((failure?.retryAfterSeconds ?? 0) * 1_000, LONGEST_RETRY_MS);
    this.#timer = setTimeout(() => this.#askIfSeen(), Math.max(Math.min(wait, REFRESH_MS), leastWait));
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
  }

  #askIfSeen(): void {
    if (document.visibilityState === 'visible') void this.ask();
    else
      document.addEventListener('visibilitychange', () => void this.ask(), {
        once: true,
        signal: this.#stopped.signal,
      });
  }
}

const sources = new Map<string, Source>();
const kept = new Map<string, Loaded<unknown>>();

function loadedFrom(path: string): Loaded<unknown> {
  return sources.get(path)?.loaded ?? kept.get(path) ?? NOTHING;
}

function watch(path: string, tell: () => void): () => void {
  const known = sources.get(path);
  const source = known ?? new Source(path, loadedFrom(path));
  source.watchers.add(tell);
  if (!known) {
    sources.set(path, source);
    void source.ask();
  }
  return () => {
    source.watchers.delete(tell);
    if (source.watchers.size > 0) return;
    source.stop();
    sources.delete(path);
    keep(path, source.loaded);
  };
}

/** Keeps data of a path for a minute. */
export function keep(path: string, loaded: Loaded<unknown>): void {
  kept.set(path, loaded);
  setTimeout(() => {
    // Newer data has a timer of its own.
    if (kept.get(path) === loaded) kept.delete(path);
  }, KEPT_MS);
}

/**
 * The responses of some paths, kept up to date. While new paths are loading, the data of the previous ones stays if
 * both have the same `subject`, for example if only the length of a list changes.
 */
export function useAnswers<Body>(paths: readonly Path<Body>[], subject = paths.join()): Loaded<Body>[] {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const last = useRef<{ subject: string; answers: Loaded<Body>[] }>(null);
  const answers = paths.map(loadedFrom) as Loaded<Body>[];
  useEffect(() => {
    const leave = paths.map((path) => watch(path, () => redraw(undefined)));
    // A response may have arrived for another component between rendering and this effect.
    if (paths.some((path, index) => loadedFrom(path) !== answers[index])) redraw(undefined);
    return () => {
      for (const stop of leave) stop();
    };
  }, [paths.join()]);
  if (answers.every(({ body }) => body !== undefined)) last.current = { subject, answers };
  else if (last.current?.subject === subject) {
    const failure = answers.find((answer) => answer.failure)?.failure;
    return last.current.answers.map((answer) => ({ ...answer, ...(failure && { failure }), isPrevious: true }));
  }
  return answers;
}

/** The response of one path; nothing without a path. */
export function useAnswer<Body>(path: Path<Body> | undefined, subject: string | undefined = path): Loaded<Body> {
  return useAnswers(path === undefined ? [] : [path], subject)[0] ?? NOTHING;
}
