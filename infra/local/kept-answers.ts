import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** `Age` counts seconds: a response that is kept for one is off by no more than that. */
const KEPT_MS = 1_000;
/** More than are asked for again within a second. */
const MAX_KEPT = 100;

/**
 * Hits of the cache, for a second. Most of a hit's time is that of its way through event and handler, whose code is out
 * of the processor's caches after each request.
 */
export class KeptAnswers {
  readonly #kept = new Map<string, { result: APIGatewayProxyResult; until: number }>();

  /** The response to the same request a moment ago, with an ID of its own. */
  find(request: IncomingMessage): APIGatewayProxyResult | undefined {
    const kept = this.#kept.get(keyOf(request));
    if (!kept || Date.now() >= kept.until) return undefined;
    const { result } = kept;
    return { ...result, headers: { ...result.headers, 'X-Request-Id': randomUUID() } };
  }

  /** The response itself, which is kept if it is a hit. */
  keep(request: IncomingMessage, result: APIGatewayProxyResult): APIGatewayProxyResult {
    if (result.headers?.['X-Cache'] === 'hit') {
      if (this.#kept.size === MAX_KEPT) this.#kept.clear();
      this.#kept.set(keyOf(request), { result, until: Date.now() + KEPT_MS });
    }
    return result;
  }
}

function keyOf({ method, url, rawHeaders }: IncomingMessage): string {
  return [method, url, ...rawHeaders].join('\n');
}
