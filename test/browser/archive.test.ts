import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ARCHIVED_LISTS, type Bodies } from '../../functions/index.ts';
import { writeWebsite } from '../../infra/archive-site/website.ts';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { serveArchive } from '../../infra/local/archive-folder.ts';
import { exportArchive } from '../../lib/archive/export.ts';
import { listSources } from '../../lib/archive/lists.ts';
import { readManifest } from '../../lib/archive/verify-files.ts';
import { accessibilityFaults, useBrowser } from '../support/browser.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The website of an archive, after the protocol's end and without a network. */

const visit = useBrowser();
const AFTER_THE_END = new Date('2027-01-02T12:00:00Z');

let folder: string;
let server: LocalServer;
/** An address with income in 2026. */
let address: string;

beforeAll(async () => {
  folder = join(temporaryFolder('website'), 'archive');
  // The tables of the service that the pages are tested with.
  const { opened } = startOnDevnet({ CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' });
  await exportArchive(opened, folder, 'c0ffee', {
    moreSources: (block) => listSources(opened, block, ARCHIVED_LISTS),
    moreFiles: (made, kinds) => writeWebsite(opened, made, kinds),
  });
  address = readdirSync(join(folder, 'tax'))[0] as string;
  server = await serveArchive(folder, '0');
  visit.url = server.url;
});
afterAll(() => server.stop());
beforeEach(async () => {
  await visit.page.clock.setFixedTime(AFTER_THE_END);
});

const textOf = async () => (await visit.page.locator('main').textContent()) ?? '';

test('a holder finds the file of their income in three steps', async () => {
  const { page } = visit;
  await page.goto(`${visit.url}/index.html`);
  await page.getByLabel('Your address, or the node of a minipool').fill(address.toUpperCase().replace('0X', '0x'));
  await page.getByRole('button', { name: 'Find' }).click();
  const file = page.getByRole('link', { name: 'CSV', exact: true });
  const [download] = await Promise.all([page.waitForEvent('download'), file.click()]);
  const saved = readFileSync(await download.path(), 'utf8');
  expect(saved).toBe(readFileSync(join(folder, 'tax', address, '2026-events.csv'), 'utf8'));
  expect(saved).toMatch(/^timestamp,.*source,amount,/);
  expect(visit.complaints).toEqual([]);
});

test('every page says that it is a copy, of which day and block, and nothing of now', async () => {
  const { block } = readManifest(folder);
  for (const path of ['index.html', `address/${address}.html`, `node/${readdirSync(join(folder, 'node'))[0]}`]) {
    await visit.page.goto(`${visit.url}/${path}`);
    const text = await textOf();
    expect(text).toContain(`at block ${block.number}`);
    expect(text).toContain('Ask the contracts before you send a transaction.');
    expect(text).not.toMatch(/\b(now|currently|at the moment)\b/i);
  }
});

test('the main figures are there without JavaScript, and from a folder', async () => {
  await visit.reopen({ javaScriptEnabled: false, offline: true });
  await visit.page.goto(pathToFileURL(join(folder, 'index.html')).href);
  const metrics: Bodies['/metrics'] = JSON.parse(readFileSync(join(folder, 'api/metrics.json'), 'utf8'));
  expect(await textOf()).toContain(String(metrics.minipool_count));
  await visit.page.getByRole('link', { name: address.slice(0, 3), exact: true }).click();
  await visit.page.getByRole('link', { name: address }).click();
  expect(await textOf()).toMatch(/Income by year|Growth of ggAVAX|GGP rewards|Minipools/);
});

test('an unknown address is told so', async () => {
  await visit.page.goto(`${visit.url}/`);
  await visit.page.getByLabel('Your address').fill(`0x${'ab'.repeat(20)}`);
  await visit.page.getByRole('button', { name: 'Find' }).click();
  await visit.page.getByText('This address appears in no event of the protocol').waitFor();
});

test.each([
  [390, 'dark'],
  [1280, 'light'],
] as const)('pages of %i pixels fit, and have no accessibility faults', async (width, colorScheme) => {
  await visit.reopen({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
  for (const path of ['index.html', `address/${address}.html`, 'lists/nodes.html']) {
    await visit.page.goto(`${visit.url}/${path}`);
    expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await accessibilityFaults(visit.page)).toEqual([]);
  }
});

describe('/archive in a browser', () => {
  beforeEach(() => {
    visit.url = process.env.PAGES_URL as string;
  });

  test('lists the files of the newest archive, and the command that downloads all', async () => {
    const { day, block, files } = readManifest(folder);
    const archives: Bodies['/archive']['archives'] = [{ day, block, manifest: `/archive/${day}/manifest.json` }];
    await visit.answer('**/archive?limit=1', { archives, total: 1 });
    await visit.page.route(`**/archive/${day}/*`, (route) =>
      route.fulfill({ path: join(folder, basename(route.request().url())) }),
    );
    await visit.open('/archive');
    await visit.page.getByText(`Up to block ${block.number}`).waitFor();
    expect(await visit.page.locator('tbody tr').count()).toBe(files.length);
    expect(await textOf()).toContain(`curl -O ${visit.url}/archive/${day}/gogopool-${day}.zip`);
    expect(await textOf()).toContain("Events of the protocol's contracts");
    expect(visit.complaints).toEqual([]);
  });

  test('says how much of the past is there while no archive is', async () => {
    await visit.answer('**/archive?limit=1', { archives: [], total: 0 });
    await visit.open('/archive');
    await visit.page.getByText('The first archive is being prepared').waitFor();
    const { coverage }: Bodies['/activity'] = await visit.json('/activity?limit=0');
    expect(await textOf()).toContain(coverage.complete ? 'all are indexed' : `blocks ${coverage.fromBlock} to`);
    expect(await textOf()).toMatch(/Days: recorded back to \d+ \w+ \d{4}\./);
  });
});
