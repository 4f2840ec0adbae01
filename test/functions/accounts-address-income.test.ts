import { beforeAll, expect, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { accountsAddressIncome } from '../../functions/accounts/address-income.ts';
import { accountsIncome } from '../../functions/accounts/income.ts';
import { rewardsCycles } from '../../functions/rewards/cycles.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { DAY } from '../../lib/values/durations.ts';
import { clockAt } from '../support/clock.ts';
import { type Body, bodyFrom, lambdaContext, proxyEvent } from '../support/events.ts';
import { recordAllDays, recordCycles, recordDays, recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { openChain } from './devnet.ts';

/** The income of an operator who also holds ggAVAX equals the figures of the other endpoints, in every format. */

type Query = Record<string, string>;

const tables = tablesForAllTests();
/** An operator. */
let ada: string;
/** Holds ggAVAX for months. */
let address: string;
let runtime: TestRuntime;

const get = (endpoint: Endpoint, query: Query = {}, on = runtime, of = address): Promise<Body> =>
  bodyFrom(endpoint, on, { params: { address: of }, query });
const incomeOf = (query: Query = {}) => get(accountsAddressIncome, query);
/** A file, and its rows by their columns. */
async function fileOf(query: Query, of = address, on = runtime) {
  const event = proxyEvent({ params: { address: of }, query });
  const { statusCode, body, headers } = await createHandler(accountsAddressIncome, on)(event, lambdaContext());
  const lines = body.trimEnd().split('\r\n');
  const [names = [], ...rows] = lines.map((line) => line.split(','));
  const toRow = (cells: string[]) => Object.fromEntries(names.map((name, at) => [name, cells[at] as string]));
  return { statusCode, body, headers, names, lines, rows: rows.map(toRow) as Body[] };
}
const isoTime = (seconds: number) => new Date(seconds * 1_000).toISOString();
const sum = (amounts: string[]) => amounts.reduce((total, amount) => total + parseEther(amount), 0n);
const amountsFrom = (source: string, entries: Body[]) =>
  entries.filter((entry) => entry.source === source).map(({ amount }) => amount);

beforeAll(async () => {
  const chain = await openChain();
  ada = chain.people.ada;
  address = chain.people.alba;
  chain.rpc.close();
  await recordLedger();
  await recordAllDays();
  await recordCycles();
  runtime = startOnDevnet();
});

test('by day and by month, the amounts are the same; a year is a part of all', async () => {
  const { entries, totals } = await incomeOf();
  for (const [interval, digits] of [
    ['1d', '2026-11-25'.length],
    ['1mo', '2026-11'.length],
  ] as const) {
    const sums = (await incomeOf({ interval })).entries;
    const periods = entries.map(({ timestamp, source }: Body) => [isoTime(timestamp).slice(0, digits), source].join());
    expect(sums.map(({ timestamp, source }: Body) => [isoTime(timestamp).slice(0, digits), source].join())).toEqual([
      ...new Set(periods),
    ]);
    for (const source of ['ggAvax', 'ggp', 'minipools'])
      expect(sum(amountsFrom(source, sums))).toBe(sum(amountsFrom(source, entries)));
  }
  const years = [...new Set<number>(totals.map(({ year }: Body) => year))];
  const parts = await Promise.all(years.map((year) => incomeOf({ year: String(year) })));
  expect(parts.flatMap((part) => part.totals)).toEqual(totals);
  expect((await incomeOf({ source: 'ggp' })).totals).toEqual(totals.filter(({ source }: Body) => source === 'ggp'));
});

test('a range has the entries of its first and its last second', async () => {
  const { entries } = await incomeOf();
  const at = entries[1].timestamp;
  for (const [range, from, to] of [
    [{ from: at }, 1, entries.length],
    [{ from: at + 1 }, 2, entries.length],
    [{ to: at }, 0, 2],
    [{ to: at - 1 }, 0, 1],
  ] as const) {
    const query = Object.fromEntries(Object.entries(range).map(([name, time]) => [name, String(time)]));
    expect((await incomeOf(query)).entries).toEqual(entries.slice(from, to));
  }
});

test.each(['minipools', 'ggp', 'ggAvax'])(
  'without the table of prices, income from %s is not available',
  async (source) => {
    const down = startOnDevnet({ HISTORY_TABLE: 'no-history', CACHE_TABLE: 'no-cache' });
    expect((await fileOf({ source, format: 'koinly' }, ada, down)).statusCode).toBe(503);
  },
);

test("Koinly's columns, dates and labels", async () => {
  const { entries } = await incomeOf();
  const { names, rows, headers } = await fileOf({ currency: 'eur', format: 'koinly' });
  expect(headers?.['Content-Disposition']).toBe(`attachment; filename="accounts-${address}-income-eur-koinly.csv"`);
  const { headers: ofYear } = await fileOf({ format: 'koinly', year: '2026' });
  expect(ofYear?.['Content-Disposition']).toBe(`attachment; filename="accounts-${address}-income-2026-usd-koinly.csv"`);
  expect(names.join()).toBe(
    'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
  );
  expect(rows).toHaveLength(entries.length);
  for (const [at, row] of rows.entries()) {
    const { timestamp, amount, token, valueEUR: value } = entries[at];
    expect(row.Date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(Date.parse(row.Date) / 1_000).toBe(timestamp);
    const isLoss = amount.startsWith('-');
    const [moved, other] = isLoss ? ['Sent', 'Received'] : ['Received', 'Sent'];
    expect([row[`${moved} Amount`], row[`${moved} Currency`]]).toEqual([amount.replace('-', ''), token]);
    expect([row[`${other} Amount`], row.Label]).toEqual(['', isLoss ? 'lost' : 'reward']);
    expect(row['Net Worth Currency']).toBe(value === undefined ? '' : 'EUR');
    expect(Number(row['Net Worth Amount'])).toBeCloseTo(Math.abs(value ?? 0), 9);
    expect(/not recorded/.test(row.Description)).toBe(value === undefined);
  }
});

test("what rotki's importer of generic events reads: a known type, milliseconds, and positive amounts", async () => {
  const { entries } = await incomeOf();
  const { names, rows } = await fileOf({ format: 'rotki' });
  expect(names.join()).toBe('Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp');
  const types: Record<string, 1n | -1n> = { Staking: 1n, Income: 1n, Loss: -1n, Spend: -1n };
  const read = rows.map((row) => ({
    timestamp: Number(row.Timestamp) / 1_000,
    token: row.Currency === 'AVAX' ? 'AVAX' : /^eip155:43114\/erc20:0x\w{40}$/.test(row.Currency) && 'GGP',
    wei: (types[row.Type] ?? 0n) * parseEther(row.Amount),
  }));
  expect(read).toEqual(
    entries.map(({ timestamp, token, amount }: Body) => ({ timestamp, token, wei: parseEther(amount) })),
  );
  for (const [at, { Description }] of rows.entries()) {
    const { valueUSD } = entries[at];
    if (valueUSD === undefined) expect(Description).toMatch(/not recorded/);
    else expect(Description).toContain(`worth ${Math.abs(valueUSD).toFixed(10)} USD`);
  }
});

test('several addresses are one list and one file, with the entries and sums of each', async () => {
  const query = { address: [ada, address].join() };
  const together = await bodyFrom(accountsIncome, runtime, { query });
  const each = await Promise.all([ada, address].map((one) => get(accountsAddressIncome, {}, runtime, one)));
  for (const one of each) {
    const own = together.entries.filter((entry: Body) => entry.address === one.address);
    expect(own).toEqual(one.entries);
    expect(own.length).toBeGreaterThan(0);
  }
  expect(together.entries).toHaveLength(each.flatMap(({ entries }) => entries).length);
  for (const source of ['ggAvax', 'minipools', 'ggp'] as const)
    expect(together.coverage[source]?.toTimestamp).toBe(
      Math.min(...each.map(({ coverage }) => Number(coverage[source]?.toTimestamp))),
    );
});

test('names up to when each source is known: GGP up to the start of the running cycle, in files too', async () => {
  const { coverage, entries } = await get(accountsAddressIncome, {}, runtime, ada);
  const [ggp, minipools] = [Number(coverage.ggp?.toTimestamp), Number(coverage.minipools?.toTimestamp)];
  const [{ startTime }] = (await get(rewardsCycles)).cycles;
  expect(ggp).toBe(startTime);
  expect(ggp).toBeLessThan(minipools);
  const rows = (await fileOf({ format: 'koinly', source: 'ggp' }, ada)).lines.slice(1);
  expect(rows).toHaveLength(amountsFrom('ggp', entries).length);
  expect(rows.filter((row) => row.includes('known up to'))).toEqual(rows.slice(-1));
  expect(rows.at(-1)).toContain(isoTime(startTime).replace('.000Z', 'Z'));
  // A range that is over lacks the cycle that ran at its end, until that is due.
  const inJanuary = startOnDevnet({}, undefined, { clock: clockAt(() => (ggp + 60 * DAY) * 1_000) });
  const file = async (to: number, source: string) => {
    const { statusCode, body } = await fileOf({ format: 'koinly', source, to: String(to) }, ada, inJanuary);
    return statusCode === 200 ? body : [statusCode, JSON.parse(body).until];
  };
  expect(await file(minipools - (minipools % DAY) - 1, 'all')).toMatch(
    new RegExp(`GGP rewards.*known up to ${isoTime(startTime).slice(0, 19)}`),
  );
  expect(await file(ggp + 30 * DAY, 'ggp')).toContain('known up to');
  expect(await file(ggp + 30 * DAY + 1, 'ggp')).toEqual([409, ggp]);
  expect(await file(ggp, 'ggp')).not.toContain('known up to');
  expect(await file(minipools, 'minipools')).not.toContain('known up to');
  expect(await file(minipools + 1, 'minipools')).toEqual([409, minipools]);
  // Holders who have never staked have no pending GGP rewards.
  const holder = await incomeOf();
  expect(holder.coverage.ggp).toEqual(holder.coverage.minipools);
  // Growth is known up to the newest recorded day or hour.
  const newest = (await readRecordedRates(runtime.opened)).at(-1);
  expect(holder.coverage.ggAvax).toMatchObject({ toBlock: newest?.block, toTimestamp: newest?.time });
});

test.each(['json', 'csv'])('refuses a currency for %s, which has both', async (format) => {
  const { statusCode, body } = await fileOf({ format, currency: 'eur' });
  const refused = { parameter: 'currency', message: 'is only for format=koinly and format=rotki' };
  expect([statusCode, JSON.parse(body).errors]).toEqual([400, [refused]]);
});

test('a mismatch marks the answers about its own address, and changes nothing', async () => {
  const whole = await incomeOf();
  const other = await get(accountsAddressIncome, {}, runtime, ada);
  const { ledger, chain } = runtime.opened;
  const differs = { contract: 'TokenggAVAX', ledger: '1', chain: '2', block: (await chain.head()).number };
  const own = { key: address.toLowerCase(), address: address.toLowerCase() };
  const mismatches = [
    { ...differs, view: 'balanceOf', ...own },
    { ...differs, view: 'totalSupply' },
  ];
  await ledger.progress.updateDoubts(0, (doubts) => ({ ...doubts, mismatches }));
  const on = startOnDevnet({ CACHE_TABLE: 'no-cache' });
  const marked = { partial: ['entries'], reasons: { entries: 'MISMATCH' } };
  expect(await get(accountsAddressIncome, {}, on)).toEqual({ ...whole, ...marked });
  expect(await get(accountsAddressIncome, {}, on, ada)).toEqual(other);
  expect(await get(accountsAddressIncome, { source: 'minipools' }, on)).not.toHaveProperty('partial');
  await ledger.progress.updateDoubts(0, (doubts) => ({ ...doubts, mismatches: [] }));
});

test('growth that is not known by day counts for no year, and has no file', async () => {
  const { entries, totals } = await incomeOf({ source: 'ggAvax' });
  await tables.renew();
  await recordLedger();
  await recordDays(5);
  runtime = startOnDevnet();
  const { undated, ...known } = await incomeOf({ source: 'ggAvax' });
  const later = entries.slice(-known.entries.length);
  const [growth] = undated;
  expect(undated).toEqual([{ address, source: 'ggAvax', token: 'AVAX', ...growth }]);
  // All but the amounts and prices of the first days is the same.
  expect(known.entries).toEqual(later);
  expect(growth.before).toBe(known.entries[0].timestamp - DAY / 2);
  expect(sum([growth.amount, ...amountsFrom('ggAvax', known.totals)])).toBe(sum(amountsFrom('ggAvax', totals)));
  expect([known.partial, known.reasons]).toEqual([['totals'], { totals: 'NOT_RECORDED' }]);
  // It is named in each range that it may be in, and in no other.
  const from = (time: number) => incomeOf({ source: 'ggAvax', from: String(time) });
  expect((await from(growth.before - 1)).undated).toEqual(undated);
  expect(await from(growth.before)).not.toHaveProperty('partial');
  const to = (time: number) => incomeOf({ source: 'ggAvax', to: String(time) });
  expect((await to(growth.from)).undated).toEqual(undated);
  expect(await to(growth.from - 1)).not.toHaveProperty('undated');
});

test('a day without a price says so, in every form', async () => {
  await tables.renew();
  address = ada;
  await recordLedger();
  await recordCycles();
  runtime = startOnDevnet();
  const unpriced = await incomeOf({ source: 'minipools' });
  expect(unpriced.entries.length).toBeGreaterThan(0);
  for (const { unpricedUSD, unpricedEUR, valueUSD, valueEUR, priceUSD, priceEUR } of unpriced.entries)
    expect([unpricedUSD, unpricedEUR, valueUSD ?? valueEUR ?? priceUSD ?? priceEUR]).toEqual([1, 1, undefined]);
  const sums = (await incomeOf({ source: 'minipools', interval: '1mo' })).entries;
  for (const { valueUSD, valueEUR } of [...sums, ...unpriced.totals]) expect(valueUSD ?? valueEUR).toBeUndefined();
  const { rows } = await fileOf({ format: 'koinly', source: 'minipools' });
  for (const row of rows)
    expect([row['Net Worth Amount'], row.Description]).toEqual(['', expect.stringContaining('not recorded')]);
});
