import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { coverageSchema } from '../lib/api/bodies/coverage-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { cursorParams, nextCursor, page } from '../lib/api/lists.ts';
import { choiceParam } from '../lib/api/params.ts';
import { address, blockRef, integer, model, percent, text, tokens, unixTime } from '../lib/api/schemas.ts';
import { HOLDER_FIELDS, type Holder, holdersDataset } from '../lib/history/holders-dataset.ts';
import { readRecordedRates } from '../lib/history/rates.ts';
import { convertToAssets } from '../lib/rewards/gg-avax-shares.ts';
import { ifAvailable, ifKnown } from '../lib/runtime/if-known.ts';
import { labelsOf } from '../lib/runtime/labels.ts';
import { formatAmount, percentOf } from '../lib/values/amounts.ts';

const SORTS = ['balance', 'since'] as const;

const holder = () =>
  model(
    'Holder',
    z.object({
      address: address(HOLDER_FIELDS.address.meaning),
      label: z.optional(
        text(
          'What the holder is, if it is a contract that stands for many people, whose shares in it are not listed: the withdrawal queue, for example, holds the ggAVAX of pending requests. Omitted for all others.',
        ),
      ),
      ggAvax: tokens('ggAVAX', HOLDER_FIELDS.ggAvax.meaning),
      avax: z.optional(
        tokens(
          'AVAX',
          'Value of the ggAVAX held, at the newest recorded redemption rate. Omitted if none is recorded.',
        ),
      ),
      sharePercent: z.optional(percent('Share of all ggAVAX.')),
      since: unixTime(HOLDER_FIELDS.since.meaning),
    }),
  );

export const holders = defineEndpoint({
  path: '/holders',
  tag: 'ggAVAX',
  summary: 'Holders of ggAVAX',
  description:
    'Everybody who holds ggAVAX at the last block of `coverage`. Derived from the events of the token, which add up to the balances, and these to `totalSupply`, to the wei. While earlier blocks are not searched, the list is empty; while `coverage.contradicts`, it is that of `coverage.provenAt`, and empty if there is none.',
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  input: z.object({
    sort: z._default(
      choiceParam(SORTS, '`balance`: the largest first. `since`: the earliest first. Defaults to `balance`.'),
      'balance',
    ),
    ...cursorParams,
  }),
  response: () =>
    z.object({
      holders: z.array(holder()).check(z.describe('The holders, as sorted.')),
      total: integer('Number of holders, on all pages.'),
      nextCursor: nextCursor(),
      coverage: coverageSchema(),
      block: z.optional(
        blockRef().check(z.describe('The last block of `coverage`. Omitted while its time is unknown.')),
      ),
    }),
  rows: 'holders',
  exampleRequest: '/holders?limit=3',
  async handle({ sort, ...paging }, context) {
    const [{ coverage, holders }, rates] = await Promise.all([
      context.dataset(holdersDataset),
      ifAvailable(context.telemetry, 'recorded rates', () => readRecordedRates(context)),
    ]);
    const totals = rates?.at(-1)?.totals;
    const labels = labelsOf(context.config.network);
    const supply = holders.reduce((sum, { shares }) => sum + shares, 0n);
    const sorted = sort === 'since' ? holders.toSorted((a, b) => a.since - b.since) : holders;
    const { to: number, toTimestamp } = coverage;
    const { entries, nextCursor } = page(
      sorted,
      paging,
      ({ address }) => address,
      ({ address, shares, since }: Holder) => ({
        address: getAddress(address),
        label: labels.get(address),
        ggAvax: formatAmount(shares),
        avax: formatAmount(ifKnown(convertToAssets, shares, totals)),
        sharePercent: percentOf(shares, supply),
        since,
      }),
    );
    return {
      holders: entries,
      total: holders.length,
      nextCursor,
      coverage,
      block: ifKnown((timestamp) => ({ number, timestamp }), toTimestamp),
    };
  },
});

export const handler = createHandler(holders);
