import * as z from 'zod/mini';
import { coverage } from '../../lib/api/bodies/coverage-body.ts';
import { income } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { list, object, partialObject } from '../../lib/api/fields.ts';
import { cursorParams, type Page, page, pageFields } from '../../lib/api/lists.ts';
import { addressParam, timeParam } from '../../lib/api/params.ts';
import { address, block, eur, ggp, integer, unixTime, usd } from '../../lib/api/units.ts';
import { type Money, readDayPrices, valueAt } from '../../lib/history/day-prices.ts';
import {
  CYCLE_SECONDS,
  type Distribution,
  type Distributions,
  distributionsDataset,
} from '../../lib/history/distributions.ts';
import { DISTRIBUTION_VALUES } from '../../lib/history/point-values.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { WAD } from '../../lib/values/wad.ts';

interface Paid extends Distribution, Money {
  ggpInUSD?: bigint | undefined;
  ggpInEUR?: bigint | undefined;
}

const CYCLE = object<Paid>('StakerCycle')({
  number: integer(DISTRIBUTION_VALUES.cycle.meaning, ({ cycle }) => cycle),
  startTime: unixTime('Start of the cycle.'),
  paidTime: unixTime(DISTRIBUTION_VALUES.paidTime.meaning),
  ggp: ggp(DISTRIBUTION_VALUES.ggp.meaning),
  ggpInUSD: usd.optional('Price of one GGP at the end of the UTC day of the payment.'),
  ggpInEUR: eur.optional('`ggpInUSD` in EUR.'),
  ...income('`ggp`'),
});

interface StakerCycles extends Pick<Distributions, 'isDoubted' | 'isBehind' | 'coverage' | 'block'> {
  address: string;
  recordedCycles: number;
}

const cyclesWith = partialObject<Page<Paid> & StakerCycles>('StakerCyclesField', 'StakerCycles');
const STAKER_CYCLES = cyclesWith({
  address: address('Address of the staker.'),
  cycles: list(CYCLE)(
    'Cycles that paid the staker, newest first, without the current one.',
    ({ items }) => items,
    ({ isDoubted, isBehind }) => (isDoubted ? 'MISMATCH' : isBehind ? 'NOT_RECORDED' : undefined),
  ),
  ...pageFields('Number of these cycles.'),
  recordedCycles: integer('Number of recorded cycles, including those that did not pay the staker.'),
  coverage: coverage(),
  block: block.optional('Block of the newest cycle. Omitted if there is none.'),
});

export const rewardsAddressCycles = defineEndpoint({
  path: '/rewards/{address}/cycles',
  tag: 'Rewards',
  summary: 'GGP that each rewards cycle paid to one staker',
  description:
    "GGP that each cycle's distribution paid to a staker, claimed or not. No event has it: it is the growth of the staker's unclaimed rewards plus claims in between. If all was distributed, all stakers add up to the contract's amount for node operators, less its rounding. A cycle is recorded when the next one starts or is due.",
  exampleRequest: '/rewards/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/cycles',
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  params: {
    address: addressParam('Address of the staker.'),
    from: z.optional(timeParam('Earliest start of a cycle, inclusive.')),
    to: z.optional(timeParam('Latest start of a cycle, inclusive.')),
    ...cursorParams,
  },
  async handle({ address, from = 0, to = Number.POSITIVE_INFINITY, ...paging }, context) {
    const [{ paid, cycles, ...known }, prices] = await Promise.all([
      context.dataset(distributionsDataset(address.toLowerCase())),
      readDayPrices(context),
    ]);
    const items = paid
      .filter(({ startTime }) => startTime >= from && startTime <= to)
      .map((cycle) => {
        const then = prices(cycle.paidTime);
        const { usd: ggpInUSD, eur: ggpInEUR } = valueAt(WAD, 'ggpInUSD', then);
        return { ...cycle, ggpInUSD, ggpInEUR, ...valueAt(cycle.ggp, 'ggpInUSD', then) };
      })
      .reverse();
    return { ...page(items, paging, ({ cycle }) => cycle), address, recordedCycles: cycles.length, ...known };
  },
  body: STAKER_CYCLES,
  rows: 'cycles',
  validUntil: ({ to }) => ifKnown((time) => time - CYCLE_SECONDS, to),
});

export const handler = /* @__PURE__ */ createHandler(rewardsAddressCycles);
