import { toTenths } from '../../runtime/clock.ts';
import type { Telemetry } from '../../runtime/telemetry.ts';
import type { Response } from './message.ts';

interface Outcome extends Pick<Response, 'served' | 'unanswered' | 'status'> {
  method: string;
  route: string;
  requestId: string;
  ms: number;
}

export function reportRequest(telemetry: Telemetry, { served, unanswered, ms, ...request }: Outcome): void {
  if (unanswered) telemetry.count('CacheError');
  // Fresh bodies may be an hour old, too: only the age of a stale one shows that its source is failing.
  if (served?.cache === 'stale') telemetry.record('ServedAge', served.age);
  telemetry.info('request', {
    ...request,
    cache: served?.cache,
    block: served?.block?.number,
    age: served?.age,
    upstreamMs: served?.loadMs && toTenths(served.loadMs),
    ms: toTenths(ms),
  });
  telemetry.flush();
}
