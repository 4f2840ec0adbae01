import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { useBrowser } from '../support/browser.ts';

/** How the dashboard asks the API. */

const visit = useBrowser();

/** How long the service takes here: long enough for all requests of a page to be sent. */
const RESPONSE_MS = 100;

test('at most four requests run at once, because a new AWS account runs few functions, and all are answered', async () => {
  const counts = { all: 0, running: 0, most: 0 };
  await visit.page.route('**', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    counts.all++;
    counts.running++;
    counts.most = Math.max(counts.most, counts.running);
    await wait(RESPONSE_MS);
    const response = await route.fetch();
    counts.running--;
    await route.fulfill({ response });
  });
  await visit.open('/dashboard');
  await visit.page.waitForLoadState('networkidle');
  expect(counts.all).toBeGreaterThan(10);
  expect(counts.most).toBe(4);
  expect(visit.complaints).toEqual([]);
});
