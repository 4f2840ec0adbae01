import * as z from 'zod/mini';
import { CYCLE_SECONDS } from '../../history/distributions.ts';
import * as income from '../../history/income.ts';
import { startOfPeriod } from '../../history/periods.ts';
import { limitToPast } from '../../history/range.ts';
import type { LedgerContext } from '../../ledger/ledger-store.ts';
import { badParameter } from '../../runtime/errors.ts';
import { choice, list, object, partialObject } from '../fields.ts';
import { choiceParam, integerParam, timeParam } from '../params.ts';
import { address, decimal, eur, ggAvax, integer, nodeID, text, transactionHash, unixTime, usd } from '../units.ts';
import { coverage } from './coverage-body.ts';

const earner = address('Who earned it.');
const { fields: GROWTH } = object<Pick<income.Income, 'source' | 'amount'>>()({
  source: choice('IncomeSource', income.INCOME_SOURCES)(),
  amount: decimal('Amount earned, negative for a loss. Exact decimal string.'),
  token: text('Token of `amount`: AVAX or GGP.', ({ source }) => income.INCOME_TOKENS[source]),
});
const { fields: VALUE } = object<income.Income>()({
  valueUSD: usd.optional('Value at the prices at the end of each UTC day, if recorded.', ({ value }) => value.usd),
  valueEUR: eur.optional('The same in EUR, at the rate at the end of each UTC day.', ({ value }) => value.eur),
  unpricedUSD: integer('Number of days or events without such a price.', ({ unpriced }) => unpriced.usd.count),
  unpricedEUR: integer('The same for `valueEUR`.', ({ unpriced }) => unpriced.eur.count),
});
export const INCOME_ENTRY = object<income.Income>('IncomeEntry')({
  timestamp: unixTime(
    'Time of the event; for ggAVAX and sums, noon of the (first) UTC day. GGP is dated at its payment, at most an hour late and in the same UTC day.',
  ),
  address: earner,
  ...GROWTH,
  ...VALUE,
  priceUSD: usd.optional('Price of one token. Omitted for sums, and if not recorded.', ({ price }) => price.usd),
  priceEUR: eur.optional('The same in EUR.', ({ price }) => price.eur),
  runningTotal: decimal('Income of the address from this source up to here, whatever the range. Exact decimal string.'),
  ggAvaxBalance: ggAvax.optional('ggAVAX held at the end of the (last) day. Only with source `ggAvax`.'),
  txHash: transactionHash.optional(),
  nodeID: nodeID.optional('Node whose minipool paid. Only with source `minipools`, not for sums.'),
});
const TOTAL = object<income.Income>('IncomeTotal')({
  year: integer('Calendar year, UTC.', ({ timestamp }) => new Date(timestamp * 1_000).getUTCFullYear()),
  ...GROWTH,
  ...VALUE,
  unpricedAmountUSD: decimal('Part of `amount` without a price for `valueUSD`.', ({ unpriced }) => unpriced.usd.amount),
  unpricedAmountEUR: decimal('The same for `valueEUR`.', ({ unpriced }) => unpriced.eur.amount),
});
const UNDATED = object<income.UndatedIncome>('UndatedIncome')({
  from: unixTime('Start.'),
  before: unixTime('End: the first recorded time after it.'),
  address: earner,
  ...GROWTH,
});

const coverageBySource = object<income.ListedIncome['coverage']>()({
  ggAvax: coverage.optional(),
  minipools: coverage.optional(),
  ggp: coverage.optional(),
});

export const INCOME_BODY = partialObject<income.ListedIncome>('IncomeField')({
  entries: list(INCOME_ENTRY)(
    'Oldest first.',
    ({ entries }) => entries,
    ({ isDoubted, isBehind }) => (isDoubted ? 'MISMATCH' : isBehind ? 'NOT_RECORDED' : undefined),
  ),
  totals: list(TOTAL)(
    'Sums by year and source of all addresses, oldest first. Years without income are not listed.',
    ({ totals }) => totals,
    ({ undated }) => (undated.length > 0 ? 'NOT_RECORDED' : undefined),
  ),
  undated: list(UNDATED).optional(
    'Growth in the range, or partly in it, that is not recorded day by day. It counts for no year: it is in no entry and no total, and without a price. Omitted if there is none.',
    ({ undated }) => (undated.length > 0 ? undated : undefined),
  ),
  coverage: coverageBySource(
    'Range in which all income from each requested source is listed; for several addresses, the shortest. GGP of a rewards cycle is listed once the cycle is over, so that of `ggp` ends where the current cycle started.',
  ),
});

export const INCOME_PARAMS = {
  year: z.optional(integerParam(2023, 2100, 'Calendar year (UTC), within `from` and `to`.')),
  from: z.optional(timeParam('Earliest time, inclusive.')),
  to: z.optional(timeParam('Latest time, inclusive.')),
  currency: z.optional(
    // No default in the schema: generated clients send it, also with formats that have no currency.
    choiceParam(['usd', 'eur'], 'Only with `format=koinly` or `format=rotki`. `usd` if omitted.', 'Currency'),
  ),
  source: z._default(choiceParam([...income.INCOME_SOURCES, 'all'], 'Source of the income.'), 'all'),
  interval: z._default(
    choiceParam(['event', '1d', '1mo'], 'Events, or sums by address, source and UTC period.'),
    'event',
  ),
};

export type IncomeQuery = z.output<z.ZodMiniObject<typeof INCOME_PARAMS>>;

/** What the endpoints of income share. */
export const incomeEndpoint = {
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  /** Maps all requests with the same entries to the same range. */
  normalizeInput<Query extends IncomeQuery>({ year, ...query }: Query, context: LedgerContext) {
    if (!year) return limitToPast(query, context);
    const [start, next] = [year, year + 1].map((first) => Date.UTC(first, 0) / 1_000) as [number, number];
    const { from = start, to = next } = query;
    return limitToPast({ ...query, from: Math.max(start, from), to: Math.min(next - 1, to) }, context);
  },
  /** The growth of a day counts at noon, and is known at its end. A file need not have the GGP of a cycle that is not due. */
  validUntil: ({ to }: IncomeQuery) =>
    to && { ggAvax: startOfPeriod(to - income.NOON, '1d', 1), minipools: to, ggp: to - CYCLE_SECONDS },
  check: ({ currency, format = '' }: { currency?: string | undefined; format?: string }) => ({
    currency: currency && !['koinly', 'rotki'].includes(format) && 'is only for format=koinly and format=rotki',
  }),
  tooLong: badParameter('address', 'has more than 4 MB: ask for fewer addresses, for a year, or for interval=1mo'),
} as const;
