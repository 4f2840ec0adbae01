import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFrozenSystem } from '../../infra/local/frozen-system.ts';
import type { System } from '../../infra/local/system.ts';
import { useBrowser } from '../support/browser.ts';
import { recordingTelemetry } from '../support/telemetry.ts';

/** The dashboard of a service that answers from the archive of another one. */

const visit = useBrowser();

let frozen: System;
let block: { number: number; timestamp: number };

beforeAll(async () => {
  for (;;) {
    const { archives } = await visit.json('/archive');
    if (archives.length > 0) {
      const [{ manifest }] = archives;
      ({ block } = archives[0]);
      const options = { env: { PORT: '0' }, telemetry: recordingTelemetry(), onStep: () => {} };
      frozen = await startFrozenSystem(visit.url + manifest, options);
      return;
    }
    await sleep(250);
  }
});
afterAll(() => frozen.stop());

test('says since when the service is frozen, and shows its figures', async () => {
  visit.url = frozen.url;
  await visit.open('/dashboard');
  await visit.page.locator('#frozen').waitFor();
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const since = day.format(block.timestamp * 1_000);
  const text = await visit.page.locator('#frozen').textContent();
  expect(text).toContain(`This service is frozen. Everything is as it was on ${since}, at block ${block.number}`);
  await visit.page.locator('#figures[data-state=fresh]').waitFor();
});
