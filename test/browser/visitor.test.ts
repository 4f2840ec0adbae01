import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, layoutShift, useBrowser } from '../support/browser.ts';

/** What the dashboard says of a visitor's own address or node, against what the API says. */

const NOBODY = '0x000000000000000000000000000000000000dEaD';
const NO_NODE = 'NodeID-111111111111111111116DBWJs';

const visit = useBrowser();

// biome-ignore lint/suspicious/noExplicitAny: a body
type Body = any;

/** Somebody with ggAVAX and without a stake: found in the queue, where only holders are. */
async function holder(): Promise<{ address: string; position: Body }> {
  const { requests } = await visit.json('/withdrawals');
  for (const { requester, status } of requests) {
    const position = await visit.json(`/ggAvax/${requester}`);
    if (status === 'pending' && Number(position.ggAvax) > 1_000) return { address: requester, position };
  }
  throw new Error('nobody who waits has ggAVAX');
}

async function operator(): Promise<Body> {
  const { stakers } = await visit.json('/stakers?sort=avaxStaked&limit=1');
  return visit.json(`/stakers/${stakers[0].stakerAddr}`);
}

/** The figure under a name, and its full value. */
async function fact(card: string, name: string): Promise<{ shown: string; full: string }> {
  const row = visit.page.locator(`${card} .facts > div`, { has: visit.page.getByText(name, { exact: true }) });
  const value = row.locator('dd').first();
  const shown = (await value.textContent()) ?? '';
  const [full = shown] = await value
    .locator('[title]')
    .evaluateAll((all) => all.map(({ title }: { title: string }) => title));
  return { shown, full: full.replace(' (click to copy)', '') };
}

