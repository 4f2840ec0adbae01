import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { titlesOf } from '../support/browser.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/** The income of an address by year on the dashboard, compared with the API. */

const { visit, operator, holder } = useVisitors();
const card = () => visit.page.locator('#your-income');
/** The full values of each row, newest first, by column. */
const cellsOf = async () => {
  const rows: Record<string, string>[] = [];
  for (const row of await card().locator('tbody tr').all()) {
    const cells = row.locator('td:has([title])');
    const names = await cells.evaluateAll((all) => all.map(({ dataset }: Body) => dataset.label));
    const titles = await titlesOf(cells.locator('[title]'));
    rows.push(Object.fromEntries(names.map((name, index) => [name, titles[index]])));
  }
  return rows;
};
const download = async () => {
  const [file] = await Promise.all([visit.page.waitForEvent('download'), card().locator('.csv').click()]);
  const text = readFileSync(await file.path(), 'utf8');
  const [columns = '', ...rows] = text.trimEnd().split('\r\n');
  return { name: file.suggestedFilename(), columns, rows: rows.map((row) => row.split(',')) };
};
/** Returns the rewards of a holder in each calendar year, newest first. */
const yearsOf = async (address: string): Promise<Body[]> => {
  const { days } = await visit.json(`/ggAvax/${address}/rewards?interval=1y`);
  return days
    .map((entry: Body) => ({ ...entry, year: new Date(entry.timestamp * 1_000).toISOString().slice(0, 4) }))
    .toReversed();
};
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

test('a node operator sees what minipools and rewards cycles paid, which is what the API says', async () => {
  const { stakerAddr, minipools } = await operator();
  const { cycles } = await visit.json(`/rewards/${stakerAddr}/cycles`);
  const { activity } = await visit.json(`/stakers/${stakerAddr}/activity?type=minipoolStatusChanged&limit=1000`);
  const rewards = activity.filter(({ rewardAVAX }: Body) => rewardAVAX !== undefined);
  await visit.open(`/dashboard?address=${stakerAddr}`);
  const rows = await cellsOf();
  const sumOf = (column: string) => total(rows.map((cells) => Number.parseFloat(cells[column] ?? '0')));
  const earned = total(minipools.map(({ avaxNodeOpLifetimeRewardAmt }: Body) => Number(avaxNodeOpLifetimeRewardAmt)));
  expect(sumOf('Minipools')).toBeCloseTo(earned, 9);
  expect(sumOf('GGP rewards')).toBeCloseTo(total(cycles.map(({ ggp }: Body) => Number(ggp))), 9);
  const usd = total([...cycles, ...rewards].map(({ usd = 0 }: Body) => usd));
  expect(sumOf('Value in USD')).toBeCloseTo(usd, 6);
});

test('a holder sees and downloads the same in EUR, to the wei', async () => {
  const { address } = await holder();
  const now = new Date();
  await visit.page.clock.setFixedTime(now);
  const years = await yearsOf(address);
  await visit.open(`/dashboard?address=${address}`);
  await card().getByRole('button', { name: 'EUR' }).click();
  await card().locator('td[data-label="Value in EUR"]').first().waitFor();
  expect(await cellsOf()).toEqual(
    years.map(({ rewardAVAX, rewardEUR }) => ({ ggAVAX: `${rewardAVAX} AVAX`, 'Value in EUR': `${rewardEUR} EUR` })),
  );
  const { name, columns, rows } = await download();
  expect(name).toBe(`income-${address}-eur.csv`);
  expect(columns).toBe('year,until,source,amount,token,value,currency,notInValue');
  const today = now.toISOString().slice(0, 10);
  expect(rows).toEqual(
    years.map(({ year, rewardAVAX, rewardEUR }) => {
      const until = today.startsWith(year) ? today : `${year}-12-31`;
      return [year, until, 'ggAVAX', rewardAVAX, 'AVAX', `${rewardEUR}`, 'EUR', ''];
    }),
  );
});

test("each year is a file for tax tools, whose amounts add up to the year's", async () => {
  const { address } = await holder();
  const years = await yearsOf(address);
  await visit.open(`/dashboard?address=${address}`);
  for (const { year, rewardAVAX } of years) {
    const link = card().getByRole('link', { name: `Koinly file of ${year}` });
    const [file] = await Promise.all([visit.page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toMatch(new RegExp(`-${year}-usd-koinly\\.csv$`));
    const [, ...rows] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    // A day without rewards may lose a wei to the contract's rounding: it is sent, not received.
    const amounts = rows.map((row) => {
      const [, sent, , received] = row.split(',');
      return parseEther(received || '0') - parseEther(sent || '0');
    });
    expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(parseEther(rewardAVAX));
  }
});

test('years that are over say what has no price', async () => {
  const { stakerAddr } = await operator();
  const income = await visit.json(`/accounts/${stakerAddr}/income?interval=1mo`);
  const total = {
    year: 2024,
    source: 'minipools',
    amount: '3',
    token: 'AVAX',
    valueUSD: 30,
    unpricedUSD: 0,
    unpricedEUR: 0,
  };
  const ofGgp = { year: 2024, source: 'ggp', amount: '15.000000000000000001', token: 'GGP' };
  await visit.answer(`**/accounts/${stakerAddr}/income?*`, {
    ...income,
    totals: [
      { ...total, year: 2023, source: 'ggAvax', amount: '0.5', valueUSD: undefined, unpricedUSD: 40 },
      total,
      { ...ofGgp, valueUSD: 10, unpricedUSD: 1, unpricedEUR: 1 },
    ],
  });
  await visit.open(`/dashboard?address=${stakerAddr}`);
  const { rows } = await download();
  expect(rows).toEqual([
    ['2024', '2024-12-31', 'Minipools', '3', 'AVAX', '30', 'USD', ''],
    ['2024', '2024-12-31', 'GGP rewards', '15.000000000000000001', 'GGP', '10', 'USD', '1 cycle'],
    ['2023', '2023-12-31', 'ggAVAX', '0.5', 'AVAX', '', 'USD', '40 days'],
  ]);
  expect(await card().locator('td[data-label="Without a price"]').allTextContents()).toEqual([
    'GGP rewards: 1 cycle',
    'ggAVAX: 40 days',
  ]);
  expect(await titlesOf(card().locator('td[data-label="Value in USD"] [title]'))).toEqual([
    '40 USD',
    'Unknown at the moment',
  ]);
});
