import * as z from 'zod/mini';
import { coverage } from '../lib/api/bodies/coverage-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { list, object, partialObject } from '../lib/api/fields.ts';
import { cursorParams, type Page, page, pageFields } from '../lib/api/lists.ts';
import { choiceParam } from '../lib/api/params.ts';
import { address, avax, block, ggAvax, percent, text, unixTime } from '../lib/api/units.ts';
import { HOLDER_FIELDS, type Holder, holdersDataset } from '../lib/history/holders-dataset.ts';
import { readRecordedRates } from '../lib/history/rates.ts';
import type { Coverage } from '../lib/ledger/coverage.ts';
import { isDoubted } from '../lib/ledger/mismatch.ts';
import { convertToAssets, type VaultTotals } from '../lib/rewards/gg-avax-shares.ts';
import { ifAvailable, ifKnown } from '../lib/runtime/if-known.ts';
import { createLabels } from '../lib/runtime/labels.ts';
import { ratio, sum } from '../lib/values/wad.ts';

interface ListedHolder extends Holder {
  label: string | undefined;
  /** Totals of the pool at the newest recorded rate. */
  totals: VaultTotals | undefined;
  /** ggAVAX wei of all holders together. */
  supply: bigint;
  isDoubted: boolean;
}

const holderWith = partialObject<ListedHolder>('HolderField', 'Holder');
const holder = holderWith({
  address: address(HOLDER_FIELDS.address.meaning),
  label: text.optional('Name of a contract that holds for many people, such as the withdrawal queue.'),
  ggAvax: ggAvax(
    HOLDER_FIELDS.ggAvax.meaning,
    ({ shares }) => shares,
    ({ isDoubted }) => (isDoubted ? 'MISMATCH' : undefined),
  ),
  avax: avax.optional(
    'Value of `ggAvax` at the newest recorded redemption rate. Omitted if none is recorded.',
    ({ shares, totals }) => ifKnown(convertToAssets, shares, totals),
  ),
  sharePercent: percent.optional('Share of all ggAVAX.', ({ shares, supply }) => ratio(shares, supply)),
  since: unixTime(HOLDER_FIELDS.since.meaning),
});

const HOLDERS = object<Page<ListedHolder> & { coverage: Coverage }>()({
  holders: list(holder)('Holders, as sorted.', ({ items }) => items),
  ...pageFields('Number of holders.'),
  coverage: coverage(),
  block: block('Last block of `coverage`.', ({ coverage }) => ({
    number: coverage.toBlock,
    timestamp: coverage.toTimestamp,
  })),
});

export const holders = defineEndpoint({
  path: '/holders',
  tag: 'ggAVAX',
  summary: 'Holders of ggAVAX',
  description:
    "All holders, from the token's events. At `coverage.toBlock`, their balances add up to `totalSupply`, to the wei. Empty while earlier blocks are not indexed.",
  exampleRequest: '/holders?limit=3',
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  params: {
    sort: z._default(choiceParam(['balance', 'since'], 'Largest `balance` or earliest `since` first.'), 'balance'),
    ...cursorParams,
  },
  async handle({ sort, ...paging }, context) {
    const [{ coverage, holders }, rates] = await Promise.all([
      context.dataset(holdersDataset),
      ifAvailable(context, 'recorded rates', () => readRecordedRates(context)),
    ]);
    const doubts = await context.ledger.progress.doubts(coverage.generation);
    const totals = rates?.at(-1)?.totals;
    const labels = createLabels(context.config.network);
    const supply = sum(holders.map(({ shares }) => shares));
    const sorted = sort === 'since' ? holders.toSorted((a, b) => a.since - b.since) : holders;
    const items = sorted.map((holder) => {
      const { address } = holder;
      return { ...holder, label: labels.get(address), totals, supply, isDoubted: isDoubted(doubts, address, 'ggAvax') };
    });
    return { ...page(items, paging, ({ address }) => address), coverage };
  },
  body: HOLDERS,
  rows: 'holders',
});

export const handler = /* @__PURE__ */ createHandler(holders);
