import { describe, expect, test } from '@jest/globals';
import { layoutShift, titlesOf, until, useBrowser } from '../support/browser.ts';

/** What the dashboard shows of the protocol, compared with the API. */

const visit = useBrowser();

/** The JSON equivalent of a chart's CSV link. */
const recordedFor = async (id: string) => {
  const link = await visit.page.locator(`#${id} .csv`).getAttribute('href');
  return visit.json(`/${link?.replace('&format=csv', '')}`);
};

test.each([
  ['rate', 'exchange_rate'],
  ['locked', 'tvl_usd'],
  ['yield', 'apy_7d'],
  ['prices', 'avaxInUSD'],
])('the chart %s draws every known point of the history', async (id, field) => {
  await visit.open('/dashboard');
  const { points } = await recordedFor(id);
  const known = points.filter((point: object) => field in point);
  expect(known.length).toBeGreaterThan(20);
  expect(await visit.page.locator(`#${id} .chart`).getAttribute('data-points')).toBe(String(known.length));
  expect(await visit.page.locator(`#${id} canvas`).count()).toBe(1);
  expect(await visit.page.locator(`#${id} .canvas`).getAttribute('aria-label')).toMatch(/goes from .* to /);
});

test('the yield has a link to how it is calculated', async () => {
  const { page } = visit;
  await visit.open('/dashboard');
  await page.locator('#yield').getByRole('link', { name: 'How it is calculated' }).click();
  const heading = page.getByRole('heading', { name: 'How yields are calculated' });
  await heading.waitFor();
  expect(new URL(page.url()).hash).toBe(`#${await heading.getAttribute('id')}`);
});

test('every card finishes loading', async () => {
  await visit.page.goto(`${visit.url}/dashboard`, { waitUntil: 'networkidle' });
  expect(await visit.page.locator('#protocol .card').count()).toBeGreaterThan(10);
  expect(await visit.page.locator('[aria-busy=true]').count()).toBe(0);
});

test('shows numbers with units, and their full values as tooltips and for copying', async () => {
  const { page } = visit;
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/metrics');
  await visit.open('/dashboard');
  const { exchange_rate } = (await (await answered).json()) as { exchange_rate: number };
  const rate = page.locator('#figures .facts > div', { hasText: '1 ggAVAX' }).locator('button');
  expect(await rate.textContent()).toMatch(/^1\.\d+ AVAX$/);
  expect(await rate.getAttribute('title')).toBe(`${exchange_rate} AVAX (click to copy)`);
  await rate.click();
  // Announced after the value is on the clipboard.
  await page.locator('#announcement', { hasText: `Copied ${exchange_rate} AVAX` }).waitFor({ state: 'attached' });
});

test('says that copying is not possible if the browser does not allow it', async () => {
  const { page } = visit;
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await visit.open('/dashboard');
  await page.locator('#figures button').first().click();
  await page
    .locator('#announcement', { hasText: /^Could not copy .*: the browser does not allow it$/ })
    .waitFor({ state: 'attached' });
});

test('rounded numbers keep their zeros, so that columns line up', async () => {
  const queue = await visit.json('/withdrawals?limit=1');
  const amounts = ['1070.604', '1070.6', '65.969999', '65.97', '0.5', '65', '0'];
  const requests = amounts.map((expectedAssets, requestId) => ({ ...queue.requests[0], requestId, expectedAssets }));
  await visit.answer('**/withdrawals?*', { ...queue, requests });
  const { validators } = await visit.json('/validators?protocol=true&limit=3');
  const known = [99.4, 99.456, 100].map((uptimePercent, index) => ({ ...validators[index], uptimePercent }));
  await visit.answer('**/validators?*', { validators: known, total: 3, asOf: 1 });
  await visit.open('/dashboard');
  const column = (card: string, name: string) =>
    visit.page.locator(`#${card} td[data-label=${name}]`).allTextContents();
  const shown = ['1,070.60', '1,070.6', '65.970', '65.97', '0.5', '65', '0'];
  expect(await column('queue', 'Amount')).toEqual(shown.map((amount) => `${amount} AVAX`));
  expect(await column('validators', 'Uptime')).toEqual(['99.40%', '99.46%', '100%']);
});

