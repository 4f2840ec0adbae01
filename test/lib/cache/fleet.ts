import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, jest } from '@jest/globals';
import { Cache } from '../../../lib/cache/cache.ts';
import { TableStore } from '../../../lib/cache/table.ts';
import type { Clock } from '../../../lib/runtime/clock.ts';
import { readConfig } from '../../../lib/runtime/config.ts';
import { createContext, ENDPOINT_LIMITS } from '../../../lib/runtime/context.ts';
import type { Telemetry } from '../../../lib/runtime/telemetry.ts';
import type { encode } from '../../../lib/values/encoding.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { GUARD_MS } from '../../support/guard.ts';
import { type RecordingTelemetry, recordingTelemetry } from '../../support/telemetry.ts';
import { type MapTable, mapTable } from './map-table.ts';

export const SECOND = 1_000;
export const HOUR = 3_600_000;
/** Time in ms for which the other containers leave a key to the container that refreshes it. */
export const LEASE_MS = 4_500;

/** Containers that share a table (a map) and a clock that tests move by hand. */
interface Fleet {
  clock: TestClock;
  table: MapTable;
  telemetry: RecordingTelemetry;
  /** A new container, with nothing in memory. */
  container(): Cache;
  /** Puts an entry into the table that is fresh for this long. */
  put(key: string, body: Encoded, freshMs?: number): void;
  /** Has another container hold a lease. */
  holdLease(key: string): void;
}

type Encoded = ReturnType<typeof encode>;

/** A new fleet for each test, without random jitter. */
export function fleetForEachTest(): Fleet {
  const fleet = {
    container: () => new Cache('test', fleet.table, fleet.telemetry, fleet.clock),
    put(key, body, freshMs = 10_000) {
      const now = fleet.clock.now();
      fleet.table.items.set(key, {
        ...{ ...body, storedAt: now, freshUntil: now + freshMs },
        ...{ staleUntil: now + HOUR, maxAge: 10 },
      });
    },
    holdLease(key) {
      fleet.table.leases.set(key, { token: 'of another', until: fleet.clock.now() + LEASE_MS });
    },
  } as Fleet;
  beforeEach(() => {
    const clock = testClock();
    Object.assign(fleet, { clock, table: mapTable(clock), telemetry: recordingTelemetry() });
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return fleet;
}

/** The table of the environment, whose attempts may take so many ms. */
export function storeOf(
  client: DynamoDBClient,
  telemetry: Telemetry,
  clock: Clock,
  cacheTableMs = GUARD_MS,
): TableStore {
  const limits = { ...ENDPOINT_LIMITS, cacheTableMs };
  return new TableStore(client, createContext(readConfig(process.env), telemetry, { clock, limits }));
}
