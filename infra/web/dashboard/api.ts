/** The API, as a page of the same origin asks it: by relative links, because a stage's name may stand in front. */

/** What the API said no to, or why there is no answer at all. */
export class ApiFailure extends Error {
  /** HTTP status; 0 if nothing answered. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** Whether the request itself is wrong, so that the same one will be refused again. */
  get isRefusal(): boolean {
    return this.status === 400;
  }
}

/** An answer, and how old it is. */
export interface Answer<Body> {
  body: Body;
  /** True when the source could not be read and this is the last good body. */
  stale: boolean;
  ageSeconds: number;
}

/** Above the API's own deadline of 10 s: whoever has not answered by then will not. */
const TIMEOUT_MS = 12_000;

/**
 * Asks for a path such as `metrics/apy`; `cache` is what the browser's own may do. Throws an {@link ApiFailure}, or whatever `signal`
 * was aborted with.
 */
export async function get<Body>(
  path: string,
  signal: AbortSignal,
  cache: RequestCache = 'default',
): Promise<Answer<Body>> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(path, { cache, signal: AbortSignal.any([signal, timeout.signal]) });
    // A body that breaks off is no answer either; one that is not JSON comes from something in between.
    const body = JSON.parse(await response.text());
    if (!response.ok) throw new ApiFailure(response.status, body.detail ?? 'The service is not available. Retrying…');
    return {
      body,
      // Not X-Cache: CloudFront writes its own over the service's.
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