test('counts over a thousand have separators', async () => {
  const metrics = await visit.json('/metrics');
  const minipools = { staking: 41, finished: 1_930 };
  await visit.answer('**/metrics', { ...metrics, minipools });
  await visit.open('/dashboard');
  expect(await visit.page.locator('#minipools .bars .number').allTextContents()).toEqual(['41', '1,930']);
  expect(await visit.page.locator('#figures').textContent()).toContain('of 1,971 to date');
});

test('shows zeros and empty lists as such, and unknown values as dashes', async () => {
  const { page } = visit;
  const metrics = await visit.json('/metrics');
  await visit.answer('**/metrics', { ...metrics, ggavax_apy: 0, tvl_usd: undefined });
  await visit.answer('**/withdrawals?*', {
    withdrawQueue: {},
    service: { overdueRequests: 0 },
    requests: [],
    total: 0,
    block: metrics.block,
  });
  await visit.answer('**/validators?*', { validators: [], total: 0, asOf: 1 });
  await visit.open('/dashboard');
  const figure = (name: string) =>
    page.locator('#figures .facts > div', { hasText: name }).locator('dd').first().textContent();
  expect(await figure('ggAVAX yield')).toBe('0%');
  expect(await figure('Total value locked')).toBe('–');
  expect(await page.locator('#queue').textContent()).toContain('No open withdrawals.');
  expect(await page.locator('#validators').textContent()).toContain('The protocol has no active validators.');
  expect(await page.locator('#validators').textContent()).not.toMatch(/lowest uptime/i);
});

