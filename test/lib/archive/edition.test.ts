import { expect, test } from '@jest/globals';
import type { Services } from '../../../lib/api/services.ts';
import { readEdition } from '../../../lib/archive/edition.ts';
import type { Coverage } from '../../../lib/ledger/coverage.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { DAY, HOUR } from '../../../lib/values/durations.ts';
import { clockAt } from '../../support/clock.ts';

const MIDNIGHT = 1_795_132_800; // 2026-11-20

const COVERAGE: Coverage = {
  fromBlock: 1,
  toBlock: 9,
  toTimestamp: MIDNIGHT,
  sources: 2,
  complete: true,
  generation: 0,
};

/** A service whose first event was a day before midnight, and that has no point since. */
const service = {
  clock: clockAt(() => (MIDNIGHT + DAY) * 1_000),
  config: { network: NETWORKS.devnet, historyStart: MIDNIGHT - DAY, hourlyStart: MIDNIGHT + DAY },
  history: { timestamps: async () => [MIDNIGHT - DAY] },
  ledger: {
    progress: { latest: async () => ({ coverage: COVERAGE }) },
    async *pages() {
      yield [{ timestamp: MIDNIGHT - DAY }];
    },
  },
} as unknown as Services;

test.each([
  [2 * HOUR - 1, []],
  [2 * HOUR, ['1 of the daily points since 2026-11-19 are not recorded']],
])('%d s after midnight, an export lacks %j', async (seconds, missing) => {
  const edition = await readEdition(service, { number: 9, timestamp: MIDNIGHT + seconds }, 'abc');
  expect(edition).toEqual({
    ...{ network: 'devnet', chainId: 43_112, block: { number: 9, timestamp: MIDNIGHT + seconds }, commit: 'abc' },
    ...{ since: MIDNIGHT - DAY, madeOn: '2026-11-21', missing },
  });
});
