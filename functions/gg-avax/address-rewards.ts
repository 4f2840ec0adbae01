import * as z from 'zod/mini';
import { limitParam } from '../../lib/api/bodies/activity-body.ts';
import { coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { forAll, missingReason, partialBody, partialSchema } from '../../lib/api/bodies/partial-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { nextCursor } from '../../lib/api/lists.ts';
import { addressParam, choiceParam, currencyParam, timeCursorParam, timeParam } from '../../lib/api/params.ts';
import { address, flag, integer, model, percent, quantity, tokens, unixTime } from '../../lib/api/schemas.ts';
import { isPriced, type KnownSum } from '../../lib/history/holder-flows.ts';
import type { HolderPeriod } from '../../lib/history/holder-periods.ts';
import { rangeOf } from '../../lib/history/holder-range.ts';
import { holderSpansDataset } from '../../lib/history/holder-spans-dataset.ts';
import { PERIODS, startOfPeriod } from '../../lib/history/periods.ts';
import { boundaryFrom, INTERVAL_SECONDS } from '../../lib/history/series.ts';
import { limitToLedger } from '../../lib/ledger/limit-to-ledger.ts';
import { annualRate } from '../../lib/rewards/holder-yield.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount, percentFrom, toNumber } from '../../lib/values/amounts.ts';
import { divWad } from '../../lib/values/wad.ts';

const TOTALS = ['totals.rewardAVAX', 'totals.rewardUSD'] as const;
const TOTALS_IN_EUR = [...TOTALS, 'totals.rewardEUR'] as const;

const day = () =>
  model(
    'RewardDay',
    z.object({
      timestamp: unixTime('Start of the UTC day, month or year, or of the first one that the entry covers.'),
      closeTimestamp: unixTime(
        'End of the last day in the entry on which ggAVAX was held or moved, or the latest recorded time of a day that is not over.',
      ),
      closeBlock: z.optional(
        integer('Last block at or before `closeTimestamp`. The values at the end are the state at this block.'),
      ),
      openGgAvax: tokens('ggAVAX', 'ggAVAX held at the start.'),
      closeGgAvax: tokens('ggAVAX', 'ggAVAX held at the end.'),
      rateOpen: z.optional(
        tokens(
          'AVAX',
          'Redemption rate of one ggAVAX at the start. Omitted if nothing was held then and no rate is recorded, or if a month or year began without ggAVAX.',
        ),
      ),
      rateClose: z.optional(tokens('AVAX', 'Redemption rate of one ggAVAX at the end.')),
      inflowAVAX: tokens(
        'AVAX',
        'Value of ggAVAX that came in, each inflow at the redemption rate of its block. What the withdrawal queue gave back counts as the AVAX it had promised, so that growth since then is a reward.',
      ),
      outflowAVAX: tokens('AVAX', 'Value of ggAVAX that went out, each outflow at the redemption rate of its block.'),
      rewardAVAX: tokens(
        'AVAX',
        'Reward: value at the end − value at the start + `outflowAVAX` − `inflowAVAX`. Negative for a loss.',
      ),
      aprPercent: z.optional(percent('Annualized reward as a share of the average value held, not compounded.')),
      avaxInUSD: z.optional(quantity('USD', 'Price of one AVAX at the end.')),
      rewardUSD: z.optional(
        quantity(
          'USD',
          '`rewardAVAX` × `avaxInUSD`, or the sum of that over the days of a month or year. Omitted if the price is unknown or not each day is recorded, unless the reward is 0. If that is so for some days of a month or year only, the sum begins after them, at `usdFrom`.',
        ),
      ),
      usdFrom: z.optional(unixTime('Start of the first day in `rewardUSD`, if it lacks earlier ones.')),
      avaxInEUR: z.optional(quantity('EUR', 'Price of one AVAX at the end. Only with `currency=eur`.')),
      rewardEUR: z.optional(
        quantity(
          'EUR',
          'Like `rewardUSD`, at the prices of AVAX and of the euro at the end of each day. Only with `currency=eur`.',
        ),
      ),
      eurFrom: z.optional(unixTime('Start of the first day in `rewardEUR`, if it lacks earlier ones.')),
      partial: z.optional(
        flag(
          '`true` if the entry is not exactly one day, month or year: it is not over, or the entry also covers following ones, because days between them were not recorded, and so may begin before `from` or end after `to`. Omitted otherwise.',
        ),
      ),
    }),
  );

const response = () =>
  model(
    'GgAvaxRewards',
    z.object({
      address: address('Address of the holder.'),
      interval: model('Period', z.enum(PERIODS)).check(z.describe('Period of each entry.')),
      days: z
        .array(day())
        .check(
          z.describe(
            'Entries that overlap the range, oldest first: one for each UTC day (or month, or year, as `interval` says) in which ggAVAX was held or moved, or one for several if days in between were not recorded.',
          ),
        ),
      totals: z
        .object({
          rewardAVAX: z.optional(
            tokens(
              'AVAX',
              'Sum over the entries. Also omitted while `coverage.complete` is false, unless the range ends before `coverage.provenAt`, or if the beginning of the range has not been recorded yet.',
            ),
          ),
          rewardUSD: z.optional(
            quantity(
              'USD',
              'Sum over the days. Also omitted if the value of the last one is unknown. If that of an earlier one is, the sum begins after it, at `usdFrom`.',
            ),
          ),
          usdFrom: z.optional(unixTime('Start of the first day in `rewardUSD`, if it lacks earlier ones.')),
          rewardEUR: z.optional(quantity('EUR', 'The same in EUR. Only with `currency=eur`.')),
          eurFrom: z.optional(unixTime('Start of the first day in `rewardEUR`, if it lacks earlier ones.')),
        })
        .check(
          z.describe(
            'Totals over all entries from `from` to `to`, on all pages, up to the end of the last entry. All are omitted if an entry also covers time before the period of `from` or after that of `to`, because its reward cannot be divided.',
          ),
        ),
      nextCursor: nextCursor(),
      coverage: coverageSchema(),
      ...partialSchema(TOTALS_IN_EUR, 'RewardTotal'),
    }),
  );

const DAY = INTERVAL_SECONDS['1d'];

export const ggAvaxAddressRewards = defineEndpoint({
  path: '/ggAvax/{address}/rewards',
  tag: 'ggAVAX',
  summary: 'ggAVAX rewards of one address by day, month or year',
  description:
    'Rewards for each UTC day, month or year, computed from the recorded state at the start and end of each day, with each inflow and outflow valued at the redemption rate of its block. The sum over all days equals, to the wei, `rewardsAVAX` of `/ggAvax/{address}` at the end of the last day. `days` is empty while earlier blocks are not searched; while `coverage.contradicts`, or if the address has too many events, it ends before `coverage.provenAt`, and is empty if there is none.',
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  input: z.object({
    address: addressParam('Address of the holder.'),
    interval: z._default(
      choiceParam(PERIODS, 'Period of each entry: a UTC day, month or year. Defaults to `1d`.', 'Period'),
      '1d',
    ),
    from: z.optional(
      timeParam(
        'A time in the first UTC day, month or year to return, a Unix timestamp in seconds. If an entry of several began earlier and reaches into it, it is returned, too, and `totals` are omitted. Must not be after `to`. Defaults to the first one.',
      ),
    ),
    to: z.optional(
      timeParam(
        'A time in the last UTC day, month or year to return, a Unix timestamp in seconds. If an entry of several ends later, `totals` are omitted. Defaults to the last one.',
      ),
    ),
    currency: currencyParam(
      'Currency of the values. `eur` adds those in EUR, at the price of the euro at the end of each day.',
    ),
    limit: limitParam(),
    // The start of a day.
    cursor: z.optional(timeCursorParam()),
  }),
  // A day is identified by its start, also where `handle` gets one.
  async normalizeInput({ cursor, ...input }, context) {
    const begin = (time: number) => boundaryFrom(time, '1d');
    return { ...(await limitToLedger(input, context, DAY)), cursor: ifKnown(begin, cursor) };
  },
  response,
  rows: 'days',
  rowsUntil: ({ to, interval }) => ifKnown((time) => startOfPeriod(time, interval, 1), to),
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65/rewards?limit=3&currency=eur',
  async handle({ address, interval, from = 0, to, currency, limit, cursor = 0 }, context) {
    const { coverage, until, spans } = await context.dataset(holderSpansDataset(address.toLowerCase()));
    const first = startOfPeriod(from, interval);
    const end = to === undefined ? Number.POSITIVE_INFINITY : startOfPeriod(to, interval, 1);
    const range = rangeOf(spans, { length: interval, first, end }, until);
    const { usd, eur } = range;
    const begin = range.periods.findIndex(({ start }) => start >= cursor);
    const rest = begin < 0 ? [] : range.periods.slice(begin, begin + limit + 1);
    const unknown =
      (end <= until ? undefined : missingReason(coverage)) ??
      // What nobody has recorded yet is unknown, not 0.
      (first >= until
        ? 'NOT_RECORDED_YET'
        : // The part of an entry's reward that was earned in the range is not known.
          range.isDivided
          ? 'NOT_DIVISIBLE'
          : undefined);
    const inEUR = currency === 'eur';
    return {
      address,
      interval,
      days: rest.slice(0, limit).map((period) => ({ ...periodBody(period), ...(inEUR && periodEUR(period)) })),
      totals: unknown
        ? {}
        : {
            rewardAVAX: formatAmount(range.reward),
            ...totalUSD(usd),
            ...(inEUR && totalEUR(eur)),
          },
      nextCursor: limit === 0 ? undefined : ifKnown(String, rest[limit]?.start),
      coverage,
      ...partialBody({
        ...(unknown && forAll(inEUR ? TOTALS_IN_EUR : TOTALS, unknown)),
        ...(!unknown && !isPriced(usd) && { 'totals.rewardUSD': 'PRICE_NOT_RECORDED' }),
        ...(!unknown && inEUR && !isPriced(eur) && { 'totals.rewardEUR': 'PRICE_NOT_RECORDED' }),
      }),
    };
  },
});

function totalUSD({ total, from }: KnownSum) {
  return { rewardUSD: toNumber(total), usdFrom: from };
}

function totalEUR({ total, from }: KnownSum) {
  return { rewardEUR: toNumber(total), eurFrom: from };
}

function periodEUR({ close, eur }: HolderPeriod) {
  return { avaxInEUR: toNumber(ifKnown(divWad, close.avaxInUSD, close.eurInUSD)), ...totalEUR(eur) };
}

function periodBody(period: HolderPeriod) {
  const { start, open, close } = period;
  return {
    timestamp: start,
    closeTimestamp: close.time,
    closeBlock: close.block,
    openGgAvax: formatAmount(period.openShares),
    closeGgAvax: formatAmount(period.closeShares),
    rateOpen: open.time === start ? formatAmount(open.avaxPerGgAvax) : undefined,
    rateClose: formatAmount(close.avaxPerGgAvax),
    inflowAVAX: formatAmount(period.inflow),
    outflowAVAX: formatAmount(period.outflow),
    rewardAVAX: formatAmount(period.reward),
    aprPercent: percentFrom(annualRate(period)),
    avaxInUSD: toNumber(close.avaxInUSD),
    ...totalUSD(period.usd),
    partial: period.isWhole ? undefined : true,
  };
}

export const handler = createHandler(ggAvaxAddressRewards);