describe('flags', () => {
  const withFlags = async (flags: object) => {
    await visit.answer('**/flags', { flags });
    await visit.open('/dashboard');
    return visit.page.locator('#notice').textContent();
  };

  test('the wind-down, its last day and what is closed are shown above everything else', async () => {
    await visit.page.clock.setFixedTime(new Date('2026-12-01T12:00:00Z'));
    const said = await withFlags({
      windDown: { enabled: true, operationsEnded: '2026-08-15', withdrawalsUntil: '2026-12-31' },
      withdrawQueue: { enabled: true },
      minipoolCreation: { enabled: false },
    });
    expect(said).toContain('The protocol is being wound down. Operations ended on 15 August 2026.');
    expect(said).toContain(
      'Hypha’s website closes on 31 December 2026, the announced end of withdrawals: in 30 days. No contract knows that day.',
    );
    expect(said).toMatch(/Withdrawal queue overdue\s*New minipools closed/);
    const top = async (selector: string) => (await visit.page.locator(selector).boundingBox())?.y as number;
    expect(await top('#notice')).toBeLessThan(await top('#figures'));
    expect(await visit.page.locator('#calculator').textContent()).toContain('No new minipools can be created');
  });

  test.each([
    ['2026-12-31T23:59:00Z', 'closes on 31 December 2026, the announced end of withdrawals: today.'],
    ['2027-01-01T00:00:00Z', 'was to close on 31 December 2026, the announced end of withdrawals. No contract'],
  ])('at %s: %s', async (now, sentence) => {
    await visit.page.clock.setFixedTime(new Date(now));
    const windDown = { enabled: true, withdrawalsUntil: '2026-12-31' };
    expect(await withFlags({ windDown })).toContain(sentence);
  });

  test('a queue without overdue requests is open', async () => {
    const queue = await visit.json('/withdrawals?limit=6');
    await visit.answer('**/withdrawals?*', { ...queue, service: { overdueRequests: 0 } });
    expect(await withFlags({ withdrawQueue: { enabled: true } })).toContain('Withdrawal queue open');
  });

  test('the notice says when the code of ggAVAX changed', async () => {
    const token = {
      name: 'TokenggAVAX',
      address: `0x${'c6'.repeat(20)}`,
      upgradedAt: 1_790_000_000,
      source: 'registry',
    };
    await visit.answer('**/contracts', { chainId: 43112, contracts: [token], total: 1 });
    expect(await withFlags({})).toContain('ggAVAX got new code on 21 Sept 2026.');
  });

  test('without a wind-down, the notice says that everything is open', async () => {
    const said = await withFlags({ windDown: { enabled: false }, withdrawQueue: { enabled: true } });
    expect(said).toContain('All parts of the protocol are open.');
    expect(said).not.toContain('wound down');
  });

  test('contracts that are paused are reported whatever the flags say', async () => {
    const metrics = await visit.json('/metrics');
    await visit.answer('**/metrics', { ...metrics, status: 'paused' });
    const said = await withFlags({ windDown: { enabled: false }, minipoolCreation: { enabled: true } });
    expect(said).toContain('contracts are paused: no new minipools.');
    expect(said).toMatch(/Redemption open\s*New minipools paused$/);
  });

  test('a paused rewards pool starts no cycle, and closes nothing else', async () => {
    const cycle = await visit.json('/rewards/cycle');
    await visit.answer('**/rewards/cycle', { ...cycle, paused: true });
    const said = await withFlags({ windDown: { enabled: false }, ggpRewardsClaims: { enabled: true } });
    expect(said).toContain('contracts are paused: no new rewards cycles.');
    expect(said).toMatch(/Reward claims open$/);
    expect(await visit.page.locator('#cycle .meaning').textContent()).toMatch(
      /; no other one can start while the rewards pool is paused\.$/,
    );
  });

  test('paused deposits do not make withdrawals appear paused', async () => {
    const [metrics, pool] = [await visit.json('/metrics'), await visit.json('/ggAvax')];
    await visit.answer('**/metrics', { ...metrics, status: 'paused' });
    await visit.answer('**/ggAvax', { ...pool, paused: true });
    const said = await withFlags({ withdrawQueue: { enabled: true }, ggAvaxDeposits: { enabled: true } });
    expect(said).toContain('contracts are paused: no deposits.');
    expect(said).toContain('Withdrawal queue overdue');
    expect(said).toContain('Deposits paused');
  });

  test('new minipools are shown as possibly paused while deposits are, because the API does not say which', async () => {
    const [metrics, pool] = [await visit.json('/metrics'), await visit.json('/ggAvax')];
    const withdrawQueue = { ...pool.withdrawQueue, paused: true };
    await visit.answer('**/metrics', { ...metrics, status: 'paused' });
    await visit.answer('**/ggAvax', { ...pool, paused: true, withdrawQueue });
    const enabled = { enabled: true };
    const said = await withFlags({ withdrawQueue: enabled, ggAvaxDeposits: enabled, minipoolCreation: enabled });
    expect(said).toContain('contracts are paused: no new withdrawal requests or deposits.');
    expect(said).toMatch(/Withdrawal queue paused\s*Deposits paused\s*New minipools possibly paused$/);
    expect(await visit.page.locator('#notice').getAttribute('data-state')).toBe('ending');
  });

  test('parts are shown as possibly paused while the pool cannot be read', async () => {
    const metrics = await visit.json('/metrics');
    await visit.answer('**/metrics', { ...metrics, status: 'paused' });
    await visit.page.route('**/ggAvax', (route) => route.fulfill({ status: 503, json: { detail: 'Not now.' } }));
    const said = await withFlags({ ggAvaxDeposits: { enabled: true }, minipoolCreation: { enabled: true } });
    expect(said).toMatch(/are paused\..*Deposits possibly paused\s*New minipools possibly paused$/);
  });
});

