import * as z from 'zod/mini';
import { coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { incomeBody, incomeFields } from '../../lib/api/bodies/income-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { cursorParams, nextCursor, page } from '../../lib/api/lists.ts';
import { addressParam, timeParam } from '../../lib/api/params.ts';
import { address, blockRef, integer, model, quantity, tokens, unixTime } from '../../lib/api/schemas.ts';
import { readDayPrices, valueAt } from '../../lib/history/day-prices.ts';
import { CYCLE_SECONDS, distributionsDataset } from '../../lib/history/distributions.ts';
import { DISTRIBUTION_VALUES } from '../../lib/history/point-values.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount, toNumber } from '../../lib/values/amounts.ts';

const response = () =>
  model(
    'StakerCycles',
    z.object({
      address: address('Address of the staker.'),
      cycles: z
        .array(
          model(
            'StakerCycle',
            z.object({
              number: integer(DISTRIBUTION_VALUES.cycle.meaning),
              startTime: unixTime('Start of the cycle.'),
              ggp: tokens('GGP', DISTRIBUTION_VALUES.ggp.meaning),
              ggpInUSD: z.optional(
                quantity('USD', 'Price of one GGP at the end of the UTC day on which the cycle started.'),
              ),
              ...incomeFields('`ggp`'),
            }),
          ),
        )
        .check(
          z.describe(
            'Cycles whose distribution paid the staker, newest first. Those that are not over are not listed.',
          ),
        ),
      total: integer('Number of these cycles, on all pages.'),
      nextCursor: nextCursor(),
      recordedCycles: integer('Number of cycles that have been recorded, whether or not they paid the staker.'),
      coverage: coverageSchema(),
      block: z.optional(
        blockRef().check(z.describe('Block of the newest rewards cycle in the ledger. Omitted if there is none.')),
      ),
    }),
  );

export const rewardsAddressCycles = defineEndpoint({
  path: '/rewards/{address}/cycles',
  tag: 'Rewards',
  summary: 'GGP that each rewards cycle paid to one staker',
  description:
    'What the distribution of each rewards cycle paid to a staker, whether or not they have claimed it. No event says it: it is derived, once per cycle, from what the unclaimed rewards of all stakers grew by, plus what they claimed meanwhile. Per cycle, all stakers add up to what the contract set aside for node operators, less its rounding, if all of it was distributed. A cycle is recorded when the next one starts, or could have.',
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  input: z.object({
    address: addressParam('Address of the staker.'),
    from: z.optional(timeParam('Earliest start of a cycle, inclusive, as a Unix timestamp in seconds.')),
    to: z.optional(timeParam('Latest start of a cycle, inclusive, as a Unix timestamp in seconds.')),
    ...cursorParams,
  }),
  response,
  rows: 'cycles',
  rowsUntil: ({ to }) => ifKnown((time) => time + CYCLE_SECONDS, to),
  exampleRequest: '/rewards/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/cycles',
  async handle({ address, from = 0, to = Number.POSITIVE_INFINITY, ...paging }, context) {
    const [{ paid, cycles, coverage, block }, prices] = await Promise.all([
      context.dataset(distributionsDataset(address.toLowerCase())),
      readDayPrices(context),
    ]);
    const wanted = paid.filter(({ startTime }) => startTime >= from && startTime <= to).reverse();
    const { entries, nextCursor } = page(
      wanted,
      paging,
      ({ cycle }) => cycle,
      ({ cycle, startTime, ggp }) => {
        const pricesThen = prices(startTime);
        return {
          number: cycle,
          startTime,
          ggp: formatAmount(ggp),
          ggpInUSD: toNumber(pricesThen.ggpInUSD),
          ...incomeBody(valueAt(ggp, 'ggpInUSD', pricesThen)),
        };
      },
    );
    return {
      address,
      cycles: entries,
      total: wanted.length,
      nextCursor,
      recordedCycles: cycles.length,
      coverage,
      block,
    };
  },
});

export const handler = createHandler(rewardsAddressCycles);