describe('a holder of ggAVAX', () => {
  test('sees what it is worth, what it earned, and each day', async () => {
    const { address, position } = await holder();
    await visit.open(`/dashboard?address=${address}`);
    expect((await fact('#your-position', 'Balance')).full).toBe(`${position.ggAvax} ggAVAX`);
    // As many as fill their rows, whatever the width.
    expect((await visit.page.locator('#your-position .facts > div').count()) % 4).toBe(0);
    expect((await fact('#your-position', 'Earned in total')).shown).toMatch(/^[\d,.]+ AVAX$/);
    expect((await fact('#your-position', 'Average yield')).full).toMatch(/^[\d.]+ %$/);

    const link = await visit.page.locator('#your-rewards .csv').getAttribute('href');
    const { days, totals } = await visit.json(`/${link?.replace('&format=csv', '')}`);
    expect(days.length).toBeGreaterThan(20);
    expect(await visit.page.locator('#your-rewards .chart').getAttribute('data-points')).toBe(String(days.length));
    const rowsOf = (title: string) =>
      visit.page.locator('#your-rewards details', { hasText: title }).locator('tbody tr');
    await visit.page.locator('#your-rewards summary', { hasText: 'Day by day' }).click();
    const rows = rowsOf('Day by day');
    expect(await rows.count()).toBe(days.length);
    // Those on which something came or went, by themselves.
    const inflows = days.flatMap(({ inflowAVAX }: Body) => (inflowAVAX === '0' ? [] : `${inflowAVAX} AVAX`));
    const outflows = days.flatMap(({ outflowAVAX }: Body) => (outflowAVAX === '0' ? [] : `${outflowAVAX} AVAX`));
    expect(inflows.length).toBeGreaterThan(1);
    expect(outflows.length).toBeGreaterThan(1);
    const moves = rowsOf('Deposits, withdrawals and transfers');
    const titles = (column: string) =>
      moves
        .locator(`td[data-label=${column}] [title]`)
        .evaluateAll((all) => all.map(({ title }: { title: string }) => title).toReversed());
    expect(await titles('In')).toEqual(inflows);
    expect(await titles('Out')).toEqual(outflows);
    // The newest first.
    const newest = rows.first().locator('td[data-label=Reward] [title]');
    expect(await newest.getAttribute('title')).toBe(`${days.at(-1).rewardAVAX} AVAX`);
    const total = visit.page.locator('#your-rewards p', { hasText: 'In the time shown' }).locator('[title]').first();
    expect(await total.getAttribute('title')).toBe(`${totals.rewardAVAX} AVAX`);
  });

  test('has all days that are shown as files, though the API answers a thousand at once', async () => {
    const { address } = await holder();
    await visit.open(`/dashboard?address=${address}&rewards=all`);
    const links = visit.page.locator('#your-rewards .csv');
    expect(await links.allTextContents()).toEqual(['CSV 1', 'CSV 2']);
    const days: string[] = [];
    for (const link of await links.all()) {
      const csv = await (await fetch(`${visit.url}/${await link.getAttribute('href')}`)).text();
      days.push(...csv.trim().split('\r\n').slice(1));
    }
    expect(days).toEqual(days.toSorted());
    expect(await visit.page.locator('#your-rewards .chart').getAttribute('data-points')).toBe(String(days.length));
  });

  test('is asked for no stake that cannot be, so the console says nothing of it', async () => {
    const { address } = await holder();
    await visit.open(`/dashboard?address=${address}`);
    await visit.page.locator('#nothing', { hasText: 'Not found: a stake of GGP, minipools and rewards.' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('sees of each withdrawal when it can be claimed, until when, and what that means', async () => {
    const { address } = await holder();
    const { requests } = await visit.json(`/withdrawals/${address}`);
    await visit.open(`/dashboard?address=${address}`);
    const rows = visit.page.locator('#your-withdrawals tbody tr');
    expect(await rows.count()).toBe(requests.length);
    expect(await rows.locator('td:nth-child(3)').allTextContents()).toEqual(
      requests.map(({ status }: { status: string }) => status),
    );
    const waiting = rows.filter({ hasText: 'pending' }).first();
    expect(await waiting.textContent()).toMatch(/Waits for AVAX; promised in \d+ (days?|h)\./);
    expect(await visit.page.locator('#your-withdrawals').textContent()).toMatch(
      /Asked for now, all the rest would bring [\d,.]+ AVAX, claimable from .* until .*, behind \d+ requests/,
    );
  });

  test('is not told that nothing was found while the answer about ggAVAX is missing', async () => {
    const { address } = await holder();
    await visit.page.route(`**/ggAvax/${address}`, (route) =>
      route.fulfill({ status: 503, json: { detail: 'Not now.' } }),
    );
    await visit.open(`/dashboard?address=${address}`);
    await visit.page.locator('#your-position[data-state=error]').waitFor();
    expect(await visit.page.locator('#nothing').textContent()).not.toMatch(/Nothing was found|ggAVAX/);
  });
});

describe('a holder without an open withdrawal', () => {
  /** Their own balance and nothing in the queue. */
  async function open(estimate: object, flags: object = {}) {
    const { address, position } = await holder();
    const unstaking = { ggAvax: '0', expectedAVAX: '0', requests: 0 };
    const { withdrawQueue, block } = await visit.json(`/withdrawals/${address}`);
    const answer = await visit.json(`/withdrawals/estimate?ggAvax=${position.ggAvax}`);
    const routes: [string, object][] = [
      [`**/ggAvax/${address}`, { ...position, unstaking }],
      [`**/withdrawals/${address}`, { address, withdrawQueue, requests: [], total: 0, block }],
      ['**/withdrawals/estimate?*', { ...answer, ...estimate }],
      ['**/flags', { flags }],
    ];
    for (const [path, json] of routes) await visit.page.route(path, (route) => route.fulfill({ json }));
    await visit.open(`/dashboard?address=${address}`);
    return visit.page.locator('#your-withdrawals');
  }

  test.each([
    [{}, {}, /Asked for now, all of it would bring [\d,.]+ AVAX, claimable from .* until .*, behind 3 requests for/],
    [{ ahead: { requests: 1, avax: '7' } }, {}, /behind 1 request for 7 AVAX\.$/],
    [{ ahead: { requests: 0, avax: '0' } }, {}, /until \d+ \w+ \d+\.$/],
    [{ paused: true }, {}, /The queue is paused: until that ends, nothing can be asked for\.$/],
    [{}, { withdrawQueue: { enabled: false } }, /Withdrawals are closed for now\.$/],
    [{}, { windDown: { enabled: true, withdrawalsUntil: '2020-01-01' } }, /can be asked for: withdrawals are over\.$/],
    // There is no queue.
    [{ claimableTime: undefined, expirationTime: undefined, paused: undefined }, {}, /No withdrawal is open\.$/],
  ])('is told what it would bring, and when, or why not: %j %j', async (estimate, flags, meaning) => {
    const card = await open(estimate, flags);
    await card.locator('.empty', { hasText: 'No withdrawal is open.' }).waitFor();
    await card.locator('p', { hasText: meaning }).first().waitFor();
    expect(await visit.page.locator('#nothing').textContent()).toContain('open withdrawals');
  });
});

describe('withdrawals', () => {
  const NOW = 1_796_000_000;
  const DAY = 86_400;
  const LATE = NOW + 90 * DAY;
  const windDown = { enabled: true, withdrawalsUntil: '2026-12-31' };
  const request = (fields: object) => ({
    requestId: 1,
    requester: NOBODY,
    shares: '1',
    expectedAssets: '1.2',
    requestTime: NOW - 20 * DAY,
    claimableTime: NOW - 5 * DAY,
    expirationTime: NOW + 5 * DAY,
    allocatedFunds: '0',
    ...fields,
  });

  test.each([
    [{ status: 'fulfilled', allocatedFunds: '1.2' }, {}, '5 Dec 2026', /Can be claimed now, until 5 Dec 2026\./],
    [{ status: 'fulfilled', expirationTime: LATE }, {}, '31 Dec 2026', /Can be claimed now, until 31 Dec 2026\./],
    [{ status: 'fulfilled' }, { withdrawQueue: { enabled: false } }, '5 Dec 2026', /withdrawals are closed/],
    [{ status: 'pending' }, {}, '5 Dec 2026', /for longer than was promised/],
    [{ status: 'pending', claimableTime: NOW + 60 * DAY }, {}, '5 Dec 2026', /after the last day of withdrawals/],
    [{ status: 'expired', allocatedFunds: '1.2' }, {}, '5 Dec 2026', /Not claimed in time/],
    [{ status: 'expired' }, {}, '5 Dec 2026', /The ggAVAX comes back whole/],
  ])('%j with %j', async (fields, flags, until, meaning) => {
    await visit.page.route('**/flags', (route) => route.fulfill({ json: { flags: { windDown, ...flags } } }));
    await visit.page.route(`**/withdrawals/${NOBODY}`, (route) =>
      route.fulfill({ json: { requests: [request(fields)], total: 1, block: { number: 1, timestamp: NOW } } }),
    );
    await visit.page.clock.setFixedTime(NOW * 1_000);
    await visit.open(`/dashboard?address=${NOBODY}`);
    const row = visit.page.locator('#your-withdrawals tbody tr');
    expect(await row.locator('td.wide').textContent()).toMatch(meaning);
    // Never later than the last day of withdrawals.
    expect(await row.locator('td[data-label=Until]').textContent()).toBe(until);
  });

  test.each([
    [NOW + 15 * DAY, /claimable from 15 Dec 2026 until 31 Dec 2026, .* Ask by 16 Dec 2026: what is asked for later/],
    [NOW + 60 * DAY, /promised only for after the last day of withdrawals/],
  ])('what is asked for now is not promised for longer than withdrawals last', async (claimableTime, promise) => {
    const { address } = await holder();
    const block = { number: 1, timestamp: NOW };
    const estimate = { avax: '1', ahead: { requests: 3, avax: '7' }, claimableTime, expirationTime: LATE, block };
    await visit.page.route('**/flags', (route) => route.fulfill({ json: { flags: { windDown } } }));
    await visit.page.route('**/withdrawals/estimate?*', (route) => route.fulfill({ json: estimate }));
    await visit.open(`/dashboard?address=${address}`);
    await visit.page.locator('#your-withdrawals', { hasText: promise }).waitFor();
  });
});

describe('a node operator', () => {
  test('sees the stake while not all blocks have been searched, too', async () => {
    const { stakerAddr, ggpStaked } = await operator();
    const coverage = { from: 500, to: 900, complete: false };
    await visit.page.route(`**/stakers/${stakerAddr}/activity?*`, (route) =>
      route.fulfill({ json: { activity: [], coverage } }),
    );
    await visit.open(`/dashboard?address=${stakerAddr}`);
    expect((await fact('#your-stake', 'GGP staked')).full).toBe(`${ggpStaked} GGP`);
  });

  test('sees stake, collateral, next reward, and the claims with their sum', async () => {
    const staker = await operator();
    const rewards = await visit.json(`/rewards/${staker.stakerAddr}`);
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    expect((await fact('#your-stake', 'GGP staked')).full).toBe(`${staker.ggpStaked} GGP`);
    expect((await fact('#your-stake', 'Collateral')).shown).toMatch(/^\d+(\.\d+)? %$/);
    expect((await fact('#your-stake', 'Eligible for rewards')).shown).toBe(rewards.eligible ? 'yes' : 'not now');
    // It is not locked, and still cannot all be withdrawn while AVAX stands on it.
    expect([rewards.ggpLockedUntil, staker.avaxAssigned === '0']).toEqual([0, false]);
    expect(await visit.page.locator('#your-stake').textContent()).toContain(
      'what is beyond 150 % of collateral can be withdrawn',
    );
    expect((await fact('#your-stake', 'To claim')).full).toBe(`${rewards.ggpRewards} GGP`);
    expect((await fact('#your-stake', 'Claimed in all')).full).toBe(`${rewards.claimedTotal} GGP`);
    const paid = visit.page.locator('#your-claims td[data-label="Paid out"] [title]');
    const amounts = rewards.claims.map(({ amount }: Body) => amount);
    expect(await paid.evaluateAll((all) => all.map(({ title }: { title: string }) => title))).toEqual(
      amounts.map((amount: string) => `${amount} GGP`),
    );
    expect(await visit.page.locator('#your-claims').textContent()).toMatch(/In all [\d,.]+ GGP, in \d+ claims?\./);
    // The same claims as a file.
    const link = await visit.page.locator('#your-claims .csv').getAttribute('href');
    const csv = await (await fetch(`${visit.url}/${link}`)).text();
    const [head = [], ...lines] = csv
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines.map((line) => line[head.indexOf('amount')])).toEqual(amounts);
  });

  test('without a price of GGP is told that the collateral is not known, not that there is no AVAX', async () => {
    const { collateralPercent, minimumGGPStake, ...staker } = await operator();
    expect([typeof collateralPercent, typeof minimumGGPStake]).toEqual(['number', 'string']);
    const { stakers, total } = await visit.json('/stakers');
    const unpriced = stakers.map(({ collateralPercent: _, ...others }: Body) => others);
    await visit.page.route(`**/stakers/${staker.stakerAddr}`, (route) => route.fulfill({ json: staker }));
    await visit.page.route('**/stakers?*', (route) => route.fulfill({ json: { stakers: unpriced, total } }));
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    expect((await fact('#your-stake', 'Collateral')).shown).toBe('–');
    expect(await visit.page.locator('#your-stake meter').count()).toBe(0);
    expect(await visit.page.locator('#your-stake').textContent()).toContain('what is beyond 150 %');
    const assigned = stakers.filter(({ avaxAssigned }: Body) => avaxAssigned !== '0').length;
    const bars = visit.page.locator('#collateral .bars li');
    expect(await bars.filter({ hasText: 'Not known' }).locator('.number').textContent()).toBe(String(assigned));
    const none = await bars.filter({ hasText: 'No AVAX assigned' }).locator('.number').textContent();
    expect(none).toBe(String(total - assigned));
  });

  test('sees the minipools with uptime and end, and what went wrong in words; each leads to its node', async () => {
    const { page } = visit;
    const { minipools } = await visit.json('/minipools?status=error&limit=1');
    const { owner, nodeID } = minipools[0];
    await visit.open(`/dashboard?address=${owner}`);
    const row = page.locator('#your-minipools tbody tr', { has: page.locator(`[title="${nodeID}"]`) });
    expect(await row.locator('td[data-label=Uptime]').textContent()).toBe('–');
    expect(await row.locator('td.wide').textContent()).toMatch(/^(The node was|The status of|Staking the AVAX failed)/);
    await row.locator('td').first().locator('a').first().click();
    await page.locator('#your-minipool[data-state=fresh]').waitFor();
    expect(await page.locator('#your-validator').textContent()).toContain('This node is not validating now.');
    expect(await page.locator('#nothing').textContent()).toBe('It is not validating now.');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Node');
  });

  test('is told what can be withdrawn or claimed now, and from when the next reward is paid', async () => {
    const { minipools } = await visit.json('/minipools?status=withdrawable&limit=1');
    const { owner, nodeID, avaxNodeOpAmt, avaxNodeOpRewardAmt } = minipools[0];
    const advice = /^Its owner can withdraw ([\d,.]+) AVAX now\.$/;
    const amountOf = (text: string | null) => Number(advice.exec(text ?? '')?.[1]?.replaceAll(',', ''));
    const amount = Number(avaxNodeOpAmt) + Number(avaxNodeOpRewardAmt);
    await visit.open(`/dashboard?address=${owner}`);
    const row = visit.page.locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) });
    expect(amountOf(await row.locator('td.wide').textContent())).toBeCloseTo(amount, 1);
    const { next } = await visit.json('/rewards/cycle');
    const stake = await visit.page.locator('#your-stake').textContent();
    const day = new Date(next.startsAt * 1_000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
    expect(stake).toContain(`${day} 2026 or later; `);
    const { ggpRewards } = await visit.json(`/rewards/${owner}`);
    expect(stake?.includes('can be claimed now')).toBe(ggpRewards !== '0');
    await visit.open(`/dashboard?node=${nodeID}`);
    expect(amountOf(await visit.page.locator('#your-minipool > p', { hasText: 'withdraw' }).textContent())).toBeCloseTo(
      amount,
      1,
    );
  });

  test('sees what happened, the newest first, and more of it on request', async () => {
    const { stakerAddr } = await operator();
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const { activity } = await visit.json(`/stakers/${stakerAddr}/activity?limit=32`);
    const rows = visit.page.locator('#your-activity tbody tr');
    const before = await rows.count();
    expect(before).toBeLessThanOrEqual(8);
    await visit.page.locator('#your-activity').getByRole('button', { name: 'Show more' }).click();
    await rows.nth(before).waitFor();
    const hashes = await rows
      .locator('td:last-child abbr')
      .evaluateAll((all) => all.map(({ title }: { title: string }) => title));
    // Each transaction is there, in the order of the API.
    expect([...new Set(hashes)]).toEqual([...new Set(activity.map(({ txHash }: Body) => txHash))]);
  });
});

describe('what happened to a node', () => {
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
    const coverage = { from: 1, to: 9, complete: true };
    await visit.page.route(`**/minipools/${nodeID}/activity?*`, (route) =>
      route.fulfill({ json: { activity, coverage, ...fields } }),
    );
    await visit.open(`/dashboard?node=${nodeID}`);
    return visit.page.locator('#your-activity');
  };

  test('is told once, though a launch has an event of its own and a cycle begins with three changes', async () => {
    const card = await open([
      becomes('0x5', 0, 'staking'),
      becomes('0x4', 9, 'launched'),
      becomes('0x4', 8, 'prelaunch'),
      becomes('0x4', 0, 'withdrawable'),
      becomes('0x3', 0, 'staking'),
      entry('0x2', 5, { type: 'minipoolLaunched', duration: 1 }),
      becomes('0x2', 0, 'launched'),
      entry('0x1', 1, { type: 'minipoolCreated' }),
      becomes('0x1', 0, 'finished'),
    ]);
    expect(await card.locator('td[data-label=What]').allTextContents()).toEqual([
      'Minipool: staking',
      'Minipool: next cycle',
      'Minipool: staking',
      'Minipool launched',
      'Minipool created',
      'Minipool: finished',
    ]);
    expect(await card.locator('.about').textContent()).toBe('All blocks up to 9 were searched');
  });

  test('is not cut silently: what the file has is said, and where the rest is', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => becomes(`0x${index}`, 0, 'staking'));
    const card = await open(many, { nextCursor: '000000000007-000001' });
    expect(await card.locator('.about').textContent()).toMatch(/; the CSV has up to 1,000 events, the newest$/);
    expect(await card.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(await card.getByRole('link', { name: 'The 1,000 before them as CSV' }).getAttribute('href')).toMatch(
      /^minipools\/NodeID-\w+\/activity\?limit=1000&cursor=000000000007-000001&format=csv$/,
    );
  });
});

