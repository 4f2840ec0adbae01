import * as z from 'zod/mini';
import { limitParam } from '../../lib/api/bodies/activity-body.ts';
import { coverage } from '../../lib/api/bodies/coverage-body.ts';
import { forAll, type Lacks, ledgerGapReason, partialFields } from '../../lib/api/bodies/partial-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { choice, fields, json, list, object } from '../../lib/api/fields.ts';
import { csvFormat, JSON_FORMAT } from '../../lib/api/formats.ts';
import { nextCursor } from '../../lib/api/lists.ts';
import { addressParam, choiceParam, timeCursorParam, timeParam } from '../../lib/api/params.ts';
import { model } from '../../lib/api/schemas.ts';
import { address, avax, eur, flag, ggAvax, integer, percent, unixTime, usd } from '../../lib/api/units.ts';
import { isPriced, type KnownSum } from '../../lib/history/holder-flows.ts';
import { type HolderPeriod, rangeOf } from '../../lib/history/holder-periods.ts';
import { holderSpansDataset } from '../../lib/history/holder-spans-dataset.ts';
import { PERIODS, type PeriodLength, startOfPeriod } from '../../lib/history/periods.ts';
import { boundaryFrom, INTERVAL_SECONDS } from '../../lib/history/series.ts';
import type { Coverage } from '../../lib/ledger/coverage.ts';
import { limitToLedger } from '../../lib/ledger/limit-to-ledger.ts';
import { annualRate } from '../../lib/rewards/holder-yield.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { divWad } from '../../lib/values/wad.ts';

const TOTALS = ['totals.rewardAVAX', 'totals.rewardUSD', 'totals.rewardEUR'] as const;

const USD_FROM = unixTime.optional(
  'Start of the first day in `rewardUSD`, if it lacks earlier ones.',
  ({ usd }: Pick<Totals, 'usd'>) => usd?.from,
);
const EUR_FROM = unixTime.optional(
  'Start of the first day in `rewardEUR`, if it lacks earlier ones.',
  ({ eur }: Pick<Totals, 'eur'>) => eur?.from,
);

const PERIOD = fields<HolderPeriod>()({
  timestamp: unixTime(
    'Start of the UTC day, month or year, or of the first one that the entry covers.',
    ({ start }) => start,
  ),
  closeTimestamp: unixTime(
    'End of the last day in the entry on which ggAVAX was held or moved, or the latest recorded time of a day that is not over.',
    ({ close }) => close.time,
  ),
  closeBlock: integer.optional(
    'Last block at or before `closeTimestamp`. The values at the end are the state at this block.',
    ({ close }) => close.block,
  ),
  openGgAvax: ggAvax('ggAVAX held at the start.', ({ openShares }) => openShares),
  closeGgAvax: ggAvax('ggAVAX held at the end.', ({ closeShares }) => closeShares),
  rateOpen: avax.optional(
    'Redemption rate of one ggAVAX at the start. Omitted if nothing was held then and no rate is recorded, or if a month or year began without ggAVAX.',
    ({ open, start }) => (open.time === start ? open.avaxPerGgAvax : undefined),
  ),
  rateClose: avax.optional('Redemption rate of one ggAVAX at the end.', ({ close }) => close.avaxPerGgAvax),
  inflowAVAX: avax(
    'Value of ggAVAX that came in, each inflow at the redemption rate of its block. What the withdrawal queue gave back counts as the AVAX it had promised, so that growth since then is a reward.',
    ({ inflow }) => inflow,
  ),
  outflowAVAX: avax(
    'Value of ggAVAX that went out, each outflow at the redemption rate of its block.',
    ({ outflow }) => outflow,
  ),
  rewardAVAX: avax(
    'Reward: value at the end − value at the start + `outflowAVAX` − `inflowAVAX`. Negative for a loss.',
    ({ reward }) => reward,
  ),
  aprPercent: percent.optional('Annualized reward as a share of the average value held, not compounded.', (period) =>
    annualRate(period),
  ),
  avaxInUSD: usd.optional('Price of one AVAX at the end.', ({ close }) => close.avaxInUSD),
  rewardUSD: usd.optional(
    '`rewardAVAX` × `avaxInUSD`, or the sum of that over the days of a month or year. Omitted if the price is unknown or not each day is recorded, unless the reward is 0. If that is so for some days of a month or year only, the sum begins after them, at `usdFrom`.',
    ({ usd }) => usd.total,
  ),
  usdFrom: USD_FROM,
  avaxInEUR: eur.optional('Price of one AVAX at the end.', ({ close }) =>
    ifKnown(divWad, close.avaxInUSD, close.eurInUSD),
  ),
  rewardEUR: eur.optional(
    'Like `rewardUSD`, at the prices of AVAX and of the euro at the end of each day.',
    ({ eur }) => eur.total,
  ),
  eurFrom: EUR_FROM,
  incomplete: flag.optional(
    '`true` if the entry is not exactly one day, month or year: it is not over, or the entry also covers following ones, because days between them were not recorded, and so may begin before `from` or end after `to`. Omitted otherwise.',
    ({ isWhole }) => !isWhole || undefined,
  ),
});

