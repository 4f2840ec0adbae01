import * as z from 'zod/mini';
import { limitParam } from '../../lib/api/bodies/activity-body.ts';
import { coverage } from '../../lib/api/bodies/coverage-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { choice, json, list, object, partialObject } from '../../lib/api/fields.ts';
import { nextCursor } from '../../lib/api/lists.ts';
import { addressParam, choiceParam, timeCursorParam, timeParam } from '../../lib/api/params.ts';
import { ledgerGapReason, priceGapReason, type Reason } from '../../lib/api/reasons.ts';
import { address, avax, eur, ggAvax, integer, percent, unixTime, usd } from '../../lib/api/units.ts';
import { holderSpansDataset } from '../../lib/history/holder-past.ts';
import { annualRate, type HolderPeriod, rangeOf, type Span } from '../../lib/history/holder-spans.ts';
import { PERIODS, type PeriodLength, startOfPeriod } from '../../lib/history/periods.ts';
import { limitToPast } from '../../lib/history/range.ts';
import { boundaryFrom } from '../../lib/history/series.ts';
import type { Coverage } from '../../lib/ledger/coverage.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { DAY } from '../../lib/values/durations.ts';
import { divWad } from '../../lib/values/wad.ts';

const fromDay = (name: 'usd' | 'eur') =>
  unixTime.optional(
    `Start of the first day in \`reward${name.toUpperCase()}\`, if earlier ones are missing.`,
    (sums: Pick<RewardTotals, 'usd' | 'eur'>) => sums[name]?.from,
  );

const PERIOD = object<HolderPeriod>('RewardDay')({
  timestamp: unixTime('Start of the UTC day, month or year.', ({ start }) => start),
  closeTimestamp: unixTime(
    'End of the last day on which ggAVAX was held or moved; of the current day, the last recorded time.',
    ({ close }) => close.time,
  ),
  closeBlock: integer('Last block at or before `closeTimestamp`.', ({ close }) => close.block),
  openGgAvax: ggAvax('ggAVAX held at the start.', ({ openShares }) => openShares),
  closeGgAvax: ggAvax('ggAVAX held at the end.', ({ closeShares }) => closeShares),
  rateOpen: avax.optional(
    'Redemption rate at the start. Omitted if none is recorded, or if a month or year began without ggAVAX.',
    ({ open, start }) => (open.time === start ? open.avaxPerGgAvax : undefined),
  ),
  rateClose: avax.optional('Redemption rate at the end.', ({ close }) => close.avaxPerGgAvax),
  inflowAVAX: avax(
    'ggAVAX received, each at the redemption rate of its block. ggAVAX returned by the queue counts at the promised AVAX: growth since then is a reward.',
    ({ inflow }) => inflow,
  ),
  outflowAVAX: avax('ggAVAX sent, each at the redemption rate of its block.', ({ outflow }) => outflow),
  rewardAVAX: avax('Value at the end − at the start + `outflowAVAX` − `inflowAVAX`.', ({ reward }) => reward),
  aprPercent: percent.optional('Annual reward as a share of the average value held, not compounded.', annualRate),
  avaxInUSD: usd.optional('Price of one AVAX at the end.', ({ close }) => close.avaxInUSD),
  rewardUSD: usd.optional(
    '`rewardAVAX` × `avaxInUSD`, summed over the days. Omitted if the last day has no price, unless its reward is 0. If an earlier day has none, the sum begins after it, at `usdFrom`.',
    ({ usd }) => usd.total,
  ),
  usdFrom: fromDay('usd'),
  avaxInEUR: eur.optional('The same in EUR.', ({ close }) => ifKnown(divWad, close.avaxInUSD, close.eurInUSD)),
  rewardEUR: eur.optional('`rewardUSD` in EUR, at the rate at the end of each day.', ({ eur }) => eur.total),
  eurFrom: fromDay('eur'),
  partial: json(
    () =>
      z
        .optional(z.array(z.literal('rewardAVAX')))
        .check(z.describe('`rewardAVAX` if the period is not over, or if `undated` has some of its days.')),
    ({ isWhole }) => (isWhole ? undefined : (['rewardAVAX'] as 'rewardAVAX'[])),
  ),
});

/** Totals over all entries, or the reason for which all of them are missing. */
type RewardTotals = Partial<Pick<HolderPeriod, 'reward' | 'usd' | 'eur'>> & { missing?: Reason };

const valueGap = (name: 'usd' | 'eur') => (sums: RewardTotals) => sums.missing ?? priceGapReason(sums[name]);