test('an operator sees the uptime of each validating node, now and over time', async () => {
  const { validators } = await visit.json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const { nodeID, uptimePercent, minipool } = validators[0];
  await visit.open(`/dashboard?address=${minipool.owner}`);
  const row = visit.page.locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) });
  await row.locator(`td[data-label=Uptime] [title="${uptimePercent} %"]`).waitFor();
  await row.locator('td svg[aria-label^="From "]').waitFor();
});

test('of a node it is said whether it is well, and what it costs if it is not', async () => {
  const sentence = async ({ nodeID }: Body) => {
    await visit.open(`/dashboard?node=${nodeID}`);
    return visit.page.locator('#nothing').textContent();
  };
  const { validators } = await visit.json('/validators?protocol=true&sort=uptime&order=asc');
  expect(await sentence(validators.at(-1))).toMatch(
    /^It validates until \d+ \w+ 2026, online enough for the reward\.$/,
  );
  expect(await visit.page.locator('#your-validator .problem').count()).toBe(0);
  expect(await sentence(validators[0])).toMatch(/until \d+ \w+ 2026, but has been online too little for the reward\.$/);
  expect(await visit.page.locator('#your-validator .problem').textContent()).toBe(
    'There is no reward unless it is online for 90 % of the time by the end. Without one, GGP of its owner is slashed.',
  );
  const { uptimePercent: _, ...unmeasured } = validators[0];
  await visit.page.route(`**/validators/${unmeasured.nodeID}`, (route) => route.fulfill({ json: unmeasured }));
  expect(await sentence(unmeasured)).toMatch(/^It validates until \d+ \w+ 2026\.$/);
});

