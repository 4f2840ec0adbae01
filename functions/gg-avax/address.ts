import * as z from 'zod/mini';
import { formatAmount, percentOf, toNumber } from '../../lib/amounts.ts';
import { coverageAt, coverageSchema } from '../../lib/bodies/coverage.ts';
import { readBalance, readTotals } from '../../lib/contracts/gg-avax.ts';
import { readRequestsOf } from '../../lib/contracts/withdraw-queue.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { assetsOf, earningsOf, flowsOf, openRequestsOf } from '../../lib/history/holder.ts';
import { recordedRates } from '../../lib/history/rates.ts';
import { ifKnown } from '../../lib/known.ts';
import { subjectOf } from '../../lib/ledger/entry.ts';
import { ledgerOf } from '../../lib/ledger/store.ts';
import { addressParam } from '../../lib/params.ts';
import { knownPools, readBestPrices } from '../../lib/prices/current.ts';
import { expectedAssetsOf } from '../../lib/protocol/withdrawals.ts';
import { convertToAssets } from '../../lib/rewards/gg-avax.ts';
import { mulWad } from '../../lib/rewards/wad.ts';
import { address, blockRef, integer, model, percent, quantity, tokens, unixTime } from '../../lib/schemas.ts';

const response = () =>
  model(
    'GgAvaxPosition',
    z.object({
      address: address('The holder.'),
      ggAvax: tokens('ggAVAX', 'What they hold.'),
      avax: tokens('AVAX', 'What that is worth: `convertToAssets`.'),
      usd: z.optional(quantity('USD', 'The same.')),
      sharePercent: z.optional(percent('Their part of all ggAVAX.')),
      unstaking: z
        .object({
          ggAvax: tokens('ggAVAX', 'Handed in with these requests.'),
          expectedAVAX: tokens(
            'AVAX',
            'What they were promised, fixed when they were made. An expired one brings it no more: see `/withdrawals/{address}`.',
          ),
          requests: integer(
            'Their open requests in the withdrawal queue: pending, fulfilled and not claimed yet, or expired.',
          ),
        })
        .check(z.describe('On its way out, no longer part of `ggAvax`; it earns nothing any more.')),
      deposited: tokens('AVAX', 'Deposited for them.'),
      withdrawn: tokens('AVAX', 'Redeemed, or handed to the withdrawal queue at what it promised.'),
      transferredIn: tokens('AVAX', 'Received from others, or back from the queue, each at the rate of its block.'),
      transferredOut: tokens('AVAX', 'Sent to others, or donated, each at the rate of its block.'),
      rewardsAVAX: z.optional(
        tokens(
          'AVAX',
          'Earned up to now: avax + withdrawn + transferredOut − deposited − transferredIn. Left out while their past is not covered up to this block.',
        ),
      ),
      rewardsUSD: z.optional(
        quantity('USD', 'Each day’s reward at that day’s closing price; left out where one of them is not known.'),
      ),
      averageAprPercent: z.optional(percent('A year’s reward at the average pace, over the average value held.')),
      since: z.optional(unixTime('When they first held ggAVAX.')),
      coverage: coverageSchema(),
      block: blockRef(),
    }),
  );

export const ggAvaxAddress = defineEndpoint({
  path: '/ggAvax/{address}',
  tag: 'ggAVAX',
  summary: 'The position of one liquid staker',
  description:
    'What an address holds, what is on its way out, what came and went, and what it has earned. What it holds is asked from the contracts; what has been is told by the ledger, whose flows are those of the blocks in `coverage`. An address that never held ggAVAX has zeros.',
  freshSeconds: 60,
  reads: ['history', 'ledger'],
  input: z.object({ address: addressParam('The holder, in any case.') }),
  response,
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  example: {
    address: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
    ggAvax: '100',
    avax: '119.643981786406244',
    usd: 1_172.51110215,
    sharePercent: 0.0302250089,
    unstaking: { ggAvax: '25', expectedAVAX: '29.9', requests: 1 },
    deposited: '130',
    withdrawn: '29.9',
    transferredIn: '0',
    transferredOut: '0',
    rewardsAVAX: '19.543981786406244',
    rewardsUSD: 301.2,
    averageAprPercent: 5.31,
    since: 1_689_000_000,
    coverage: { from: 28_400_000, to: 95_044_397, complete: true },
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle({ address }, context) {
    const holder = address.toLowerCase();
    const [{ entries, coverage }, rates, view, pools] = await Promise.all([
      ledgerOf(context).all(subjectOf.holder(holder)),
      recordedRates(context),
      context.chain.latest(),
      knownPools(context),
    ]);
    const [balance, totals, requests, { avaxInUSD }, block] = await Promise.all([
      readBalance(view, holder),
      readTotals(view),
      readRequestsOf(view, holder, openRequestsOf(holder, entries)),
      readBestPrices(view, pools),
      view.block(),
    ]);
    // The ledger may be ahead of an endpoint that lags.
    const known = entries.filter((entry) => entry.block <= block.number);
    const flows = flowsOf(holder, known, view.network.withdrawQueue);
    const now = { time: block.timestamp, totals, avaxInUSD: avaxInUSD?.price };
    const earnings = earningsOf(flows, rates, now);
    // What has come or gone since the last block that was searched shows in the balance.
    const isWhole = coverage.complete && earnings.shares === balance;
    const avax = convertToAssets(balance, totals);
    return {
      address,
      ggAvax: formatAmount(balance),
      avax: formatAmount(avax),
      usd: avaxInUSD && toNumber(mulWad(avax, avaxInUSD.price)),
      sharePercent: percentOf(balance, totals.totalSupply),
      unstaking: {
        ggAvax: formatAmount(requests.reduce((sum, { shares }) => sum + shares, 0n)),
        expectedAVAX: formatAmount(expectedAssetsOf(requests)),
        requests: requests.length,
      },
      deposited: formatAmount(assetsOf(flows, 'deposited')),
      withdrawn: formatAmount(assetsOf(flows, 'withdrawn')),
      transferredIn: formatAmount(assetsOf(flows, 'transferredIn')),
      transferredOut: formatAmount(assetsOf(flows, 'transferredOut')),
      ...(isWhole && {
        rewardsAVAX: formatAmount(earnings.reward),
        rewardsUSD: ifKnown(toNumber, earnings.usd),
        averageAprPercent: ifKnown(toNumber, earnings.annualRate, 16),
        since: flows[0]?.time,
      }),
      coverage: coverageAt(block.number, coverage),
      block,
    };
  },
});

export const handler = createHandler(ggAvaxAddress);
