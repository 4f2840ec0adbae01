import * as z from 'zod/mini';
import { coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { nextCursor } from '../../lib/api/lists.ts';
import { choiceParam, integerParam, timeCursorParam, timeParam } from '../../lib/api/params.ts';
import { flag, model, quantity, unixTime } from '../../lib/api/schemas.ts';
import { PERIODS, type Period, periodsIn, startOfPeriod } from '../../lib/history/periods.ts';
import { MAX_POINTS } from '../../lib/history/range.ts';
import {
  firstYield,
  type YieldStreams,
  yieldIn,
  yieldStreamsDataset,
} from '../../lib/history/yield-streams-dataset.ts';
import { YIELD_SOURCES } from '../../lib/rewards/streams.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { toNumber } from '../../lib/values/amounts.ts';

const point = () =>
  model(
    'YieldHistoryPoint',
    z.object({
      timestamp: unixTime('Start of the UTC day or month.'),
      gross_yield_avax: quantity('AVAX', 'Yield before the fee: `net_yield_avax` + `fee_avax`.'),
      fee_avax: quantity('AVAX', 'Fee that the protocol took of this yield when it came in.'),
      net_yield_avax: quantity(
        'AVAX',
        'Yield that rewards streams released to holders: what `totalAssets` grew by, less deposits and plus withdrawals.',
      ),
      by_source: z
        .object({
          minipools: quantity('AVAX', 'From minipools.'),
          delegation: quantity('AVAX', 'From delegations outside minipools.'),
          mev: quantity('AVAX', 'From MEV.'),
          other: quantity('AVAX', 'From everything else, including AVAX that no event explains.'),
        })
        .check(z.describe('`net_yield_avax` by source. Each stream is divided like the yield that it releases.')),
      ggp_minted: quantity('GGP', 'GGP minted by rewards cycles that started in the period.'),
      ggp_to_operators: quantity('GGP', 'Part of it for node operators.'),
      ggp_to_dao: quantity('GGP', 'Part of it for the DAO treasury.'),
      ggp_to_multisigs: quantity('GGP', 'Part of it for the multisigs.'),
      partial: z.optional(
        flag('`true` if the period is not over, or the ledger does not cover all of it. Omitted otherwise.'),
      ),
    }),
  );

export const metricsYieldHistory = defineEndpoint({
  path: '/metrics/yield/history',
  tag: 'Metrics',
  summary: 'Yield by source',
  description:
    'AVAX that ggAVAX earned in each UTC day or month, by source, and GGP that was minted. Derived from the event ledger: yield that comes in is released over the rewards stream that follows, which is when it counts here. The net yields of consecutive periods add up to the growth of `totalAssets` less flows, to the wei before they are rounded. Donations, which burn ggAVAX, raise the rate but add no AVAX. `points` is empty while earlier blocks are not searched; while `coverage.contradicts`, it ends at `coverage.provenAt`, and is empty if there is none.',
  freshSeconds: 300,
  datasets: [yieldStreamsDataset],
  reads: ['ledger'],
  input: z.object({
    interval: z._default(
      choiceParam(PERIODS, 'A day, a calendar month or a year, UTC. Defaults to `1d`.', 'Period'),
      '1d',
    ),
    from: z.optional(
      timeParam(
        'A time in the first period to return, a Unix timestamp in seconds. Must not be after `to`. Defaults to 30 days, 12 months or 10 years before `to`.',
      ),
    ),
    to: z.optional(timeParam('A time in the last period to return, a Unix timestamp in seconds. Defaults to now.')),
    limit: z.optional(
      integerParam(
        0,
        MAX_POINTS,
        `Maximum number of periods per page; 0 returns none of them. Defaults to ${MAX_POINTS}.`,
      ),
    ),
    cursor: z.optional(timeCursorParam()),
  }),
  normalizeInput({ from, to, cursor, ...input }) {
    const begin = (time: number) => startOfPeriod(time, input.interval);
    return { ...input, from: ifKnown(begin, from), to: ifKnown(begin, to), cursor: ifKnown(begin, cursor) };
  },
  response: () =>
    z.object({
      interval: model('Period', z.enum(PERIODS)).check(z.describe('Length of a period.')),
      points: z.array(point()).check(z.describe('The periods since the first yield, oldest first.')),
      nextCursor: nextCursor(),
      coverage: coverageSchema(),
    }),
  rows: 'points',
  rowsUntil: ({ to, interval }) => ifKnown((time) => startOfPeriod(time, interval, 1), to),
  exampleRequest: '/metrics/yield/history?interval=1mo',
  async handle({ interval, from, to, limit = MAX_POINTS, cursor }, context) {
    const known = await context.dataset(yieldStreamsDataset);
    const { coverage } = known;
    const first = firstYield(known);
    const end = coverage.toTimestamp ?? 0;
    const last = Math.min(to ?? end, end);
    const default_ = startOfPeriod(last - DEFAULT_SECONDS[interval], interval);
    const periods = periodsIn(Math.max(from ?? default_, cursor ?? 0, first), last, interval);
    return {
      interval,
      points: periods.slice(0, limit).map((period) => pointBody(known, period, end)),
      nextCursor: limit === 0 ? undefined : ifKnown(String, periods[limit]?.start),
      coverage,
    };
  },
});

const DEFAULT_SECONDS = { '1d': 30 * 86_400, '1mo': 365 * 86_400, '1y': 3_650 * 86_400 };

function pointBody(known: YieldStreams, period: Period, knownTo: number) {
  const { start, end } = period;
  const { net, fee, bySource, ggp } = yieldIn(known, period, knownTo);
  const [minipools, delegation, mev, other] = YIELD_SOURCES.map((source) => toNumber(bySource[source])) as [
    number,
    number,
    number,
    number,
  ];
  return {
    timestamp: start,
    gross_yield_avax: toNumber(net + fee),
    fee_avax: toNumber(fee),
    net_yield_avax: toNumber(net),
    by_source: { minipools, delegation, mev, other },
    ggp_minted: toNumber(ggp.totalAmt),
    ggp_to_operators: toNumber(ggp.ClaimNodeOp),
    ggp_to_dao: toNumber(ggp.ClaimProtocolDAO),
    ggp_to_multisigs: toNumber(ggp.MultisigManager),
    partial: end > knownTo ? true : undefined,
  };
}

export const handler = createHandler(metricsYieldHistory);
