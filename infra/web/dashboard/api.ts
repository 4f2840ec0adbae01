/** The API, as a page of the same origin asks it: by relative links, because a stage's name may stand in front. */

/** What the API said no to, or why there is no answer at all. */
export class ApiFailure extends Error {
  /** HTTP status; 0 if nothing answered. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** An answer, and how old it is. */
export interface Answer<Body> {
  body: Body;
  /** True when the source could not be read and this is the last good body. */
  stale: boolean;
  ageSeconds: number;
}

/** Asks for a path such as `metrics/apy`. Throws an {@link ApiFailure}. */
export async function get<Body>(path: string, signal?: AbortSignal): Promise<Answer<Body>> {
  const response = await fetch(path, { ...(signal && { signal }) }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiFailure(0, 'The service does not answer.');
  });
  const body = await response.json().catch(() => undefined);
  if (!response.ok || body === undefined) {
    throw new ApiFailure(response.status, body?.detail ?? 'The service is not available.');
  }
  return {
    body,
    stale: response.headers.get('X-Cache') === 'stale',
    ageSeconds: Number(response.headers.get('Age') ?? 0),
  };
}