test('of a node that nobody knows one sentence is said, and no empty parts are shown', async () => {
  await visit.open(`/dashboard?node=${NO_NODE}`);
  expect(await visit.page.locator('#nothing').textContent()).toBe(
    'Nothing was found of this node: it is no validator now, and never was a minipool.',
  );
  expect(await visit.page.locator('#yours .card').count()).toBe(0);
});

test('a node shows how it validates, its minipool and what happened to it', async () => {
  const { validators } = await visit.json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const { nodeID, uptimePercent, amountStaked, minipool } = validators[0];
  await visit.open(`/dashboard?node=${nodeID}`);
  expect((await fact('#your-validator', 'Uptime')).full).toBe(`${uptimePercent} %`);
  expect(await visit.page.locator('#your-validator').textContent()).toContain('90 % are needed for the reward');
  expect((await fact('#your-validator', 'Stake')).full).toBe(`${amountStaked} AVAX`);
  expect(await visit.page.locator('#your-minipool').textContent()).toContain(minipool.status);
  const { avaxNodeOpLifetimeRewardAmt: earned } = await visit.json(`/minipools/${nodeID}`);
  expect((await fact('#your-minipool', 'Earned so far')).full).toBe(`${earned} AVAX`);
  expect(await visit.page.locator(`#your-minipool [title="${minipool.owner}"]`).count()).toBe(1);
  expect(await visit.page.locator('#your-activity tbody tr').count()).toBeGreaterThan(2);
  // Whose node it was, and not the node on every row.
  expect(await visit.page.locator(`#your-activity td [title="${nodeID}"]`).count()).toBe(0);
  expect(await visit.page.locator(`#your-activity td [title="${minipool.owner}"]`).count()).toBeGreaterThan(2);

  const link = await visit.page.locator('#your-uptime .csv').getAttribute('href');
  const { points } = await visit.json(`/${link?.replace('&format=csv', '')}`);
  const known = points.filter((point: object) => 'uptimePercent' in point);
  expect(known.length).toBeGreaterThan(20);
  expect(await visit.page.locator('#your-uptime .chart').getAttribute('data-points')).toBe(String(known.length));
  expect(await visit.page.locator('#your-uptime figcaption').textContent()).toMatch(/^%.*90 % are needed$/);
});

