import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { useBrowser } from '../support/browser.ts';

/** How the dashboard asks the API. */

const visit = useBrowser();

/** How long the service takes here: long enough for all requests of a page to be sent. */
const RESPONSE_MS = 100;

/** Opens a page with a slow service. Returns the paths that it requests, in order, and how many ran at once at most. */
async function openSlowly(path: string): Promise<{ asked: string[]; most: number }> {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  await visit.page.route('**', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    asked.push(route.request().url().slice(visit.url.length));
    most = Math.max(most, ++running);
    await wait(RESPONSE_MS);
    const response = await route.fetch();
    running--;
    await route.fulfill({ response });
  });
  await visit.open(path);
  await visit.page.waitForLoadState('networkidle');
  return { asked, most };
}

test('at most four requests run at once, because a new AWS account runs few functions, and all are answered', async () => {
  const { asked, most } = await openSlowly('/dashboard');
  expect(asked.length).toBeGreaterThan(10);
  expect(most).toBe(4);
  expect(visit.complaints).toEqual([]);
});

test('what a visitor has looked up comes before the rest of the page', async () => {
  const [{ stakerAddr }] = (await visit.json('/stakers?limit=1')).stakers;
  const { asked } = await openSlowly(`/dashboard?address=${stakerAddr}`);
  const own = asked.filter((path) => path.includes(stakerAddr));
  expect(own.length).toBeGreaterThan(4);
  expect(asked.slice(0, 3).every((path) => own.includes(path))).toBe(true);
  // Some are only sent after the first have been answered, but not after the rest of the page.
  expect(asked.indexOf(`/rewards/${stakerAddr}`)).toBeLessThan(10);
  expect(asked.length).toBeGreaterThan(15);
});
