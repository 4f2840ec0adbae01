import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Cache } from '../../lib/cache/cache.ts';
import { TableStore } from '../../lib/cache/table.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { ENDPOINT_LIMITS } from '../../lib/runtime/context.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';

const CONTAINERS = 50;
const KEYS = 20;
const SECONDS = 60;
const FRESH_SECONDS = 5;
/** How long the source takes for a refresh. */
const SOURCE_MS = 60;
/** A container asks for a key this often: 50 containers make 1,000 requests a second. */
const REQUEST_EVERY_MS = 50;

/**
 * Containers that share nothing but a table ask for the same keys for a minute. Prints how often the source was read
 * per key while an entry was fresh (at most once, if the lease works), and how long requests took.
 */
export async function measureFleet(): Promise<void> {
  const reads = new Map<string, number>();
  const times: number[] = [];
  const end = Date.now() + SECONDS * 1_000;
  console.log(`${CONTAINERS} containers, ${KEYS} keys, fresh for ${FRESH_SECONDS} s, ${SECONDS} s …`);

  await Promise.all(
    Array.from({ length: CONTAINERS }, async () => {
      const cache = new Cache(
        'fleet',
        new TableStore(new DynamoDBClient({}), 'cache', terminalTelemetry, systemClock, ENDPOINT_LIMITS.cacheTableMs),
        terminalTelemetry,
      );
      while (Date.now() < end) {
        const key = `key-${Math.floor(Math.random() * KEYS)}`;
        const started = performance.now();
        await cache.get(key, { freshSeconds: FRESH_SECONDS }, async () => {
          reads.set(key, (reads.get(key) ?? 0) + 1);
          await pause(SOURCE_MS);
          return { body: `{"key":"${key}"}`, contentType: 'application/json' };
        });
        times.push(performance.now() - started);
        await pause(REQUEST_EVERY_MS);
      }
    }),
  );

  // An entry is fresh for 90 to 100 % of its nominal time: a minute holds at most this many of the shortest periods.
  const periods = Math.ceil(SECONDS / (FRESH_SECONDS * 0.9)) + 1;
  const perKey = [...reads.values()];
  times.sort((a, b) => a - b);
  console.log(`requests: ${times.length}, source reads: ${perKey.reduce((total, count) => total + count, 0)}`);
  console.log(
    `source reads per key: ${Math.min(...perKey)} to ${Math.max(...perKey)} in at most ${periods} periods of freshness`,
  );
  console.log(`most source reads per key and period of freshness: ${(Math.max(...perKey) / periods).toFixed(2)}`);
  console.log(`request latency: p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms, max ${at(times, 1)} ms`);
}

function at(sorted: readonly number[], part: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number).toFixed(2);
}
