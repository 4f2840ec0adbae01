import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type Body, useVisitors } from '../support/visitors.ts';

/** The files of the newest archive on the dashboard, compared with its manifest. */

const { visit } = useVisitors();
const card = () => visit.page.locator('#archive');

test('every table of the newest archive is there, with what is in it, its rows, and links to both of its files', async () => {
  // It is made in the background, once the whole history is recorded.
  let archives: Body[] = [];
  while (archives.length === 0) {
    await sleep(250);
    ({ archives } = await visit.json('/archive'));
  }
  const [{ manifest }] = archives;
  await visit.open('/dashboard');
  await card().scrollIntoViewIfNeeded();
  await card().locator('table').waitFor();
  const { files } = await visit.json(manifest);
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

test('before the first one it says when there will be one', async () => {
  await visit.answer('**/archive?limit=1', { archives: [], total: 0 });
  await visit.open('/dashboard');
  await card().scrollIntoViewIfNeeded();
  await card().getByText('once the whole history is recorded').waitFor();
});