test('requests that nobody has paid in time are marked in the queue, and nothing there looks safe', async () => {
  const { requests, block } = await visit.json('/withdrawals?limit=6');
  await visit.open('/dashboard');
  const queue = visit.page.locator('#queue');
  expect(await queue.locator('td[data-label=Status]').allTextContents()).toEqual(
    requests.map(({ status, claimableTime }: { status: string; claimableTime: number }) =>
      status === 'pending' && claimableTime < block.timestamp ? 'overdue' : status,
    ),
  );
  expect(await queue.locator('.overdue').count()).toBe(1);
  expect(await queue.locator('.remark').textContent()).toMatch(
    /^Do not rely on these dates: nobody is bound to pay\. 1 request/,
  );
  expect(await queue.locator('meter').count()).toBe(0);
});

describe('charts', () => {
  test('ranges and views are kept in the URL, separately for each chart', async () => {
    const { page } = visit;
    await visit.open('/dashboard');
    await page.locator('#prices').getByRole('button', { name: '30d' }).click();
    await page.locator('#prices').getByRole('button', { name: 'GGP', exact: true }).click();
    expect(new URL(page.url()).search).toBe('?prices=30d&pricesIn=ggp');
    await page.locator('#prices .chart[data-points="31"]').waitFor();
    expect(await page.locator('#rate [aria-pressed=true]').allTextContents()).toEqual(['90d']);
    await page.reload();
    await page.locator('#prices .chart[data-points="31"]').waitFor();
    expect(await page.locator('#prices .unit').textContent()).toMatch(/^USD, on \d+ \w+ 2026, 00:00 UTC$/);
    expect(await page.locator('#prices [aria-pressed=true]').allTextContents()).toEqual(['GGP', '30d']);
  });

  test('the range of a week uses hourly points', async () => {
    await visit.open('/dashboard?rate=7d');
    const asked = await visit.page.locator('#rate .csv').getAttribute('href');
    expect(asked).toContain('interval=1h');
  });

  test('prices of AVAX and GGP are shown as an index when they share a chart', async () => {
    await visit.open('/dashboard');
    expect(await visit.page.locator('#prices .unit').textContent()).toMatch(/^Index: first day = 100, on /);
    const values = await visit.page.locator('#prices .canvas').getAttribute('aria-label');
    expect(values).toMatch(/AVAX goes from 100 on .* GGP goes from 100 on /);
  });

  test('the legend shows the newest values and their time', async () => {
    await visit.open('/dashboard');
    const legend = (id: string) => visit.page.locator(`#${id} figcaption .legend`).first().textContent();
    expect(await legend('rate')).toMatch(/^1 ggAVAX 1\.\d+ AVAX$/);
    // Its time, because the value differs from the current one in the key figures.
    const { points } = await recordedFor('rate');
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    const newest = format.format(points.at(-1).timestamp * 1_000);
    expect(await visit.page.locator('#rate .unit').textContent()).toBe(`AVAX, on ${newest}, 00:00 UTC`);
    expect(await visit.page.locator('#calculator .unit').textContent()).toBe('GGP');
    expect(await legend('calculator')).toBe('Reward by collateral ');
  });

  test('the tooltip is at the cursor and shows that day’s values; arrow keys move it', async () => {
    const { page } = visit;
    await visit.open('/dashboard');
    const { points } = await recordedFor('rate');
    const canvas = page.locator('#rate .canvas');
    await canvas.scrollIntoViewIfNeeded();
    const { x, y, width } = (await canvas.boundingBox()) as { x: number; y: number; width: number };
    await page.mouse.move(x + width / 2, y + 100);
    const tooltip = page.locator('#rate .tooltip');
    const index = Number(await tooltip.getAttribute('data-index'));
    const shown = Number(/[\d.]+(?= AVAX)/.exec((await tooltip.textContent()) ?? '')?.[0]);
    expect(shown).toBeCloseTo(points[index].exchange_rate, 4);
    const box = (await tooltip.boundingBox()) as { x: number; width: number };
    expect(Math.min(Math.abs(box.x - x - width / 2), Math.abs(box.x + box.width - x - width / 2))).toBeLessThan(40);

    await canvas.focus();
    await page.keyboard.press('ArrowRight');
    expect(await tooltip.getAttribute('data-index')).toBe(String(index + 1));
    await page.keyboard.press('Tab');
    await tooltip.waitFor({ state: 'detached' });
  });

  test.each([320, 390])('at %i px the tooltip stays within the page', async (width) => {
    await visit.reopen({ viewport: { width, height: 844 }, hasTouch: true });
    const { page } = visit;
    await visit.open('/dashboard');
    const tooltip = page.locator('#calculator .tooltip');
    const isWithin = async () => {
      const box = (await tooltip.boundingBox()) as { x: number; width: number };
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    };
    const canvas = page.locator('#calculator .canvas');
    await canvas.tap();
    await isWithin();
    for (let press = 0; press < 10; press++) {
      await canvas.press('ArrowLeft');
      await isWithin();
    }
  });
});

