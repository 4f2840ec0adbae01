import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../lib/values/durations.ts';
import { isDrawn, layoutShift, titlesOf, until, useBrowser } from '../support/browser.ts';

/** The protocol's part of the dashboard, compared with the API. */

const visit = useBrowser();

/** The JSON equivalent of a chart's CSV link. */
const recordedFor = async (id: string) => {
  const link = await visit.page.locator(`#${id} .csv`).getAttribute('href');
  return visit.json(`/${link?.replace('&format=csv', '')}`);
};

/** The button that shows one kind of activity. */
const kind = (name: string) => visit.page.locator('#activity').getByRole('button', { name, exact: true });

describe('the protocol', () => {
  visit.share('/dashboard');

  test('the address field is a few tabs away, and all fields and charts can be reached', async () => {
    const { page } = visit;
    const reached: string[] = [];
    const wanted = ['INPUT subject', 'DIV canvas'];
    while (reached.length < 120 && !wanted.every((name) => reached.includes(name))) {
      await page.keyboard.press('Tab');
      reached.push(
        (await page.evaluate(
          'document.activeElement.tagName + " " + (document.activeElement.name || document.activeElement.className)',
        )) as string,
      );
    }
    expect(reached).toEqual(expect.arrayContaining(wanted));
    expect(reached.indexOf('INPUT subject')).toBeLessThan(6);
  });

  test.each([
    ['rate', 'exchange_rate'],
    ['locked', 'tvl_usd'],
    ['yield', 'apy_7d'],
    ['prices', 'avaxInUSD'],
  ])('the chart %s draws every known point of the history', async (id, field) => {
    const { points } = await recordedFor(id);
    const known = points.filter((point: object) => field in point);
    expect(known.length).toBeGreaterThan(20);
    expect(await visit.page.locator(`#${id} .chart`).getAttribute('data-points')).toBe(String(known.length));
    expect(await visit.page.locator(`#${id} canvas`).count()).toBe(1);
    expect(await visit.page.locator(`#${id} .canvas`).getAttribute('aria-label')).toMatch(/goes from .* to /);
  });

  test('says nothing that only a program would', async () => {
    const text = await visit.page.locator('main').textContent();
    expect(text).toContain('ggAVAX yield');
    expect(text).not.toMatch(/=>|[{}]|\bundefined\b|\bNaN\b|\[object/);
  });

  test('shows numbers with units, and their full values as tooltips and for copying', async () => {
    const { page } = visit;
    const { exchange_rate } = await visit.json('/metrics');
    const rate = page.locator('#figures .facts > div', { hasText: '1 ggAVAX' }).locator('button');
    expect(await rate.textContent()).toMatch(/^1\.\d+ AVAX$/);
    expect(await rate.getAttribute('title')).toBe(`${exchange_rate} AVAX (click to copy)`);
    await rate.click();
    // Announced after the value is on the clipboard.
    await page.locator('#announcement', { hasText: `Copied ${exchange_rate} AVAX` }).waitFor({ state: 'attached' });
  });

  test('marks overdue requests in the queue', async () => {
    const { requests, block } = await visit.json('/withdrawals?limit=5');
    const queue = visit.page.locator('#queue');
    expect(await queue.locator('td[data-label=Status]').allTextContents()).toEqual(
      requests.map(({ status, claimableTime }: { status: string; claimableTime: number }) =>
        status === 'pending' && claimableTime < block.timestamp ? 'overdue' : status,
      ),
    );
    expect(await queue.locator('.overdue').count()).toBe(1);
    expect(await queue.locator('.remark').textContent()).toMatch(/^Payment is not guaranteed\. 1 request is overdue/);
  });

  test('nothing links to an explorer, which the devnet does not have', async () => {
    expect(await visit.page.locator('a[href^="https:"]').count()).toBe(0);
  });

  test('the legend shows the newest values and their time', async () => {
    const legend = (id: string) => visit.page.locator(`#${id} figcaption .legend`).first().textContent();
    expect(await legend('rate')).toMatch(/^1 ggAVAX 1\.\d+ AVAX$/);
    // Its time, because the value differs from the current one in the key figures.
    const { points } = await recordedFor('rate');
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    const newest = format.format(points.at(-1).timestamp * 1_000);
    expect(await visit.page.locator('#rate .unit').textContent()).toBe(`AVAX, on ${newest}, 00:00 UTC`);
  });

  test('the tooltip is at the cursor and shows that day’s values; arrow keys move it', async () => {
    const { page } = visit;
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

  test('the legend shows the newest values again when the pointer leaves', async () => {
    const { page } = visit;
    await page.mouse.move(2, 2);
    const legend = page.locator('#rate figcaption');
    const before = await legend.textContent();
    expect(before).toMatch(/1 ggAVAX 1\.\d+ AVAX/);
    await page.locator('#rate .canvas').hover();
    await page.locator('#rate .tooltip').waitFor();
    await page.mouse.move(2, 2);
    await page.locator('#rate .tooltip').waitFor({ state: 'detached' });
    expect(await legend.textContent()).toBe(before);
  });

  test('has a kind for every type of event', async () => {
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

  test('validators are listed with the lowest uptime first, and every row links to its node', async () => {
    const { page } = visit;
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
    await page.goBack();
    await page.locator('#validators').waitFor();
  });

  test('the yield has a link to how it is calculated', async () => {
    const { page } = visit;
    await page.locator('#yield').getByRole('link', { name: 'How it is calculated' }).click();
    const heading = page.getByRole('heading', { name: 'How yields are calculated' });
    await heading.waitFor();
    expect(new URL(page.url()).hash).toBe(`#${await heading.getAttribute('id')}`);
  });
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

test('shows zeros and empty lists as such, unknown values as dashes, and counts with separators', async () => {
  const { page } = visit;
  const metrics = await visit.json('/metrics');
  const { block } = metrics;
  const coverage = { fromBlock: 1, toBlock: 9, complete: true };
  const counts = { minipools: { staking: 41, finished: 1_930 }, node_operator_count: undefined };
  await visit.answer('**/metrics', { ...metrics, ggavax_apy: 0, tvl_usd: undefined, ...counts });
  const queue = { withdrawQueue: {}, service: { overdueRequests: 0 }, requests: [], total: 0, block };
  await visit.answer('**/withdrawals?*', queue);
  await visit.answer('**/validators?*', { validators: [], total: 0, asOf: 1 });
  await visit.answer('**/activity?*type=*', { activity: [], coverage });
  await visit.answer('**/holders?sort=balance*', { holders: [], total: 0, coverage: { ...coverage, complete: false } });
  await visit.open('/dashboard?activity=ggp');
  const figure = (name: string) =>
    page.locator('#figures .facts > div', { hasText: name }).locator('dd').first().textContent();
  expect(await figure('ggAVAX yield')).toBe('0%');
  expect(await figure('Total value locked')).toBe('–');
  expect(await page.locator('#figures').textContent()).toContain('of 1,971 to date, – active operators');
  expect(await page.locator('#minipools .bars .number').allTextContents()).toEqual(['41', '1,930']);
  expect(await page.locator('#queue').textContent()).toContain('No open withdrawals.');
  expect(await page.locator('#validators').textContent()).toContain('The protocol has no active validators.');
  expect(await page.locator('#validators').textContent()).not.toMatch(/lowest uptime/i);
  expect(await page.locator('#activity .empty').textContent()).toBe('No activity of this kind was found.');
  // An incomplete list has no file.
  expect(await page.locator('#holders').textContent()).toContain('No holders of ggAVAX were found.');
  expect(await page.locator('#holders .csv').count()).toBe(0);
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
    expect(await page.locator('#prices .unit').textContent()).toMatch(/^USD, on \d+ \w+ 20\d\d, 00:00 UTC$/);
    expect(await page.locator('#prices [aria-pressed=true]').allTextContents()).toEqual(['GGP', '30d']);
  });

  test('the range of a week uses hourly points', async () => {
    await visit.open('/dashboard?rate=7d');
    const asked = await visit.page.locator('#rate .csv').getAttribute('href');
    expect(asked).toContain('interval=1h');
  });

  test('on phones the tooltip stays within the page', async () => {
    await visit.reopen({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page } = visit;
    await visit.open('/dashboard');
    const canvas = page.locator('#rate .canvas');
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await isDrawn(page);
      await canvas.tap();
      for (let press = 0; press <= 10; press++) {
        if (press > 0) await canvas.press('ArrowLeft');
        const box = (await page.locator('#rate .tooltip').boundingBox()) as { x: number; width: number };
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    }
  });
});

test('addresses, nodes and transactions link to the explorer of the network, transfers are of ggAVAX, as in wallets', async () => {
  const { page } = visit;
  await visit.answer('**/health', { ...(await visit.json('/health')), network: 'avalanche' });
  const { activity } = await visit.json('/activity?type=ggAvaxTransferred&limit=1');
  await visit.answer('**/activity?*', { activity, coverage: { fromBlock: 1, toBlock: 9, complete: true } });
  await visit.open('/dashboard');
  const linked = page.locator('#validators a[href^="https:"]');
  // Cards are drawn without waiting for the network's name.
  await linked.first().waitFor();
  const links = await linked.evaluateAll((all) => all.map(({ href }: { href: string }) => href));
  expect(links[0]).toMatch(/^https:\/\/subnets\.avax\.network\/validators\/NodeID-\w+$/);
  expect(links[1]).toMatch(/^https:\/\/subnets\.avax\.network\/c-chain\/address\/0x\w{40}$/);
  const transaction = await page.locator('#activity td:last-child a').first().getAttribute('href');
  expect(transaction).toMatch(/^https:\/\/subnets\.avax\.network\/c-chain\/tx\/0x\w{64}$/);
  expect(await titlesOf(page.locator('#activity td[data-label=Amount] [title]'))).toEqual([
    `${activity[0].shares} ggAVAX (click to copy)`,
  ]);
});

test('bars, legends and chosen buttons can be told apart in forced colours and in print', async () => {
  await visit.reopen({ forcedColors: 'active' });
  const { page } = visit;
  await visit.open('/dashboard');
  const styleOf = (selector: string, property: string, pseudo = '') =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '${pseudo}')['${property}']`);
  expect(await styleOf('.bar', 'backgroundImage')).toMatch(/gradient/);
  expect(await styleOf('.legend', 'backgroundColor', '::before')).toBe('rgb(29, 95, 196)');
  expect(await styleOf('.bar', 'forcedColorAdjust')).toBe('none');
  expect(await styleOf('.bar', 'printColorAdjust')).toBe('exact');
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
    // A browser notifies scripts of a change of medium with its next frame.
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
  // A chart is not redrawn while a page is printed: the size is read before the chart's observer is notified.
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
    [1, 2].map((day) => ({ timestamp: day * DAY, block: day, apy_28d: percents, apy_7d: percents }));
  const url = '**/metrics/apy/history?*';
  await visit.answer(url, { points: points(0), missing: 0 });
  await visit.open('/dashboard');
  await until(page, 'written.length > 0');
  expect(await written()).toEqual(expect.arrayContaining(['0', '0.2', '1']));
  await visit.answer(url, { points: points(40), missing: 0 });
  await page.clock.runFor(61_000);
  await until(page, 'written.some((text) => Number(text) >= 40)');
});

test.each([390, 1280, 1600])(
  'at %i px the layout does not shift while the page loads, and is aligned with the navigation',
  async (width) => {
    await visit.reopen({ viewport: { width, height: 900 } });
    const shift = await layoutShift(visit);
    await visit.open('/dashboard');
    expect(await shift()).toBeLessThan(0.05);
    const left = async (selector: string) => (await visit.page.locator(selector).boundingBox())?.x;
    if (width > 390) expect(await left('nav strong')).toBe(await left('h1'));
  },
);

test('an empty pool has a rate of 1 without a loss, and unknown counts are dashes', async () => {
  const metrics = await visit.json('/metrics');
  const ended = { ...metrics, total_supply: 0, exchange_rate: 1, minipools: undefined };
  await visit.answer('**/metrics', ended);
  await visit.open('/dashboard');
  await visit.quiet();
  const figures = await visit.page.locator('#figures').textContent();
  expect(figures).toContain('1 AVAXnone in circulation');
  expect(figures).toContain('of – to date');
});
