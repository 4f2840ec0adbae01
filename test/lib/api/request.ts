import type { Request } from '../../../lib/api/http/response.ts';

/** A request as handlers see it, with nothing in it but this. */
export function requestWith(parts: Partial<Request> = {}): Request {
  return { method: 'GET', url: '/', path: '/', headers: {}, params: {}, query: {}, ...parts };
}
