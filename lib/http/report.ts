import type { Telemetry } from '../telemetry.ts';

/** What is known of a request when its response is ready. */
interface Outcome {
  method: string;
  route: string;
  requestId: string;
  status: number;
  headers: Record<string, string>;
  ms: number;
}

const CACHE_METRICS = new Map([
  ['hit', 'CacheHit'],
  ['miss', 'CacheMiss'],
  ['stale', 'CacheStale'],
] as const);

/** Writes the request's one log line and its metrics. */
export function reportRequest(telemetry: Telemetry, { headers, ms, ...request }: Outcome): void {
  const cache = headers['X-Cache'] as 'hit' | 'miss' | 'stale' | undefined;
  const upstreamMs = Number(headers['Server-Timing']?.split('dur=')[1] ?? Number.NaN);
  const age = Number(headers.Age ?? Number.NaN);
  const headAge = (Date.now() - Date.parse(headers['Last-Modified'] ?? '')) / 1_000;

  // Neither the cache nor the source had an answer.
  const metric = request.status >= 500 ? 'CacheError' : cache && CACHE_METRICS.get(cache);
  if (metric) telemetry.count(metric);
  if (!Number.isNaN(age)) telemetry.record('ServedAge', age);
  if (!Number.isNaN(headAge)) telemetry.record('HeadAge', headAge);
  if (!Number.isNaN(upstreamMs)) telemetry.record('UpstreamMs', upstreamMs);
  telemetry.info('request', {
    ...request,
    cache,
    block: headers['X-Block-Number'],
    age: headers.Age,
    upstreamMs: Number.isNaN(upstreamMs) ? undefined : upstreamMs,
    ms: Math.round(ms * 10) / 10,
  });
  telemetry.flush();
}
