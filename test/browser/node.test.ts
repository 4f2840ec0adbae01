import { describe, expect, test } from '@jest/globals';
import { type Body, NO_NODE, TOO_LITTLE, useVisitors } from '../support/visitors.ts';

/** A node on the dashboard, compared with the API. */

const { visit, fact } = useVisitors();

describe('the activity of a node', () => {
  const entry = (txHash: string, logIndex: number, fields: object) => ({
    block: 9,
    logIndex,
    timestamp: 1_795_000_000,
    txHash,
    ...fields,
  });
  const becomes = (txHash: string, logIndex: number, status: string) =>
    entry(txHash, logIndex, { type: 'minipoolStatusChanged', status });
  const open = async (activity: object[], fields: object = {}) => {
    const { nodeID } = (await visit.json('/minipools?limit=1')).minipools[0];
    const coverage = { fromBlock: 1, toBlock: 9, complete: true };
    await visit.answer(`**/minipools/${nodeID}/activity?*`, { activity, coverage, ...fields });
    await visit.open(`/dashboard?node=${nodeID}`);
    return visit.page.locator('#your-activity');
  };

  test('has no file while earlier blocks have not been searched', async () => {
    const card = await open([becomes('0x1', 0, 'staking')], {
      coverage: { fromBlock: 500, toBlock: 900, complete: false },
    });
    expect(await card.locator('.about').textContent()).toBe(
      'History is still loading. Indexed so far: blocks 500 to 900.',
    );
    expect(await card.getByRole('link', { name: 'CSV' }).count()).toBe(0);
  });

  test('has one entry per launch and per cycle, although they emit several events', async () => {
    const card = await open([
      becomes('0x4', 9, 'launched'),
      becomes('0x4', 8, 'prelaunch'),
      becomes('0x4', 0, 'withdrawable'),
      becomes('0x3', 0, 'staking'),
      entry('0x2', 5, { type: 'minipoolLaunched', duration: 1 }),
      becomes('0x2', 0, 'launched'),
      entry('0x1', 1, { type: 'minipoolCreated' }),
      becomes('0x1', 0, 'finished'),
    ]);
    expect(await card.locator('td[data-label=Event]').allTextContents()).toEqual([
      'Minipool: next cycle',
      'Minipool: staking',
      'Minipool launched',
      'Minipool created',
      'Minipool: finished',
    ]);
  });

  test('fills its rows although several events become one, and shows the rest without a request', async () => {
    const launches = Array.from({ length: 8 }, (_, index) => [
      becomes(`0xa${index}`, 0, 'staking'),
      becomes(`0xb${index}`, 1, 'launched'),
      becomes(`0xb${index}`, 0, 'prelaunch'),
    ]);
    const all = launches.flat().slice(0, 16);
    const { nodeID } = (await visit.json('/minipools?limit=1')).minipools[0];
    await visit.page.route(`**/minipools/${nodeID}/activity?*`, (route) => {
      const limit = Number(new URL(route.request().url()).searchParams.get('limit'));
      return route.fulfill({
        json: { activity: all.slice(0, limit), coverage: { fromBlock: 1, toBlock: 9, complete: true } },
      });
    });
    await visit.open(`/dashboard?node=${nodeID}`);
    const card = visit.page.locator('#your-activity');
    const rows = card.locator('tbody tr');
    expect(await rows.count()).toBe(5);
    const asked: string[] = [];
    // The sparklines of other cards may still be loading.
    visit.page.on('request', (request) => request.url().includes('/activity') && asked.push(request.url()));
    await card.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(10).waitFor();
    expect(await card.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(asked).toEqual([]);
  });

  test('says that the file has only the newest 1,000 events, and links to earlier ones', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => becomes(`0x${index}`, 0, 'staking'));
    const card = await open(many, { nextCursor: '1795557600-000000000007-000001' });
    expect(await card.locator('.about').textContent()).toBe('The CSV has at most the newest 1,000 events.');
    expect(await card.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(await card.getByRole('link', { name: 'Download the 1,000 before them (CSV)' }).getAttribute('href')).toMatch(
      /^minipools\/NodeID-\w+\/activity\?limit=1000&cursor=1795557600-000000000007-000001&format=csv$/,
    );
  });
});

test('a node’s summary says whether its uptime is high enough, and a warning says what a low one costs', async () => {
  const sentence = async ({ nodeID }: Body) => {
    await visit.open(`/dashboard?node=${nodeID}`);
    return visit.page.locator('#summary').textContent();
  };
  const { validators } = await visit.json('/validators?protocol=true&sort=uptime&order=asc');
  expect(await sentence(validators.at(-1))).toMatch(
    /^This node validates until \d+ \w+ 20\d\d, and its uptime is high enough for the reward\.$/,
  );
  expect(await visit.page.locator('#your-validator .problem').count()).toBe(0);
  expect(await sentence(validators[0])).toMatch(
    /until \d+ \w+ 20\d\d, but its uptime is too low for the reward so far\. Still reachable: up to 9\d(\.\d\d?)?% if it is online from now on\.$/,
  );
  expect(await visit.page.locator('#your-validator .problem').textContent()).toMatch(TOO_LITTLE);
  const { uptimePercent: _, ...unmeasured } = validators[0];
  await visit.answer(`**/validators/${unmeasured.nodeID}`, unmeasured);
  expect(await sentence(unmeasured)).toMatch(/^This node validates until \d+ \w+ 20\d\d\.$/);
});

