import { beforeEach, describe, expect, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { ggAvaxAddressRewards } from '../../functions/gg-avax/address-rewards.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import type { Interval } from '../../lib/history/series.ts';
import { DAY, HOUR } from '../../lib/values/durations.ts';
import { type Body, lambdaContext, proxyEvent, sendTo } from '../support/events.ts';
import { cover } from '../support/log-chain.ts';
import { startContainer } from '../support/runtime.ts';
import { tablesForEachTest } from '../support/tables.ts';

/** The rewards of a holder, from prepared tables, with numbers worked out by hand. */

const FIRST_DAY = 20_000 * DAY;

tablesForEachTest();

const flow = (type: 'ggAvaxDeposited' | 'ggAvaxWithdrawn') => (assets: string, shares: string) => ({
  ...{ type, assets: parseEther(assets), shares: parseEther(shares) },
});
const [deposit, withdrawal] = [flow('ggAvaxDeposited'), flow('ggAvaxWithdrawn')];
type Written = ReturnType<typeof deposit>;

/** A container with nothing in its cache and no chain, only the tables. */
const container = () => startContainer({ NETWORK: 'fuji', RPC_URLS: 'http://localhost:1', CACHE_TABLE: 'no-cache' });

const rewards = (address: string, query: Record<string, string> = {}) =>
  sendTo(ggAvaxAddressRewards, container(), { params: { address }, query });

/** Records a boundary `after` seconds after the first one, at a block where ten ggAVAX are worth `worth` AVAX. */
function writeRate(interval: Interval, after: number, number: number, worth: string): Promise<unknown> {
  const [totalAssets, totalSupply] = [parseEther(worth), parseEther('10')];
  const values = { totalAssets, totalSupply, avaxPerGgAvax: totalAssets / 10n, avaxInUSD: parseEther('8') };
  const timestamp = FIRST_DAY + after;
  return container().opened.history.write(interval, { timestamp, block: { number, timestamp }, values });
}

/** Records an owner's flows, and coverage up to block `to`. */
async function writeFlows(owner: string, flows: [after: number, block: number, Written][], to: number) {
  const ledger = container().opened.ledger;
  const entries = flows.map(([after, block, flow]) => ({
    ...{ ...flow, block, logIndex: 0, timestamp: FIRST_DAY + after, txHash: `0x${String(block).padStart(64, '0')}` },
    ...{ caller: owner, receiver: owner, owner },
  }));
  await ledger.write(entries);
  await cover(ledger, 1, to, 0);
}

test('a holder since the last recorded boundary has no days and unknown totals until the next boundary is recorded', async () => {
  await writeRate('1d', 0, 10, '12');
  await writeRate('1h', 10 * HOUR, 20, '12');
  const owner = `0x${'a'.repeat(40)}`;
  await writeFlows(owner, [[10 * HOUR + 1, 25, deposit('1.2', '1')]], 30);
  const earned = async () => {
    const { days, totals } = (await rewards(owner)).body;
    return [days.length, totals];
  };
  expect(await earned()).toEqual([0, {}]);
  await writeRate('1h', 11 * HOUR, 30, '12');
  expect(await earned()).toEqual([1, { rewardAVAX: '0', rewardUSD: 0, rewardEUR: 0 }]);
  // A flow in the last recorded second is before its end.
  const late = `0x${'c'.repeat(40)}`;
  await writeFlows(late, [[11 * HOUR, 30, deposit('1.2', '1')]], 30);
  expect((await rewards(late)).body).toMatchObject({ days: [{ inflowAVAX: '1.2' }], totals: { rewardAVAX: '0' } });
});

describe('the days of a holder', () => {
  const OWNER = `0x${'b'.repeat(40)}`;

  beforeEach(async () => {
    for (let day = 0; day <= 6; day++) await writeRate('1d', day * DAY, 10 * (day + 1), String(10 + day));
    // Not covered yet.
    await writeRate('1h', 6 * DAY + HOUR, 80, '16.5');
    const flows: [number, number, Written][] = [
      [HOUR, 11, deposit('2.1', '2')],
      [DAY + HOUR, 21, withdrawal('2.3', '2')],
      [3 * DAY + HOUR, 41, deposit('1.35', '1')],
      [3 * DAY + 2 * HOUR, 42, withdrawal('1.36', '1')],
      [4 * DAY + HOUR, 51, deposit('1.45', '1')],
    ];
    await writeFlows(OWNER, flows, 70);
  });

  /** [timestamp, openGgAvax, closeGgAvax, inflowAVAX, outflowAVAX, rewardAVAX] */
  const DAYS = [
    [0, '0', '2', '2.1', '0', '0.1'],
    [1, '2', '0', '0', '2.3', '0.1'],
    [3, '0', '0', '1.35', '1.36', '0.01'],
    [4, '0', '1', '1.45', '0', '0.05'],
    [5, '1', '1', '0', '0', '0.1'],
  ];
  const TOTALS = { rewardAVAX: '0.36', rewardUSD: 2.88 };
  const columns = (days: Body[]) =>
    days.map(({ timestamp, openGgAvax, closeGgAvax, inflowAVAX, outflowAVAX, rewardAVAX }) => [
      ...[(timestamp - FIRST_DAY) / DAY, openGgAvax, closeGgAvax, inflowAVAX, outflowAVAX, rewardAVAX],
    ]);

  test('are those on which something was held or received, up to the last covered block', async () => {
    const { status, body } = await rewards(OWNER);
    expect(status).toBe(200);
    expect(columns(body.days)).toEqual(DAYS);
    expect(body.totals).toEqual(TOTALS);
    expect(body.days.map(({ partial }: Body) => partial)).toEqual(DAYS.map(() => undefined));
    expect(body.days[4]).toMatchObject({ rateOpen: '1.5', rateClose: '1.6', avaxInUSD: 8, rewardUSD: 0.8 });
    expect(body).not.toHaveProperty('nextCursor');
  });

  test('are returned in pages, each with the totals of all days', async () => {
    const at = (day: number) => String(FIRST_DAY + day * DAY);
    for (const [cursor, expected, next] of [
      [undefined, DAYS.slice(0, 2), at(3)],
      [at(1), DAYS.slice(1, 3), at(4)],
      // Nothing was held that day, so the page begins with the next day on which something was.
      [at(2), DAYS.slice(2, 4), at(5)],
      [at(4), DAYS.slice(3, 5), undefined],
      [at(5), DAYS.slice(4, 5), undefined],
      [at(9), [], undefined],
    ] as const) {
      const { body } = await rewards(OWNER, { limit: '2', ...(cursor && { cursor }) });
      expect([cursor, columns(body.days), body.nextCursor]).toEqual([cursor, expected, next]);
      expect(body.totals).toEqual(TOTALS);
    }
  });

  test('add up to months and years, in which days without ggAVAX are no gap', async () => {
    // FIRST_DAY is 2024-10-04. The month of October begins three days before, and is not over.
    const ofMonths = async (query = {}) => (await rewards(OWNER, { interval: '1mo', ...query })).body;
    const body = await ofMonths();
    expect([body.interval, body.totals]).toEqual(['1mo', TOTALS]);
    expect(body.days).toEqual([
      {
        ...{ timestamp: Date.UTC(2024, 9) / 1_000, closeTimestamp: FIRST_DAY + 6 * DAY, closeBlock: 70 },
        ...{ openGgAvax: '0', closeGgAvax: '1', inflowAVAX: '4.9', outflowAVAX: '3.66' },
        ...{ rateClose: '1.6', avaxInUSD: 8, aprPercent: expect.any(Number) },
        ...{ rewardAVAX: TOTALS.rewardAVAX, rewardUSD: TOTALS.rewardUSD, partial: ['rewardAVAX'] },
      },
    ]);
    expect(await ofMonths({ to: String(FIRST_DAY + DAY) })).toEqual(body);
    expect((await ofMonths({ to: String(Date.UTC(2024, 8, 30) / 1_000) })).days).toEqual([]);
    expect((await ofMonths({ limit: '0' })).days).toEqual([]);
    const [year] = (await rewards(OWNER, { interval: '1y' })).body.days;
    const { rewardAVAX } = TOTALS;
    expect(year).toMatchObject({ timestamp: Date.UTC(2024, 0) / 1_000, rewardAVAX, partial: ['rewardAVAX'] });
  });

  test('whose value in USD is not known begin the sum after them, and say so', async () => {
    const [timestamp, values] = [FIRST_DAY - DAY, { totalAssets: parseEther('9'), totalSupply: parseEther('10') }];
    await container().opened.history.write('1d', { timestamp, block: { number: 1, timestamp }, values });
    await writeRate('1d', -2 * DAY, 0, '8');
    const early = `0x${'e'.repeat(40)}`;
    await writeFlows(early, [[-2 * DAY + HOUR, 1, deposit('0.85', '1')]], 70);
    const { body, headers } = await rewards(early);
    expect(body.days.map(({ rewardUSD }: Body) => rewardUSD)).toEqual([undefined, ...Array(7).fill(0.8)]);
    expect(body).toMatchObject({
      totals: { rewardAVAX: '0.75', rewardUSD: 5.6, usdFrom: FIRST_DAY - DAY },
      partial: ['totals.rewardUSD', 'totals.rewardEUR'],
      reasons: { 'totals.rewardUSD': 'NO_PRICE', 'totals.rewardEUR': 'NO_PRICE' },
    });
    // It will not be better soon.
    expect(headers['Cache-Control']).toContain('max-age=300,');
    const [october] = (await rewards(early, { interval: '1mo' })).body.days;
    expect(october).toMatchObject({ rewardAVAX: '0.75', rewardUSD: 5.6, usdFrom: FIRST_DAY - DAY });
    const event = proxyEvent({ params: { address: early }, query: { format: 'csv', interval: '1y' } });
    const csv = await createHandler(ggAvaxAddressRewards, container())(event, lambdaContext());
    expect(csv.statusCode).toBe(200);
    expect(csv.body).toMatch(/,rewardUSD,usdFrom,usdFrom\.iso,.*\r\n.*,5\.6,/);
  });

  test('are none, with unknown totals, in a range of which nothing has been recorded', async () => {
    const since = async () => (await rewards(OWNER, { from: String(FIRST_DAY + 6 * DAY) })).body;
    const { days, totals } = await since();
    expect([days, totals]).toEqual([[], {}]);
    await cover(container().opened.ledger, 71, 80, 0);
    expect((await since()).totals).toMatchObject({ rewardAVAX: '0.05' });
  });

  test('are none in the future, with unknown totals, and before the first entry, with totals of 0', async () => {
    const tomorrow = Math.floor(Date.now() / 1_000) + DAY;
    for (const from of [tomorrow, 9_999_999_999])
      expect((await rewards(OWNER, { from: String(from) })).body).toEqual(
        expect.objectContaining({ days: [], totals: {} }),
      );
    const { body } = await rewards(OWNER, { to: String(FIRST_DAY - 1) });
    expect(body).toMatchObject({ days: [], totals: { rewardAVAX: '0', rewardUSD: 0 } });
  });
});
