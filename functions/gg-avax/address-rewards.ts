import * as z from 'zod/mini';
import { formatAmount, toNumber } from '../../lib/amounts.ts';
import { cursorParams } from '../../lib/bodies/activity.ts';
import { coverageSchema } from '../../lib/bodies/coverage.ts';
import { withinLifetime } from '../../lib/bodies/lifetime.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { flowsOf, isWholeDay, lifeOf, type RatedSpan, rewardUSD, totalUSD } from '../../lib/history/holder.ts';
import { recordedRates } from '../../lib/history/rates.ts';
import { boundaryFrom, INTERVAL_SECONDS } from '../../lib/history/series.ts';
import { ifKnown } from '../../lib/known.ts';
import { subjectOf } from '../../lib/ledger/entry.ts';
import { ledgerOf } from '../../lib/ledger/store.ts';
import { addressParam, timeParam } from '../../lib/params.ts';
import { annualRate } from '../../lib/rewards/holder.ts';
import { address, flag, model, percent, quantity, text, tokens, unixTime } from '../../lib/schemas.ts';

const day = () =>
  model(
    'RewardDay',
    z.object({
      timestamp: unixTime('Begin of the UTC day.'),
      closeTimestamp: unixTime('Its end, or as far as it is known.'),
      openGgAvax: tokens('ggAVAX', 'Held at its begin.'),
      closeGgAvax: tokens('ggAVAX', 'Held at its end.'),
      rateOpen: z.optional(
        tokens('AVAX', 'For one ggAVAX at its begin; left out where nothing was held and none is recorded.'),
      ),
      rateClose: z.optional(tokens('AVAX', 'For one ggAVAX at its end.')),
      inflowAVAX: tokens('AVAX', 'What came, each at the rate of its block.'),
      outflowAVAX: tokens('AVAX', 'What went, each at the rate of its block.'),
      rewardAVAX: tokens(
        'AVAX',
        'Value at its end − value at its begin + outflowAVAX − inflowAVAX; below 0 for a loss.',
      ),
      aprPercent: z.optional(percent('A year’s reward at that pace, over the average value of the day.')),
      avaxInUSD: z.optional(quantity('USD', 'Price of one AVAX at its end.')),
      rewardUSD: z.optional(quantity('USD', 'rewardAVAX at that price; left out for more than a day.')),
      partial: z.optional(
        flag(
          'True where this is not one whole day: the day is not over, or days between were not recorded and are in it.',
        ),
      ),
    }),
  );

const response = () =>
  model(
    'GgAvaxRewards',
    z.object({
      address: address('The holder.'),
      days: z.array(day()).check(z.describe('Days on which ggAVAX was held or moved, the oldest first.')),
      totals: z
        .object({
          rewardAVAX: z.optional(
            tokens(
              'AVAX',
              'Sum of the days; left out while the past of the address is not covered, or its first day not recorded yet.',
            ),
          ),
          rewardUSD: z.optional(quantity('USD', 'Sum of the days; left out where one of them is not known.')),
        })
        .check(z.describe('Over all days from `from` to `to`, on all pages.')),
      nextCursor: z.optional(text('`cursor` of the next page; left out on the last one.')),
      coverage: coverageSchema(),
    }),
  );

const DAY = INTERVAL_SECONDS['1d'];

export const ggAvaxAddressRewards = defineEndpoint({
  path: '/ggAvax/{address}/rewards',
  tag: 'ggAVAX',
  summary: 'What one liquid staker has earned, day by day',
  description:
    'The rewards of each UTC day, between the recorded states of its two boundaries; flows are set off at the rate of their own blocks. All days together are the `rewardsAVAX` of the position at the end of the last one, to the wei. Left empty while the address’s past is not covered: see `coverage`.',
  freshSeconds: 300,
  shared: false,
  reads: ['history', 'ledger'],
  input: z.object({
    address: addressParam('The holder, in any case.'),
    from: z.optional(
      timeParam(
        'Begin of the first day to answer, unix seconds, not after `to`; the first there is unless told otherwise.',
      ),
    ),
    to: z.optional(
      timeParam('Begin of the last day to answer, unix seconds; the last there is unless told otherwise.'),
    ),
    // The time at which a day begins.
    ...cursorParams('^[0-9]{1,10}$'),
  }),
  // A day is told by its begin.
  async canonical({ cursor, ...input }, context) {
    const begin = (time: string) => String(boundaryFrom(Number(time), '1d'));
    return { ...(await withinLifetime(input, context, DAY)), cursor: ifKnown(begin, cursor) };
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
    coverage: { from: 28_400_000, to: 95_044_397, complete: true },
  },
  async handle({ address, from = 0, to = Number.POSITIVE_INFINITY, limit, cursor }, context) {
    const holder = address.toLowerCase();
    const [{ entries, coverage }, rates] = await Promise.all([
      ledgerOf(context).all(subjectOf.holder(holder)),
      recordedRates(context),
    ]);
    if (!coverage.complete) return { address, days: [], totals: {}, coverage };

    const covered = rates.filter(({ block }) => block <= coverage.to);
    const flows = flowsOf(holder, entries, context.config.network.withdrawQueue);
    const life = lifeOf(flows, covered).filter((span) => !isIdle(span));
    const days = life.filter(({ open }) => open.time >= from && open.time <= to);
    const rest = cursor === undefined ? days : days.filter(({ open }) => open.time >= Number(cursor));
    return {
      address,
      days: rest.slice(0, limit).map(dayBody),
      // Somebody who came after the last recorded boundary has earned something that is not known yet.
      totals: flows.length > 0 && life.length === 0 ? {} : totalsBody(days),
      nextCursor: ifKnown(String, rest[limit]?.open.time),
      coverage,
    };
  },
});

/** Whether nothing was held at any time: what goes has come before. */
function isIdle({ openShares, inflow }: RatedSpan): boolean {
  return openShares === 0n && inflow === 0n;
}

function totalsBody(days: readonly RatedSpan[]) {
  return {
    rewardAVAX: formatAmount(days.reduce((sum, { reward }) => sum + reward, 0n)),
    rewardUSD: ifKnown(toNumber, totalUSD(days)),
  };
}

function dayBody(span: RatedSpan) {
  const { open, close } = span;
  return {
    timestamp: open.time,
    closeTimestamp: close.time,
    openGgAvax: formatAmount(span.openShares),
    closeGgAvax: formatAmount(span.closeShares),
    rateOpen: ifKnown(formatAmount, open.avaxPerGgAvax),
    rateClose: ifKnown(formatAmount, close.avaxPerGgAvax),
    inflowAVAX: formatAmount(span.inflow),
    outflowAVAX: formatAmount(span.outflow),
    rewardAVAX: formatAmount(span.reward),
    aprPercent: ifKnown(toNumber, annualRate(span), 16),
    avaxInUSD: ifKnown(toNumber, close.avaxInUSD),
    rewardUSD: ifKnown(toNumber, rewardUSD(span)),
    partial: isWholeDay(span) ? undefined : true,
  };
}

export const handler = createHandler(ggAvaxAddressRewards);