describe('an address with nothing', () => {
  test('is told what was looked for and how far back', async () => {
    await visit.open(`/dashboard?address=${NOBODY}`);
    await visit.page.locator('#nothing', { hasText: 'were searched' }).waitFor();
    expect(await visit.page.locator('#nothing').textContent()).toMatch(
      /^Nothing was found of this address\. Looked for: ggAVAX, now or before; a stake of GGP, minipools and rewards; open withdrawals\. All blocks up to \d+ were searched\.$/,
    );
    expect(await visit.page.locator('#yours .card').count()).toBe(0);
  });

  test('is not told that nothing happened before the blocks that were searched', async () => {
    const position = await visit.json(`/ggAvax/${NOBODY}`);
    const coverage = { from: 500, to: 900, complete: false };
    await visit.page.route(`**/ggAvax/${NOBODY}`, (route) => route.fulfill({ json: { ...position, coverage } }));
    await visit.open(`/dashboard?address=${NOBODY}`);
    // Said once all parts are known, or have been waited for.
    await visit.page.locator('#nothing', { hasText: 'blocks 500 to 900, earlier ones not yet.' }).waitFor();
  });
});

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'in %s colours at %i px it has no serious fault of accessibility and does not scroll sideways',
  async (colorScheme, width) => {
    const { stakerAddr, minipools } = await operator();
    await visit.reopen({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    for (const query of [
      `address=${stakerAddr}`,
      `node=${minipools[0].nodeID}`,
      `address=${(await holder()).address}`,
    ]) {
      await visit.open(`/dashboard?${query}`);
      expect(await accessibilityFaults(visit.page)).toEqual([]);
      expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  },
);

test.each([390, 720, 1080, 1440])('at %i px nothing is cut off, with links to an explorer too', async (width) => {
  const { stakerAddr, minipools } = await operator();
  await visit.reopen({ viewport: { width, height: 844 } });
  const health = await visit.json('/health');
  await visit.page.route('**/health', (route) => route.fulfill({ json: { ...health, network: 'avalanche' } }));
  for (const query of [`address=${stakerAddr}`, `node=${minipools[0].nodeID}`, `address=${(await holder()).address}`]) {
    await visit.open(`/dashboard?${query}`);
    await visit.page.locator('#yours a[href^="https:"]').first().waitFor();
    const cut = await visit.page.evaluate(`
      [...document.querySelectorAll('.card, table, td, dd')]
        .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.getBoundingClientRect().right > innerWidth)
        .map((node) => node.textContent)
    `);
    expect(cut).toEqual([]);
  }
});

describe('nothing moves while the page loads', () => {
  const subjects = {
    'a holder': async () => `address=${(await holder()).address}`,
    'an operator': async () => `address=${(await operator()).stakerAddr}`,
    nobody: () => `address=${NOBODY}`,
    'a validating node': async () =>
      `node=${(await visit.json('/validators?protocol=true&limit=1')).validators[0].nodeID}`,
    'a node that failed': async () =>
      `node=${(await visit.json('/minipools?status=error&limit=1')).minipools[0].nodeID}`,
    'a node that never was': () => `node=${NO_NODE}`,
  };
  test.each(
    Object.entries(subjects).flatMap(([name, queryOf]) => [390, 1280].map((width) => [name, width, queryOf] as const)),
  )('for %s, at %i px', async (_, width, queryOf) => {
    const query = await queryOf();
    await visit.reopen({ viewport: { width, height: 900 } });
    const shift = await layoutShift(visit.page);
    await visit.open(`/dashboard?${query}`);
    expect(await shift()).toBeLessThan(0.05);
  });
});
