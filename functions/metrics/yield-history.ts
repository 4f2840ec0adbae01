import * as z from 'zod/mini';
import { coverageBody, coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { fields, json, model } from '../../lib/api/fields.ts';
import { csvFormat, JSON_FORMAT } from '../../lib/api/formats.ts';
import { nextCursor } from '../../lib/api/lists.ts';
import { choiceParam, integerParam, timeCursorParam, timeParam } from '../../lib/api/params.ts';
import { avaxNumber, flag, ggpNumber, unixTime } from '../../lib/api/units.ts';
import { PERIODS, type Period, periodsIn, startOfPeriod } from '../../lib/history/periods.ts';
import { MAX_POINTS } from '../../lib/history/range.ts';
import {
  firstYield,
  type PeriodYield,
  YIELD_FIGURES,
  type YieldStreams,
  yieldIn,
  yieldStreamsDataset,
} from '../../lib/history/yield-streams-dataset.ts';
import { openLedger } from '../../lib/ledger/ledger-store.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';

/** A field for a figure, with the figure's declared meaning. */
const figure = (unit: typeof avaxNumber, name: keyof PeriodYield) =>
  unit(YIELD_FIGURES[name].meaning, (figures: PeriodYield) => figures[name]);

const BY_SOURCE = fields<PeriodYield>()({
  minipools: figure(avaxNumber, 'minipools'),
  delegation: figure(avaxNumber, 'delegation'),
  mev: figure(avaxNumber, 'mev'),
  other: figure(avaxNumber, 'other'),
});

const POINT = fields<PeriodYield & { start: number; incomplete: true | undefined }>()({
  timestamp: unixTime('Start of the period.', ({ start }) => start),
  gross_yield_avax: avaxNumber('Yield before the fee: `net_yield_avax` + `fee_avax`.', ({ grossYield }) => grossYield),
  fee_avax: figure(avaxNumber, 'fee'),
  net_yield_avax: figure(avaxNumber, 'netYield'),
  by_source: json(
    () =>
      z
        .object(BY_SOURCE.shape())
        .check(z.describe('`net_yield_avax` by source. A stream is divided like the yield that it releases.')),
    BY_SOURCE.body,
  ),
  ggp_minted: figure(ggpNumber, 'ggpMinted'),
  ggp_to_operators: figure(ggpNumber, 'ggpToOperators'),
  ggp_to_dao: figure(ggpNumber, 'ggpToDao'),
  ggp_to_multisigs: figure(ggpNumber, 'ggpToMultisigs'),
  incomplete: flag.optional(
    '`true` if the period is not over or not fully in `coverage`. Omitted otherwise.',
    ({ incomplete }) => incomplete,
  ),
});

export const metricsYieldHistory = defineEndpoint({
  path: '/metrics/yield/history',
  tag: 'Metrics',
  summary: 'Yield by source',
  description:
    'AVAX that ggAVAX earned per period, by source, and GGP minted. Yield counts when the following rewards stream releases it. Before rounding, net yields add up to the growth of `totalAssets` less flows, to the wei. Donations burn ggAVAX: they raise the rate but add no AVAX. `points` ends at `coverage.confirmedBlock`, and is empty without one.',
  freshSeconds: 300,
  reads: { ledger: openLedger },
  input: z.object({
    interval: z._default(choiceParam(PERIODS, 'UTC day, month or year. Defaults to `1d`.', 'Period'), '1d'),
    from: z.optional(
      timeParam(
        'Time in the first period. Defaults to 30 days, 12 months or 10 years before `to`. Unix timestamp in seconds.',
      ),
    ),
    to: z.optional(timeParam('Time in the last period. Defaults to now. Unix timestamp in seconds.')),
    limit: z.optional(integerParam(0, MAX_POINTS, `Maximum number of periods per page. Defaults to ${MAX_POINTS}.`)),
    cursor: z.optional(timeCursorParam()),
  }),
  normalizeInput({ from, to, cursor, ...input }) {
    const begin = (time: number) => startOfPeriod(time, input.interval);
    return { ...input, from: ifKnown(begin, from), to: ifKnown(begin, to), cursor: ifKnown(begin, cursor) };
  },
  response: () =>
    z.object({
      interval: model('Period', z.enum(PERIODS)).check(z.describe('Period of each entry.')),
      points: z
        .array(model('YieldHistoryPoint', z.object(POINT.shape())))
        .check(z.describe('Periods since the first yield, oldest first.')),
      nextCursor: nextCursor(),
      coverage: coverageSchema(),
    }),
  formats: {
    json: JSON_FORMAT,
    csv: {
      ...csvFormat('points'),
      validUntil: ({ to, interval }) => ifKnown((time) => startOfPeriod(time, interval, 1), to),
    },
  },
  exampleRequest: '/metrics/yield/history?interval=1mo',
  async handle({ interval, from, to, limit = MAX_POINTS, cursor }, context) {
    const known = await context.dataset(yieldStreamsDataset);
    const { coverage } = known;
    const first = firstYield(known);
    const end = coverage.toTimestamp;
    const last = Math.min(to ?? end, end);
    const default_ = startOfPeriod(last - DEFAULT_SECONDS[interval], interval);
    const periods = periodsIn(Math.max(from ?? default_, cursor ?? 0, first), last, interval);
    return {
      interval,
      points: periods.slice(0, limit).map((period) => pointBody(known, period, end)),
      nextCursor: limit === 0 ? undefined : ifKnown(String, periods[limit]?.start),
      coverage: coverageBody(coverage),
    };
  },
});

const DEFAULT_SECONDS = { '1d': 30 * 86_400, '1mo': 365 * 86_400, '1y': 3_650 * 86_400 };

function pointBody(known: YieldStreams, period: Period, knownTo: number) {
  const { start, end } = period;
  return POINT.body({ start, ...yieldIn(known, period, knownTo), incomplete: end > knownTo ? true : undefined });
}

export const handler = /* @__PURE__ */ createHandler(metricsYieldHistory);
