/** Files of a body. They cannot show what is missing, so none is made of what is not known yet. */

import type { Cached, Loaded } from '../cache/cache-entry.ts';
import { countBoundaries, type Interval } from '../history/series.ts';
import type { Coverage } from '../ledger/coverage.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { ApiError, badParameter, notKnownYet } from '../runtime/errors.ts';
import type { BlockRef } from '../values/block.ts';
import { decode } from '../values/encoding.ts';
import { isoDay, isoTime } from '../values/iso-time.ts';
import type { Endpoint, Format } from './definition.ts';
import type { Request } from './http/response.ts';
import { hasTemporaryGaps, REASONS, type Reason } from './reasons.ts';

/** Maximum number of rows of a file that is requested without `limit`; about as many take 4 MB. */
export const MAX_FILE_ROWS = 10_000;
/** Maximum bytes of an uncompressed list: well below Lambda's limit of a response, 6 MB. */
export const MAX_LIST_BYTES = 4_000_000;
/** Seconds that a file without rows may be behind the ledger: a cached body is up to five minutes old. */
const LATE_SECONDS = 600;

/** The parameters that mean the same to every endpoint that takes them. */
export type Parsed = { address?: unknown; format?: string; limit?: number; from?: number; to?: number; year?: number };

/** The time (unix seconds) up to which all, or each source, must be known. */
type Ends = ReturnType<NonNullable<Endpoint['validUntil']>>;

/** The fields of a body that describe the body itself. */
export interface Body {
  block?: BlockRef;
  nextCursor?: string;
  /** One coverage, or one for each source. */
  coverage?: Coverage | Record<string, Coverage | undefined>;
  reasons?: Record<string, Reason>;
  /** What is counted in no row. */
  undated?: { from: number; before: number }[];
  /** Recorded points, oldest first; how many the range or page lacks; and the end of the range. */
  points?: { timestamp: number }[];
  missing?: number;
  interval?: Interval;
  to?: number;
}

/** The coverages of a body by source; a single one has no name. */
export function coveragesOf({ coverage = {} }: Body): [source: string, coverage: Coverage][] {
  if ('toBlock' in coverage) return [['', coverage as Coverage]];
  return Object.entries(coverage).flatMap(([source, known]) => (known ? [[source, known]] : []));
}

/** A file of a cached body, as fresh as the body. Throws like {@link requireKnown}, and INVALID_REQUEST if it is too long. */
export async function writeFile(
  endpoint: Endpoint,
  { contentType, write, rows = '' }: Format,
  input: Parsed,
  { hasAllRows, answer, context }: { hasAllRows: boolean; answer: Cached; context: LedgerContext },
): Promise<Loaded> {
  const body = JSON.parse(decode(answer.entry).toString());
  const isEmpty = body[rows]?.length === 0 && input.limit !== 0;
  await requireKnown(body, isEmpty, input.to, endpoint.validUntil?.(input), context);
  const text = write?.(body as never, input as never, endpoint.response()) ?? '';
  const { block, maxAge, next } = answer.entry;
  if (hasAllRows && (next || Buffer.byteLength(text) > MAX_LIST_BYTES)) {
    throw badParameter('limit', 'is required: the rows do not fit in one file. Page with limit and cursor');
  }
  return { body: text, contentType, block, freshSeconds: maxAge, next, sources: [answer] };
}

/**
 * Throws NOT_KNOWN_YET if a file would lack anything up to the end of its range or, without an end, anything but what is
 * later than its last row: while earlier events or days are missing, too few providers answer, or the figures are in
 * doubt. A file without rows must be known up to now. `ends` is for a range up to `to` (unix seconds). Throws
 * UPSTREAM_UNAVAILABLE if a source does not answer.
 */
async function requireKnown(
  body: Body,
  isEmpty: boolean,
  to: number | undefined,
  ends: Ends,
  { ledger }: LedgerContext,
) {
  if (hasTemporaryGaps(body)) throw new ApiError('UPSTREAM_UNAVAILABLE', toDetail('Some data is not available now'));
  const refuse = (cause: string, until?: number): never => {
    throw notKnownYet(toDetail(cause), until);
  };
  const { nextCursor, points, undated: [undated] = [] } = body;
  if (undated) {
    const days = `from ${isoDay(undated.from)} to ${isoDay(undated.before - 1)}`;
    refuse(`The growth ${days} is not known by day or year`, undated.from);
  }
  const gap = Object.values(body.reasons ?? {}).find((reason) => reason !== 'NO_PRICE');
  const coverages = coveragesOf(body);
  const endOf = (source: string) => (typeof ends === 'object' ? ends[source] : ends) ?? 0;
  if (coverages.length > 0) {
    const { coverage: latest, disputed, waitingSince } = await ledger.progress.latest();
    const wanted = to ?? Number.POSITIVE_INFINITY;
    const least = isEmpty ? Math.min(wanted, latest.toTimestamp - LATE_SECONDS) : 0;
    for (const [source, { complete, toTimestamp }] of coverages) {
      if (!complete) refuse('Earlier events are not indexed yet');
      if (toTimestamp < Math.max(endOf(source), least)) refuse(toKnown(toTimestamp, source), toTimestamp);
    }
    const isStopped = disputed !== undefined || waitingSince !== undefined;
    if (isStopped && wanted > latest.toTimestamp)
      refuse(`Indexing waits: ${toKnown(latest.toTimestamp)}`, latest.toTimestamp);
  }
  const [first] = coverages.map(([, { toTimestamp }]) => toTimestamp).sort((a, b) => a - b);
  if (gap) refuse(`Not known yet: ${REASONS[gap]}`, first);
  const last = points?.at(-1)?.timestamp;
  if (points && (isEmpty || (!nextCursor && (last ?? 0) < endOf('')))) refuse(toKnown(last), last);
  const { missing = 0, interval, to: end = 0 } = body;
  const later = interval && last && !nextCursor ? countBoundaries(interval, last + 1, end) : 0;
  if (last && missing > later) refuse(`${missing - later} points of this range are not recorded yet`);
}

function toKnown(time: number | undefined, source = ''): string {
  const until = time ? `known up to ${isoTime(time)} only` : 'not recorded yet';
  return source ? `Income from ${source} is ${until}` : `Events and prices are ${until}`;
}

function toDetail(cause: string): string {
  return `${cause}, which a file could not show. Try again later, or choose another period: the page and JSON show what is known.`;
}

/**
 * The name of a downloaded file: `prices-tj-history.csv` for `/prices/tj/history`. The number of addresses and the requested
 * period are part of it: `…-3-addresses-2026.csv`, `…-from-2026-01-01-to-2026-12-31.csv`.
 */
export function fileNameOf({ path }: Endpoint, { extension = 'csv', suffix }: Format, request: Request, asked: Parsed) {
  const filled = path.replace(/\.\w+$/, '').replace(/\{(\w+)\}/g, (_, name: string) => request.params[name] ?? '');
  const { address, year, from, to } = asked;
  const parts = [
    ...(filled.match(/\w+/g) ?? []),
    Array.isArray(address) && `${address.length}-addresses`,
    year,
    from !== undefined && `from-${isoDay(from)}`,
    to !== undefined && `to-${isoDay(to)}`,
    suffix?.(asked as never),
  ];
  return `${parts.filter((part) => part).join('-')}.${extension}`;
}
