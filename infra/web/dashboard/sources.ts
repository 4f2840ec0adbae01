import { useEffect, useReducer, useRef } from 'preact/hooks';
import { type Answer, ApiFailure, get } from './api.ts';

/**
 * Where the page's parts get their bodies from. A path is asked for once, however many parts show it, again every minute, and
 * sooner after a failure, for as long as something shows it: a part fails alone and heals alone. What is refused is not asked
 * again. When nothing shows a path any more, its request is abandoned, so that a late answer cannot stand under another question.
 */

export interface Loaded<Body> {
  body?: Body;
  /** Why the newest request failed. What was known before stays in `body`. */
  failure?: ApiFailure;
  /** True when the service itself goes on answering with its last good body. */
  stale: boolean;
  /** When the body was made, in milliseconds of this machine's clock. */
  madeAt: number;
  /** True while the body is the previous path's. */
  isPrevious?: boolean;
}

/** Most bodies stay fresh for a minute; the browser's own cache answers for those that stay fresh longer. */
const REFRESH_MS = 60_000;
/** After the first failure; doubled up to REFRESH_MS. */
const FIRST_RETRY_MS = 4_000;
/**
 * So many answers in a row tell that a source cannot be read. One tells only that somebody else refreshes it, and the next two, within
 * 12 seconds, may be the same one: a CDN keeps it for five seconds, and hands it out once more while it asks.
 */
const STALE_ANSWERS = 4;

const NOTHING: Loaded<never> = { stale: false, madeAt: 0 };

class Source {
  loaded: Loaded<unknown> = NOTHING;
  readonly watchers = new Set<() => void>();
  readonly #path: string;
  readonly #stopped = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Answers in a row that were none, or old. */
  #failures = 0;
  #isAsking = false;

  constructor(path: string) {
    this.#path = path;
  }

  async ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    clearTimeout(this.#timer);
    const { signal } = this.#stopped;
    try {
      // What the browser has kept would be the same again.
      const cache = this.#failures > 0 ? 'no-cache' : 'default';
      const { body, stale, ageSeconds }: Answer<unknown> = await get(this.#path, signal, cache);
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
    if (this.loaded.failure?.isRefusal) return;
    const wait = this.#failures === 0 ? REFRESH_MS : FIRST_RETRY_MS * 2 ** (this.#failures - 1);
    this.#timer = setTimeout(() => this.#askIfSeen(), Math.min(wait, REFRESH_MS));
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

function loadedFrom(path: string): Loaded<unknown> {
  return sources.get(path)?.loaded ?? NOTHING;
}

function watch(path: string, tell: () => void): () => void {
  const known = sources.get(path);
  const source = known ?? new Source(path);
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
  };
}

/**
 * What some paths answer, kept up to date. While the first answer of another path is awaited, the previous path's body stays if
 * both have the same `subject`: the same list, only longer.
 */
export function useAnswers<Body>(paths: readonly string[], subject = paths.join()): Loaded<Body>[] {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const last = useRef<{ subject: string; answers: Loaded<Body>[] }>(null);
  const answers = paths.map(loadedFrom) as Loaded<Body>[];
  useEffect(() => {
    const leave = paths.map((path) => watch(path, () => redraw(undefined)));
    // What another part has asked for may have come between the drawing and this.
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

/** The same for one path; nothing without one. */
export function useAnswer<Body>(path: string | undefined, subject = path): Loaded<Body> {
  return useAnswers<Body>(path === undefined ? [] : [path], subject)[0] ?? NOTHING;
}
