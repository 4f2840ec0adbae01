import * as z from 'zod/mini';
import { coverageBody, coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { incomeFormats } from '../../lib/api/bodies/income-files.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { fields, json } from '../../lib/api/fields.ts';
import { addressParam, CURRENCIES, choiceParam, currencyParam, integerParam, timeParam } from '../../lib/api/params.ts';
import { address, model } from '../../lib/api/schemas.ts';
import { decimal, integer, money, text, transactionHash, unixTime } from '../../lib/api/units.ts';
import * as income from '../../lib/history/income.ts';
import { limitToLedger } from '../../lib/ledger/limit-to-ledger.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';

const EARNED = {
  source: json(
    () => model('IncomeSource', z.enum(income.INCOME_SOURCES)),
    ({ source }: income.Income) => source,
  ),
  amount: decimal('Amount earned, negative for a loss. Exact decimal string.', ({ amount }: income.Income) => amount),
  token: text('Token of `amount`: AVAX or GGP.', ({ source }: income.Income) => income.INCOME_TOKENS[source]),
  value: money.optional(
    'Value at the prices at the end of each UTC day. Omitted if none is recorded.',
    ({ value }: income.Income) => value,
  ),
  missingPrices: integer(
    'Days or events whose price is not recorded, which `value` lacks.',
    ({ missingPrices }: income.Income) => missingPrices,
  ),
};
const ENTRY = fields<income.Income>()({
  timestamp: unixTime(
    'Of the event; of ggAVAX and of sums, the start of the UTC day or month.',
    ({ timestamp }) => timestamp,
  ),
  ...EARNED,
  price: money.optional('Price of one token. Omitted for sums, and if it is not recorded.', ({ price }) => price),
  txHash: transactionHash.optional('', ({ txHash }) => txHash),
});
const TOTAL = fields<income.Income>()({
  year: integer('Calendar year, UTC.', ({ timestamp }) => new Date(timestamp * 1_000).getUTCFullYear()),
  ...EARNED,
});

export const accountsAddressIncome = defineEndpoint({
  path: '/accounts/{address}/income',
  tag: 'Accounts',
  summary: 'Everything one address has earned',
  description:
    'What an address has earned from every source, in one list and as totals by calendar year: the growth of its ggAVAX day by day, what each cycle of its minipools paid, and the GGP that each rewards cycle brought, claimed or not. Amounts add up to those of `/ggAvax/{address}/rewards` and `/rewards/{address}/cycles` to the wei. Growth over several days, between which nothing was recorded, is an entry of the last one, without a price. Never a page: all entries are returned. `format=koinly` and `format=rotki` are files that these tax tools import. `entries` and `totals` end at `coverage.confirmedBlock`, and are empty while there is none.',
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  input: z.object({
    address: addressParam('The address.'),
    year: z.optional(integerParam(2023, 2100, 'Only this calendar year (UTC), within `from` and `to`.')),
    from: z.optional(timeParam('Earliest time, inclusive, as a Unix timestamp in seconds.')),
    to: z.optional(timeParam('Latest time, inclusive, as a Unix timestamp in seconds.')),
    currency: currencyParam('Currency of the values.'),
    source: z._default(
      choiceParam([...income.INCOME_SOURCES, 'all'], 'Source of the income. Defaults to `all`.'),
      'all',
    ),
    interval: z._default(
      choiceParam(
        ['event', '1d', '1mo'],
        'Each event on its own, or sums by source and UTC day or month. Defaults to `event`.',
      ),
      'event',
    ),
  }),
  normalizeInput: ({ year, ...input }, context) => limitToLedger(year ? inYear(year, input) : input, context),
  response: () =>
    z.object({
      address: address('The address.'),
      currency: model('Currency', z.enum(CURRENCIES)),
      entries: z.array(model('IncomeEntry', z.object(ENTRY.shape()))).check(z.describe('Oldest first.')),
      totals: z
        .array(model('IncomeTotal', z.object(TOTAL.shape())))
        .check(z.describe('Sums by year and source, oldest first.')),
      coverage: coverageSchema(),
    }),
  formats: incomeFormats(({ to, source }: { to?: number | undefined; source: income.IncomeSource | 'all' }) =>
    ifKnown((time) => income.knownFrom(time, source), to),
  ),
  exampleRequest: '/accounts/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/income?interval=1mo',
  async handle({ address, from = 0, to = Number.POSITIVE_INFINITY, currency, source, interval }, context) {
    const sources = source === 'all' ? income.INCOME_SOURCES : [source];
    const { income: all, coverage } = await income.readIncome(context, address.toLowerCase(), { sources, currency });
    const wanted = all.filter(({ timestamp }) => from <= timestamp && timestamp <= to);
    const entries = interval === 'event' ? wanted : income.sumIncome(wanted, interval);
    const totals = income.sumIncome(wanted, '1y');
    return {
      address,
      currency,
      entries: entries.map(ENTRY.body),
      totals: totals.map(TOTAL.body),
      coverage: coverageBody(coverage),
    };
  },
});

/** The part of a range that is in a calendar year. */
function inYear<Range extends { from?: number | undefined; to?: number | undefined }>(
  year: number,
  range: Range,
): Range {
  const [start, next] = [year, year + 1].map((first) => Date.UTC(first, 0) / 1_000) as [number, number];
  return { ...range, from: Math.max(start, range.from ?? start), to: Math.min(next - 1, range.to ?? next) };
}

export const handler = createHandler(accountsAddressIncome);
