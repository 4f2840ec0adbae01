import * as z from 'zod/mini';
import { limitParam } from '../../lib/api/bodies/activity-body.ts';
import { coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { nextCursor } from '../../lib/api/lists.ts';
import { addressParam, timeCursorParam, timeParam } from '../../lib/api/params.ts';
import { address, flag, integer, model, percent, quantity, tokens, unixTime } from '../../lib/api/schemas.ts';
import {
  isWholeDay,
  isWithin,
  overlaps,
  type PricedSpan,
  rewardUSD,
  totalUSD,
} from '../../lib/history/holder-flows.ts';
import { holderSpansDataset } from '../../lib/history/holder-spans-dataset.ts';
import { recordedRatesDataset } from '../../lib/history/rates.ts';
import { boundaryFrom, INTERVAL_SECONDS } from '../../lib/history/series.ts';
import { limitToLedger } from '../../lib/ledger/limit-to-ledger.ts';
import { annualRate } from '../../lib/rewards/holder-yield.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount, percentFrom, toNumber } from '../../lib/values/amounts.ts';

const day = () =>
  model(
    'RewardDay',
    z.object({
      timestamp: unixTime('Start of the UTC day, or of the first one that the entry covers.'),
      closeTimestamp: unixTime(
        'End of the period that the entry covers: the end of the day, unless `partial` is `true`.',
      ),
      closeBlock: z.optional(
        integer('Last block at or before `closeTimestamp`. The values at the end are the state at this block.'),
      ),
      openGgAvax: tokens('ggAVAX', 'ggAVAX held at the start.'),
      closeGgAvax: tokens('ggAVAX', 'ggAVAX held at the end.'),
      rateOpen: z.optional(
        tokens(
          'AVAX',
          'Redemption rate of one ggAVAX at the start. Omitted if nothing was held then and no rate is recorded.',
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
          '`rewardAVAX` × `avaxInUSD`. Omitted if the price is unknown or the entry covers more than one day, unless the reward is 0.',
        ),
      ),
      partial: z.optional(
        flag(
          '`true` if the entry is not exactly one day: the day is not over, or the entry also covers following days that were not recorded, and so may begin before `from` or end after the day of `to`. Omitted otherwise.',
        ),
      ),
    }),
  );

const response = () =>
  model(
    'GgAvaxRewards',
    z.object({
      address: address('Address of the holder.'),
      days: z
        .array(day())
        .check(
          z.describe(
            'Entries that overlap the range, oldest first: one for each UTC day on which ggAVAX was held or moved, or one for several days if those in between were not recorded.',
          ),
        ),
      totals: z
        .object({
          rewardAVAX: z.optional(
            tokens(
              'AVAX',
              'Sum over the entries. Also omitted while `coverage.complete` is false, or if the beginning of the range has not been recorded yet.',
            ),
          ),
          rewardUSD: z.optional(
            quantity('USD', 'Sum over the entries. Also omitted if the value of any entry is unknown.'),
          ),
        })
        .check(
          z.describe(
            'Totals over all entries from `from` to `to`, on all pages, up to the end of the last entry. Both are omitted if an entry also covers time before the day of `from` or after the day of `to`, because its reward cannot be divided.',
          ),
        ),
      nextCursor: nextCursor(),
      coverage: coverageSchema(),
    }),
  );

const DAY = INTERVAL_SECONDS['1d'];

export const ggAvaxAddressRewards = defineEndpoint({
  path: '/ggAvax/{address}/rewards',
  tag: 'ggAVAX',
  summary: 'Daily ggAVAX rewards of one address',
  description:
    'Rewards for each UTC day, computed from the recorded state at its start and end, with each inflow and outflow valued at the redemption rate of its block. The sum over all days equals, to the wei, `rewardsAVAX` of `/ggAvax/{address}` at the end of the last day. `days` is empty while `coverage.complete` is false.',
  freshSeconds: 300,
  datasets: [recordedRatesDataset],
  reads: ['history', 'ledger'],
  input: z.object({
    address: addressParam('Address of the holder.'),
    from: z.optional(
      timeParam(
        'A time in the first UTC day to return, a Unix timestamp in seconds. If an entry of several days began earlier and reaches into that day, it is returned, too, and `totals` are omitted. Must not be after `to`. Defaults to the first day.',
      ),
    ),
    to: z.optional(
      timeParam(
        'A time in the last UTC day to return, a Unix timestamp in seconds. If an entry of several days ends later, `totals` are omitted. Defaults to the last day.',
      ),
    ),
    limit: limitParam(),
    // The start of a day.
    cursor: z.optional(timeCursorParam()),
  }),
  // A day is identified by its start, also where `handle` gets one.
  async canonical({ cursor, ...input }, context) {
    const begin = (time: number) => boundaryFrom(time, '1d');
    return { ...(await limitToLedger(input, context, DAY)), cursor: ifKnown(begin, cursor) };
  },
  response,
  rows: 'days',
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65/rewards?limit=3',
  example: {
    address: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
    days: [
      {
        timestamp: 1_786_406_400,
        closeTimestamp: 1_786_492_800,
        closeBlock: 93_581_204,
        openGgAvax: '100',
        closeGgAvax: '75',
        rateOpen: '1.19602',
        rateClose: '1.19619',
        inflowAVAX: '0',
        outflowAVAX: '29.9025',
        rewardAVAX: '0.01475',
        aprPercent: 5.14,
        avaxInUSD: 9.81,
        rewardUSD: 0.1446975,
      },
    ],
    totals: { rewardAVAX: '0.01475', rewardUSD: 0.1446975 },
    nextCursor: '1786492800',
    coverage: { from: 28_400_000, to: 95_044_397, toTimestamp: 1_789_158_328, complete: true },
  },
  async handle({ address, from = 0, to = Number.POSITIVE_INFINITY, limit, cursor }, context) {
    const { coverage, until, spans } = await context.dataset(holderSpansDataset(address.toLowerCase()));
    if (!coverage.complete) return { address, days: [], totals: {}, coverage };

    const end = to + DAY;
    const days = spans.filter((span) => overlaps(span, from, end));
    // The part of an entry's reward that was earned in the range is not known.
    const isDivided = days.some((span) => !isWithin(span, from, end));
    // What nobody has recorded yet is unknown, not 0.
    const isUnknown = from >= until;
    const rest = cursor === undefined ? days : days.filter(({ open }) => open.time >= cursor);
    return {
      address,
      days: rest.slice(0, limit).map(dayBody),
      totals: isDivided || isUnknown ? {} : totalsBody(days),
      nextCursor: limit === 0 ? undefined : ifKnown(String, rest[limit]?.open.time),
      coverage,
    };
  },
});

function totalsBody(days: readonly PricedSpan[]) {
  return {
    rewardAVAX: formatAmount(days.reduce((sum, { reward }) => sum + reward, 0n)),
    rewardUSD: ifKnown(toNumber, totalUSD(days)),
  };
}

function dayBody(span: PricedSpan) {
  const { open, close } = span;
  return {
    timestamp: open.time,
    closeTimestamp: close.time,
    closeBlock: close.block,
    openGgAvax: formatAmount(span.openShares),
    closeGgAvax: formatAmount(span.closeShares),
    rateOpen: ifKnown(formatAmount, open.avaxPerGgAvax),
    rateClose: ifKnown(formatAmount, close.avaxPerGgAvax),
    inflowAVAX: formatAmount(span.inflow),
    outflowAVAX: formatAmount(span.outflow),
    rewardAVAX: formatAmount(span.reward),
    aprPercent: ifKnown(percentFrom, annualRate(span)),
    avaxInUSD: ifKnown(toNumber, close.avaxInUSD),
    rewardUSD: ifKnown(toNumber, rewardUSD(span)),
    partial: isWholeDay(span) ? undefined : true,
  };
}

export const handler = createHandler(ggAvaxAddressRewards);
