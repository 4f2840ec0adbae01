/** Requests to the API, by relative URLs, because its path may begin with a stage. */

/** An error response, or the reason why there is no response. */
export class ApiFailure extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The least time before the next request, from `Retry-After`. */
  readonly retryAfterSeconds: number;

  constructor(status: number, message: string, retryAfterSeconds = 0) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True if the request is invalid, so that a retry makes no sense. */
  get isRefusal(): boolean {
    return this.status === 400;
  }
}

/** A response, and its age. */
interface Answer {
  body: unknown;
  /** True if the response is stale, because its source cannot be read or while it is being read. */
  stale: boolean;
  ageSeconds: number;
}

/** Longer than the API's own deadline of 10 s. */
const TIMEOUT_MS = 12_000;

/** Limit of concurrent requests. A new AWS account runs ten functions at once for all visitors, and refuses more. */
const MOST_AT_ONCE = 4;
let running = 0;
/** Requests that wait until fewer than {@link MOST_AT_ONCE} others are running. */
const waiting: { isAboutVisitor: boolean; start: () => void }[] = [];

/**
 * Runs `work` as soon as fewer than {@link MOST_AT_ONCE} others are running. Requests about the address or node that the
 * visitor has looked up come first.
 */
async function inTurn<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const { address, node } = Object.fromEntries(new URLSearchParams(location.search));
  const isAboutVisitor = [address, node].some((id) => id && path.includes(encodeURIComponent(id)));
  await new Promise<void>((start) => {
    waiting.push({ isAboutVisitor, start });
    // Not at once: parts of the page that are drawn together send their requests together.
    setTimeout(startNext);
  });
  try {
    return await work();
  } finally {
    running--;
    startNext();
  }
}

function startNext(): void {
  if (running >= MOST_AT_ONCE) return;
  const about = waiting.findIndex(({ isAboutVisitor }) => isAboutVisitor);
  const [next] = waiting.splice(Math.max(about, 0), 1);
  if (!next) return;
  running++;
  next.start();
}

/**
 * Requests a path such as `metrics/apy`; `cache` controls the browser's cache. Throws an {@link ApiFailure}, or the
 * reason with which `signal` was aborted.
 */
export function get(path: string, signal: AbortSignal, cache: RequestCache = 'default'): Promise<Answer> {
  return inTurn(path, () => ask(path, signal, cache));
}

async function ask(path: string, signal: AbortSignal, cache: RequestCache): Promise<Answer> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(path, { cache, signal: AbortSignal.any([signal, timeout.signal]) });
    // Also throws for a truncated body, and for a body that is not JSON: it comes from a proxy.
    const body = JSON.parse(await response.text());
    if (!response.ok) {
      const message = body.detail ?? 'The service is not available. Retrying…';
      // A proxy may send a date instead of seconds; it is ignored.
      throw new ApiFailure(response.status, message, Number(response.headers.get('Retry-After')) || 0);
    }
    return {
      body,
      // Not X-Cache, which CloudFront replaces with its own.
      stale: /\bdetail=stale\b/.test(response.headers.get('Cache-Status') ?? ''),
      ageSeconds: Number(response.headers.get('Age') ?? 0),
    };
  } catch (error) {
    if (signal.aborted || error instanceof ApiFailure) throw error;
    if (timeout.signal.aborted)
      throw new ApiFailure(0, `The service did not respond within ${TIMEOUT_MS / 1_000} seconds. Retrying…`);
    throw new ApiFailure(0, 'The service cannot be reached. Retrying…');
  } finally {
    clearTimeout(timer);
  }
}
