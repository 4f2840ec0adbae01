import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Answered } from '../../lib/api/endpoint.ts';

/** More than are asked for again within a second, the longest time for which a response stays the same. */
const MAX_KEPT = 100;

/**
 * Hits, which need not be made again while they stay the same: until `Age` counts on, or the body expires. Most of a hit's time is
 * that of its way through event and handler, whose code is out of the processor's caches after each request.
 */
export class KeptAnswers {
  readonly #kept = new Map<string, Required<Answered>>();

  /** The response to the same request, with all its headers, if it would be the same; with an ID of its own. */
  find(request: IncomingMessage): APIGatewayProxyResult | undefined {
    const kept = this.#kept.get(keyOf(request));
    if (!kept || Date.now() >= (kept.sameUntil ?? 0)) return undefined;
    const { result } = kept;
    return { ...result, headers: { ...result.headers, 'X-Request-Id': randomUUID() } };
  }

  /** The response itself, which is kept if it stays the same for a while. */
  keep(request: IncomingMessage, { result, sameUntil }: Answered): APIGatewayProxyResult {
    if (sameUntil !== undefined) {
      if (this.#kept.size === MAX_KEPT) this.#kept.clear();
      this.#kept.set(keyOf(request), { result, sameUntil });
    }
    return result;
  }
}

function keyOf({ method, url, rawHeaders }: IncomingMessage): string {
  return [method, url, ...rawHeaders].join('\n');
}