test('validators are listed with the lowest uptime first, and every row links to its node', async () => {
  const { page } = visit;
  await visit.open('/dashboard');
  const { validators, total } = await visit.json('/validators?protocol=true&sort=uptime&order=asc');
  await page
    .locator('#validators')
    .getByRole('button', { name: `Show all ${total}` })
    .click();
  const rows = page.locator('#validators tbody tr');
  expect(await rows.count()).toBe(total);
  const short = validators.filter(
    ({ uptimePercent, neededUptimePercent }: Record<string, number>) =>
      Number(uptimePercent) < Number(neededUptimePercent),
  );
  expect(short.length).toBeGreaterThan(0);
  expect(await page.locator('#validators .about').textContent()).toBe(
    `${total} active, ${short.length} with too little uptime for the reward so far, lowest uptime first`,
  );
  const named = await titlesOf(rows.locator('td:first-child abbr'));
  expect(named).toEqual(validators.map(({ nodeID }: { nodeID: string }) => nodeID));
  await rows.nth(3).locator('td:first-child a').click();
  expect(new URL(page.url()).searchParams.get('node')).toBe(validators[3].nodeID);
  await page.locator('#your-validator').waitFor();
});

describe('recent activity', () => {
  const rows = () => visit.page.locator('#activity tbody tr');
  const hashes = () => titlesOf(rows().locator('td:last-child abbr'));
  const kind = (name: string) => visit.page.locator('#activity').getByRole('button', { name, exact: true });

  test('can be filtered by kind, which also applies to "Show more" and the CSV file, and is kept in the URL', async () => {
    const { page } = visit;
    await visit.open('/dashboard');
    const all = await hashes();
    await kind('Queue').click();
    await rows().filter({ hasText: 'Withdrawal' }).nth(7).waitFor();
    expect(new URL(page.url()).searchParams.get('activity')).toBe('queue');
    const types = 'unstakeRequested,unstakeFulfilled,unstakeClaimed,unstakeCancelled,unstakeReturned';
    const { activity } = await visit.json(`/activity?type=${types}&limit=64`);
    const expected = activity.map(({ txHash }: { txHash: string }) => txHash);
    expect(expected.length).toBeGreaterThan(16);
    expect(await hashes()).toEqual(expected.slice(0, 8));

    await page.locator('#activity').getByRole('button', { name: 'Show more' }).click();
    await rows()
      .nth(expected.length - 1)
      .waitFor();
    expect(await hashes()).toEqual(expected);
    const file = await (
      await fetch(`${visit.url}/${await page.locator('#activity .csv').getAttribute('href')}`)
    ).text();
    expect(file.trim().split('\r\n').length).toBe(expected.length + 1);

    // A visitor who opens the link sees the same kind, with the initial number of rows.
    await page.reload();
    await rows().nth(7).waitFor();
    expect(await hashes()).toEqual(expected.slice(0, 8));
    expect(await kind('Queue').getAttribute('aria-pressed')).toBe('true');
    await kind('All').click();
    await rows().filter({ hasNotText: 'Withdrawal' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await hashes()).toEqual(all);
  });

  test('has a kind for every type of event', async () => {
    await visit.open('/dashboard');
    const asked: string[] = [];
    visit.page.on('request', (request) => asked.push(new URL(request.url()).searchParams.get('type') ?? ''));
    for (const name of ['ggAVAX', 'AVAX at work', 'Queue', 'Minipools', 'GGP', 'Rules']) {
      await kind(name).click();
      await visit.page.locator('#activity[aria-busy=false]').waitFor();
    }
    const { components } = await visit.json('/openapi.json');
    expect([...new Set(asked.filter(Boolean).join().split(','))].toSorted()).toEqual(
      components.schemas.ActivityType.enum.toSorted(),
    );
  });

  test('says if there are no events of the selected kind', async () => {
    await visit.answer('**/activity?*type=*', { activity: [], coverage: { from: 1, to: 9, complete: true } });
    await visit.open('/dashboard?activity=ggp');
    expect(await visit.page.locator('#activity .empty').textContent()).toBe(
      'No activity of this kind was found in these blocks.',
    );
  });
});

test('the amount of a transfer is shown in ggAVAX, as in wallets', async () => {
  const { activity } = await visit.json('/activity?type=ggAvaxTransferred&limit=1');
  await visit.answer('**/activity?*', { activity, coverage: { from: 1, to: 9, complete: true } });
  await visit.open('/dashboard');
  const amount = visit.page.locator('#activity td[data-label=Amount] [title]');
  expect(await titlesOf(amount)).toEqual([`${activity[0].shares} ggAVAX (click to copy)`]);
});

test('addresses, nodes and transactions link to the explorer of the network, if it has one', async () => {
  const { page } = visit;
  const health = await visit.json('/health');
  await visit.open('/dashboard');
  expect(await page.locator('a[href^="https:"]').count()).toBe(0);
  await visit.answer('**/health', { ...health, network: 'avalanche' });
  await visit.open('/dashboard');
  const links = await page
    .locator('#validators a[href^="https:"]')
    .evaluateAll((all) => all.map(({ href }: { href: string }) => href));
  expect(links[0]).toMatch(/^https:\/\/subnets\.avax\.network\/validators\/NodeID-\w+$/);
  expect(links[1]).toMatch(/^https:\/\/subnets\.avax\.network\/c-chain\/address\/0x\w{40}$/);
  const transaction = await page.locator('#activity td:last-child a').first().getAttribute('href');
  expect(transaction).toMatch(/^https:\/\/subnets\.avax\.network\/c-chain\/tx\/0x\w{64}$/);
});

describe('with the keyboard', () => {
  test('the address field is a few tabs away, and all fields and charts can be reached', async () => {
    const { page } = visit;
    await visit.open('/dashboard');
    const reached: string[] = [];
    for (let press = 0; press < 120; press++) {
      await page.keyboard.press('Tab');
      reached.push(
        (await page.evaluate(
          'document.activeElement.tagName + " " + (document.activeElement.name || document.activeElement.className)',
        )) as string,
      );
    }
    expect(reached.indexOf('INPUT subject')).toBeLessThan(6);
    expect(reached.indexOf('INPUT subject')).toBeGreaterThan(-1);
    for (const name of ['INPUT ggpStaked', 'INPUT avaxStaked', 'DIV canvas']) expect(reached).toContain(name);
  });
});

test('bars, legends and chosen buttons can be told apart in forced colours and in print', async () => {
  await visit.reopen({ forcedColors: 'active' });
  const { page } = visit;
  await visit.open('/dashboard');
  const styleOf = (selector: string, property: string, pseudo = '') =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '${pseudo}')['${property}']`);
  expect(await styleOf('.bar', 'backgroundImage')).toMatch(/gradient/);
  expect(await styleOf('.legend', 'backgroundColor', '::before')).toBe('rgb(29, 95, 196)');
  for (const selector of ['.bar', 'progress']) {
    expect(await styleOf(selector, 'forcedColorAdjust')).toBe('none');
    expect(await styleOf(selector, 'printColorAdjust')).toBe('exact');
  }
  const chosen = await styleOf('#rate [aria-pressed=true]', 'backgroundColor');
  expect(chosen).not.toBe(await styleOf('#rate [aria-pressed=false]', 'backgroundColor'));
});

test('in dark colours, the page is printed in light ones, with its charts', async () => {
  // Playwright's own wait is a script from a string.
  await visit.reopen({ colorScheme: 'dark', bypassCSP: true });
  const { page } = visit;
  await page.addInitScript(`
    globalThis.colours = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...all) {
      globalThis.colours.push(this.fillStyle);
      return fillText.apply(this, all);
    };
  `);
  const colours = async () => {
    // A browser tells scripts of another medium with its next frame.
    await until(page, 'colours.length > 0');
    return [...new Set((await page.evaluate('colours.splice(0)')) as string[])];
  };
  const ink = () => page.evaluate('getComputedStyle(document.body).color');
  await visit.open('/dashboard');
  await page.locator('#rate canvas').waitFor();
  expect([await ink(), await colours()]).toEqual(['rgb(232, 236, 241)', ['#a3adb9']]);
  await page.emulateMedia({ media: 'print' });
  expect([await ink(), await colours()]).toEqual(['rgb(22, 32, 43)', ['#55606d']]);
  await page.emulateMedia({ media: 'screen' });
  expect([await ink(), await colours()]).toEqual(['rgb(232, 236, 241)', ['#a3adb9']]);
});

test('a chart that is wider than the paper is printed smaller, not cut off', async () => {
  const { page } = visit;
  await visit.open('/dashboard');
  await page.emulateMedia({ media: 'print' });
  // Nothing draws the chart anew while a page is printed: the size is read before the chart's observer is told.
  const [width, height, printedWidth, printedHeight] = (await page.evaluate(`(() => {
    const canvas = document.querySelector('#rate canvas');
    const sizeAt = (width) => {
      document.querySelector('#rate .plot').style.width = width;
      return [canvas.clientWidth, canvas.clientHeight];
    };
    return [...sizeAt('auto'), ...sizeAt('240px')];
  })()`)) as [number, number, number, number];
  expect(width).toBeGreaterThan(480);
  expect(printedWidth).toBe(240);
  expect(printedWidth / printedHeight).toBeCloseTo(width / height, 1);
});

test('a chart of values that are all 0 has an axis for small values, also once they change', async () => {
  const { page } = visit;
  await page.clock.install();
  // What charts write next to their axes.
  await page.addInitScript(`
    globalThis.written = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      if (this.canvas.closest('#yield')) globalThis.written.push(text);
      return fillText.call(this, text, ...place);
    };
  `);
  const written = async () => [...new Set((await page.evaluate('written.splice(0)')) as string[])];
  const points = (percents: number) =>
    [1, 2].map((day) => ({ timestamp: day * 86_400, block: day, apy_28d: percents, apy_7d: percents }));
  const url = '**/metrics/apy/history?*';
  await visit.answer(url, { points: points(0), missing: 0 });
  await visit.open('/dashboard');
  await page.locator('#yield .chart').waitFor();
  expect(await written()).toEqual(expect.arrayContaining(['0', '0.2', '1']));
  await visit.answer(url, { points: points(40), missing: 0 });
  await page.clock.runFor(61_000);
  await page.locator('#yield figcaption', { hasText: '40' }).waitFor();
  expect((await written()).some((text) => Number(text) >= 40)).toBe(true);
});

test.each([390, 1280, 1600])('at %i px the layout does not shift while the page loads', async (width) => {
  await visit.reopen({ viewport: { width, height: 900 } });
  const shift = await layoutShift(visit.page);
  await visit.open('/dashboard');
  expect(await shift()).toBeLessThan(0.05);
});

test.each([1280, 1600])('at %i px the navigation is aligned with the content', async (width) => {
  await visit.reopen({ viewport: { width, height: 900 } });
  await visit.open('/dashboard');
  const left = async (selector: string) => (await visit.page.locator(selector).boundingBox())?.x;
  expect(await left('nav strong')).toBe(await left('h1'));
});

test('totals of all rewards cycles are shown only if all of them are known', async () => {
  const cycles = await visit.json('/rewards/cycles');
  const card = visit.page.locator('#cycle');
  await visit.open('/dashboard');
  await card.getByText('All cycles').waitFor();
  const coverage = { ...cycles.coverage, complete: false };
  await visit.answer('**/rewards/cycles', { ...cycles, coverage });
  await visit.open('/dashboard');
  await visit.page.waitForLoadState('networkidle');
  expect(await card.textContent()).not.toContain('All cycles');
});

test('an overdue rewards cycle is shown with how long ago it could have started', async () => {
  const { next, block, ...cycle } = await visit.json('/rewards/cycle');
  const overdueSeconds = 35 * 86_400;
  const startsAt = next.startsAt + overdueSeconds;
  const late = { ...cycle, next: { ...next, startsAt, overdueSeconds }, block: { ...block, timestamp: startsAt } };
  await visit.answer('**/rewards/cycle', late);
  await visit.open('/dashboard');
  expect(await visit.page.locator('#cycle .meaning').textContent()).toBe(
    'The cycle has ended; the next one could have started 35 days ago.',
  );
});

test.each([
  [
    'would mint nothing',
    { totalAmt: '0' },
    'The cycle has ended; no other one can start, because it would mint no GGP.',
  ],
  ['is unknown', undefined, 'The cycle has ended; it is unknown whether another one can start.'],
])('a next rewards cycle that %s is not shown as overdue', async (_, change, said) => {
  const { next, block, ...cycle } = await visit.json('/rewards/cycle');
  const ended = { ...block, timestamp: cycle.startTime + cycle.seconds + 35 * 86_400 };
  const late = { ...cycle, block: ended, next: change && { ...next, overdueSeconds: 35 * 86_400, ...change } };
  await visit.answer('**/rewards/cycle', late);
  await visit.open('/dashboard');
  expect(await visit.page.locator('#cycle .meaning').textContent()).toBe(said);
});

test.each([
  [0, 'No cycle has started yet.'],
  [undefined, 'The start or length of the cycle is unknown at the moment.'],
])('a rewards cycle that began at %p: %s', async (startTime, said) => {
  const cycle = await visit.json('/rewards/cycle');
  await visit.answer('**/rewards/cycle', { ...cycle, startTime, next: undefined });
  await visit.open('/dashboard');
  expect(await visit.page.locator('#cycle .empty').textContent()).toBe(said);
});

test('an empty pool has a rate of 1 without a loss, and unknown counts of minipools and operators are dashes', async () => {
  const metrics = await visit.json('/metrics');
  const ended = { ...metrics, total_supply: 0, exchange_rate: 1, minipools: undefined, node_operator_count: undefined };
  await visit.answer('**/metrics', ended);
  await visit.open('/dashboard');
  await visit.page.waitForLoadState('networkidle');
  const figures = await visit.page.locator('#figures').textContent();
  expect(figures).toContain('1 AVAXnone in circulation');
  expect(figures).toContain('of – to date, – active operators');
});