/** Totals over all entries; empty if they are unknown. */
interface Totals {
  reward?: bigint;
  usd?: KnownSum;
  eur?: KnownSum;
}

const totals = object(
  undefined,
  fields<Totals>()({
    rewardAVAX: avax.optional(
      'Sum over the entries. Also omitted while `coverage.complete` is false, unless the range ends before `coverage.toTimestamp`, or if the beginning of the range has not been recorded yet.',
      ({ reward }) => reward,
    ),
    rewardUSD: usd.optional(
      'Sum over the days. Also omitted if the value of the last one is unknown. If that of an earlier one is, the sum begins after it, at `usdFrom`.',
      ({ usd }) => usd?.total,
    ),
    usdFrom: USD_FROM,
    rewardEUR: eur.optional('The same in EUR.', ({ eur }) => eur?.total),
    eurFrom: EUR_FROM,
  }),
);

interface Rewards {
  address: string;
  interval: PeriodLength;
  days: HolderPeriod[];
  totals: Totals;
  nextCursor: string | undefined;
  coverage: Coverage;
  /** Reasons for missing totals. */
  lacks: Lacks<(typeof TOTALS)[number]>;
}

const REWARDS = fields<Rewards>()({
  address: address('Address of the holder.', ({ address }) => address),
  interval: choice('Period', PERIODS)('Period of each entry.', ({ interval }) => interval),
  days: list(object('RewardDay', PERIOD))(
    'Entries that overlap the range, oldest first: one for each UTC day (or month, or year, as `interval` says) in which ggAVAX was held or moved, or one for several if days in between were not recorded.',
    ({ days }) => days,
  ),
  totals: totals(
    'Totals over all entries from `from` to `to`, on all pages, up to the end of the last entry. All are omitted if an entry also covers time before the period of `from` or after that of `to`, because its reward cannot be divided.',
    ({ totals }) => totals,
  ),
  nextCursor: json(nextCursor, ({ nextCursor }) => nextCursor),
  coverage: coverage(),
  ...partialFields(TOTALS, 'RewardTotal', ({ lacks }: Rewards) => lacks),
});

const DAY = INTERVAL_SECONDS['1d'];

export const ggAvaxAddressRewards = defineEndpoint({
  path: '/ggAvax/{address}/rewards',
  tag: 'ggAVAX',
  summary: 'ggAVAX rewards of one address by day, month or year',
  description:
    'Rewards for each UTC day, month or year, computed from the recorded state at the start and end of each day, with each inflow and outflow valued at the redemption rate of its block. The sum over all days equals, to the wei, `rewardsAVAX` of `/ggAvax/{address}` at the end of the last day. `days` ends at `coverage.confirmedBlock`, and is empty while there is none.',
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
    limit: limitParam(),
    // Start of a day.
    cursor: z.optional(timeCursorParam()),
  }),
  // A day is identified by its start, also where `handle` gets one.
  async normalizeInput({ cursor, ...input }, context) {
    const begin = (time: number) => boundaryFrom(time, '1d');
    return { ...(await limitToLedger(input, context, DAY)), cursor: ifKnown(begin, cursor) };
  },
  response: () => model('GgAvaxRewards', z.object(REWARDS.shape())),
  formats: {
    json: JSON_FORMAT,
    csv: {
      ...csvFormat('days'),
      validUntil: ({ to, interval }) => ifKnown((time) => startOfPeriod(time, interval, 1), to),
    },
  },
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65/rewards?limit=3',
  async handle({ address, interval, from = 0, to, limit, cursor = 0 }, context) {
    const { coverage, until, spans } = await context.dataset(holderSpansDataset(address.toLowerCase()));
    const first = startOfPeriod(from, interval);
    const end = to === undefined ? Number.POSITIVE_INFINITY : startOfPeriod(to, interval, 1);
    const range = rangeOf(spans, { length: interval, first, end }, until);
    const { usd, eur } = range;
    const begin = range.periods.findIndex(({ start }) => start >= cursor);
    const rest = begin < 0 ? [] : range.periods.slice(begin, begin + limit + 1);
    const unknown =
      (end <= until ? undefined : ledgerGapReason(coverage)) ??
      // Rewards that are not recorded yet are unknown, not 0.
      (first >= until
        ? 'NOT_RECORDED_YET'
        : // The part of an entry's reward that was earned in the range is unknown.
          range.isDivided
          ? 'NOT_DIVISIBLE'
          : undefined);
    return REWARDS.body({
      address,
      interval,
      days: rest.slice(0, limit),
      totals: unknown ? {} : { reward: range.reward, usd, eur },
      nextCursor: limit === 0 ? undefined : ifKnown(String, rest[limit]?.start),
      coverage,
      lacks: {
        ...(unknown && forAll(TOTALS, unknown)),
        ...(!unknown && !isPriced(usd) && { 'totals.rewardUSD': 'PRICE_NOT_RECORDED' }),
        ...(!unknown && !isPriced(eur) && { 'totals.rewardEUR': 'PRICE_NOT_RECORDED' }),
      },
    });
  },
});

export const handler = createHandler(ggAvaxAddressRewards);
