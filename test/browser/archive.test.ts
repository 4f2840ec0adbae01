import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFrozenSystem } from '../../infra/local/frozen-system.ts';
import type { System } from '../../infra/local/system.ts';
import { recordingTelemetry } from '../support/telemetry.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/** The newest archive on the dashboard, and the dashboard of a service that answers from it. */

const { visit } = useVisitors();
const card = () => visit.page.locator('#archive');

let archive: Body;
let frozen: System;

beforeAll(async () => {
  // It is made in the background, once the whole history is recorded.
  for (;;) {
    [archive] = (await visit.json('/archive')).archives;
    if (archive) break;
    await sleep(250);
  }
  const options = { env: { PORT: '0' }, telemetry: recordingTelemetry(), onStep: () => {} };
  frozen = await startFrozenSystem(visit.url + archive.manifest, options);
});
afterAll(() => frozen.stop());

test('every table of the newest archive is there, with what is in it, its rows, and links to both of its files', async () => {
  await visit.open('/dashboard');
  await card().scrollIntoViewIfNeeded();
  await card().locator('table').waitFor();
  const { files } = await visit.json(archive.manifest);
  const tables: Body[] = files.filter(({ kind, name }: Body) => kind && name.endsWith('.csv'));
  expect(await card().locator('tbody tr').count()).toBe(tables.length);
  const row = card()
    .locator('tbody tr', { hasText: /^distributions/ })
    .first();
  expect(await row.textContent()).toContain('paid');
  const href = await row.getByRole('link').first().getAttribute('href');
  const response = await fetch(`${visit.url}/${href}`);
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([
    200,
    files.find(({ name }: Body) => href?.endsWith(`/${name}`)).bytes,
  ]);
});

test('says since when the service is frozen, and shows its figures', async () => {
  const { block } = archive;
  visit.url = frozen.url;
  await visit.open('/dashboard');
  await visit.page.locator('#frozen').waitFor();
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const since = day.format(block.timestamp * 1_000);
  const text = await visit.page.locator('#frozen').textContent();
  expect(text).toContain(`This service is frozen. Everything is as it was on ${since}, at block ${block.number}`);
  await visit.page.locator('#figures[data-state=fresh]').waitFor();
});