test.each([
  // A quarter of the time has passed, so three quarters can still be online.
  [
    60,
    'is too low for the reward so far. Still reachable: up to 90% if it is online from now on.',
    'Still reachable',
    '',
  ],
  [59.9, 'can no longer get high enough for the reward.', 'can no longer be reached.', ' (1 can no longer reach it)'],
  [89.9999, 'is too low for the reward so far. Still reachable: up to 97.49% if it is', 'Still reachable', ''],
])(
  'with an uptime of %d %% after a quarter of its time, a node’s best possible uptime counts',
  async (uptimePercent, summary, remark, note) => {
    const { validators, ...list } = await visit.json('/validators?protocol=true&sort=uptime&order=asc&limit=500');
    const [{ nodeID, startTime, endTime, minipool }, ...others] = validators;
    const asOf = startTime + (endTime - startTime) / 4;
    const validator = { ...(await visit.json(`/validators/${nodeID}`)), uptimePercent, asOf };
    const good = others.map((other: Body) => ({ ...other, uptimePercent: 99 }));
    await visit.answer(`**/validators/${nodeID}`, validator);
    await visit.answer('**/validators?*', { ...list, asOf, validators: [validator, ...good] });
    await visit.open(`/dashboard?node=${nodeID}#validators`);
    expect(await visit.page.locator('#summary').textContent()).toContain(`, but its uptime ${summary}`);
    expect(await visit.page.locator('#your-validator .problem').textContent()).toContain(remark);
    expect(await visit.page.locator('#validators .about').textContent()).toBe(
      `${list.total} active, 1 with too little uptime for the reward so far${note}, lowest uptime first`,
    );
    await visit.open(`/dashboard?address=${minipool.owner}`);
    const row = visit.page.locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) });
    expect(await row.locator('td.wide').textContent()).toContain(remark);
  },
);

test('an unknown node has one sentence and no empty cards', async () => {
  await visit.open(`/dashboard?node=${NO_NODE}`);
  expect(await visit.page.locator('#summary').textContent()).toBe(
    'Nothing was found for this node: it is not validating and has never been a minipool.',
  );
  expect(await visit.page.locator('#yours .card').count()).toBe(0);
});

test('the summary of a validator that has never been a minipool says so', async () => {
  const { validators } = await visit.json('/validators?limit=20');
  const { nodeID } = validators.find(({ minipool }: Body) => !minipool);
  await visit.open(`/dashboard?node=${nodeID}`);
  expect(await visit.page.locator('#summary').textContent()).toMatch(
    /^This node validates until .* It has never been a minipool\.$/,
  );
  // Neither uptimes nor events are recorded for it.
  expect(await visit.page.locator('#yours .card').count()).toBe(1);
  expect((await fact('#your-validator', 'Ends')).shown).toMatch(/^\d+ \w+ 20\d\d$/);
});

test('a node has its validation, its minipool, its activity and its uptime', async () => {
  const { validators } = await visit.json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const { nodeID, uptimePercent, amountStaked, minipool } = validators[0];
  await visit.open(`/dashboard?node=${nodeID}`);
  expect((await fact('#your-validator', 'Uptime')).full).toBe(`${uptimePercent}%`);
  expect(await visit.page.locator('#your-validator').textContent()).toContain('90% needed for the reward');
  expect((await fact('#your-validator', 'Stake')).full).toBe(`${amountStaked} AVAX`);
  // The contract's status, and what it means.
  expect(minipool.status).toBe('staking');
  expect(await visit.page.locator('#your-minipool').textContent()).toContain('stakingthe node is validating');
  expect(await visit.page.locator('#your-minipool').textContent()).toMatch(/plus [\d,.]+ AVAX from liquid stakers/);
  const { avaxNodeOpLifetimeRewardAmt: earned } = await visit.json(`/minipools/${nodeID}`);
  expect((await fact('#your-minipool', 'Earned so far')).full).toBe(`${earned} AVAX`);
  expect(await visit.page.locator(`#your-minipool [title="${minipool.owner}"]`).count()).toBe(1);
  expect(await visit.page.locator('#your-activity tbody tr').count()).toBeGreaterThan(2);
  // Rows name the owner, but do not repeat the node.
  expect(await visit.page.locator(`#your-activity td [title="${nodeID}"]`).count()).toBe(0);
  expect(await visit.page.locator(`#your-activity td [title="${minipool.owner}"]`).count()).toBeGreaterThan(2);
});
