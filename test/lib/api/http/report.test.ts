import { describe, expect, test } from '@jest/globals';
import { reportRequest } from '../../../../lib/api/endpoint.ts';
import { recordingTelemetry } from '../../../support/telemetry.ts';

const NOW = 1_790_000_000_000;
const REQUEST = { method: 'GET', route: '/metrics', requestId: 'request-1', status: 200, ms: 3.06 };

function report(outcome: Partial<Parameters<typeof reportRequest>[1]>) {
  const telemetry = recordingTelemetry();
  reportRequest(telemetry, { ...REQUEST, ...outcome });
  return telemetry;
}

describe('the report of a request', () => {
  test('is one log line, and metrics', () => {
    const block = { number: 7, timestamp: NOW / 1_000 - 90 };
    const served = { cache: 'miss', age: 12, block, loadMs: 45.678 } as const;
    const { lines, counts, records, flushes } = report({ served });
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'request',
        fields: {
          method: 'GET',
          route: '/metrics',
          requestId: 'request-1',
          status: 200,
          cache: 'miss',
          block: 7,
          age: 12,
          upstreamMs: 45.7,
          ms: 3.1,
        },
      },
    ]);
    expect([counts, records, flushes]).toEqual([[], [], 1]);
  });

  test('of a stale response records its age', () => {
    const block = { number: 7, timestamp: NOW / 1_000 - 3_000 };
    expect(report({ served: { cache: 'stale', age: 3_000, block } }).records).toEqual([['ServedAge', 3_000]]);
  });

  test.each([200, 304, 404, 500, 502, 503, 504])(
    'of a %d that did not come from the cache counts nothing',
    (status) => {
      expect(report({ status })).toMatchObject({ counts: [], records: [] });
    },
  );

  test('of a request that no source could answer counts an error', () => {
    expect(report({ status: 503, unanswered: true })).toMatchObject({ counts: ['CacheError'], records: [] });
  });
});