const totals = object<RewardTotals>()({
  rewardAVAX: avax.optional(
    'Sum of the entries. Omitted if the range begins after the recorded time, or ends after it while `coverage.complete` is false.',
    ({ reward }) => reward,
    ({ missing }) => missing,
  ),
  rewardUSD: usd.optional(
    'Sum over the days. Omitted if the last value is unknown. If an earlier one is, the sum begins after it, at `usdFrom`.',
    (sums) => sums.usd?.total,
    valueGap('usd'),
  ),
  usdFrom: fromDay('usd'),
  rewardEUR: eur.optional('`rewardUSD` in EUR.', (sums) => sums.eur?.total, valueGap('eur')),
  eurFrom: fromDay('eur'),
});

const UNDATED = object<Span>('UndatedReward')({
  from: unixTime('Start.', ({ open }) => open.time),
  before: unixTime('End: the first recorded time after it.', ({ close }) => close.time),
  inflowAVAX: avax('ggAVAX received in this time.', ({ inflow }) => inflow),
  outflowAVAX: avax('ggAVAX sent.', ({ outflow }) => outflow),
  rewardAVAX: avax('Reward of this time.', ({ reward }) => reward),
});

interface Rewards {
  address: string;
  interval: PeriodLength;
  days: HolderPeriod[];
  undated: readonly Span[];
  totals: RewardTotals;
  nextCursor: string | undefined;
  coverage: Coverage;
}

const rewardsWith = partialObject<Rewards>('RewardTotal', 'GgAvaxRewards');
const REWARDS = rewardsWith({
  address: address('Address of the holder.'),
  interval: choice('Period', PERIODS)('Period of each entry.'),
  days: list(PERIOD)('Oldest first: one per UTC day, month or year in which ggAVAX was held or moved.'),
  undated: list(UNDATED).optional(
    'Rewards in the range, or partly in it, that are not recorded day by day. They count for no day, month or year. Omitted if there are none.',
    ({ undated }) => (undated.length > 0 ? undated : undefined),
  ),
  totals: totals('Totals from `from` to `to`, on all pages. Omitted if `undated` has a part of them.'),
  nextCursor: nextCursor(),
  coverage: coverage(),
});

export const ggAvaxAddressRewards = defineEndpoint({
  path: '/ggAvax/{address}/rewards',
  tag: 'ggAVAX',
  summary: 'ggAVAX rewards of one address by day, month or year',
  description:
    'Rewards from the recorded state at the start and end of each day. The sum of `days` and `undated` equals `rewardsAVAX` of `/ggAvax/{address}` at the end of the last day, to the wei. `days` is empty while earlier blocks are not indexed.',
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  params: {
    address: addressParam('Address of the holder.'),
    interval: z._default(choiceParam(PERIODS, 'UTC day, month or year.', 'Period'), '1d'),
    from: z.optional(timeParam('Time in the first period. Defaults to the first one.')),
    to: z.optional(timeParam('Time in the last period. Defaults to the last one.')),
    limit: limitParam(),
    // Start of a day.
    cursor: z.optional(timeCursorParam()),
  },
  // A day is identified by its start, also where `handle` gets one.
  normalizeInput({ cursor, ...input }, context) {
    return { ...limitToPast(input, context, DAY), cursor: cursor && boundaryFrom(cursor, '1d') };
  },
  body: REWARDS,
  rows: 'days',
  validUntil: ({ to, interval }) => ifKnown((time: number) => startOfPeriod(time, interval, 1), to),
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65/rewards?limit=3',
  async handle({ address, interval, from = 0, to, limit, cursor = 0 }, context) {
    const { coverage, isDoubted, spans, ...held } = await context.dataset(holderSpansDataset(address.toLowerCase()));
    const until = held.until.timestamp;
    const first = startOfPeriod(from, interval);
    const end = to === undefined ? Number.POSITIVE_INFINITY : startOfPeriod(to, interval, 1);
    const range = rangeOf(spans, { length: interval, first, end }, until);
    const begin = range.periods.findIndex(({ start }) => start >= cursor);
    const rest = begin < 0 ? [] : range.periods.slice(begin, begin + limit + 1);
    const missing =
      (isDoubted ? 'MISMATCH' : undefined) ??
      (end <= until ? undefined : ledgerGapReason(coverage)) ??
      // Unknown, not 0: rewards that are not recorded yet, and those that no day has.
      (first >= until || range.undated.length > 0 ? 'NOT_RECORDED' : undefined);
    return {
      address,
      interval,
      days: rest.slice(0, limit),
      undated: range.undated,
      totals: missing ? { missing } : range,
      nextCursor: limit === 0 ? undefined : ifKnown(String, rest[limit]?.start),
      coverage,
    };
  },
});

export const handler = /* @__PURE__ */ createHandler(ggAvaxAddressRewards);
