/** The ggAVAX position of an address: state of one block, and flows and earnings from the ledger. */

import type { RequestContext } from '../cache/cache.ts';
import type { ChainContext, ProtocolState } from '../chain/chain.ts';
import { readBalance, readTotals } from '../contracts/gg-avax.ts';
import { readRedemption } from '../contracts/redemption.ts';
import { readRequestsByOwner } from '../contracts/withdraw-queue.ts';
import type { HistoryContext } from '../history/history-store.ts';
import { readHolderPast, totalsOf } from '../history/holder-past.ts';
import { earnedIn, holderSpans } from '../history/holder-spans.ts';
import { readRecordedRates } from '../history/rates.ts';
import { coverageAt, lagOf } from '../ledger/coverage.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { readBestPrices, readCachedPools } from '../prices/current.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { divWad, mulWad } from '../values/wad.ts';
import { readAt } from './protocol.ts';

export type Position = Awaited<ReturnType<typeof readPosition>>;

/** Amounts in wei, values in USD and EUR scaled by 1e18. Throws if there is no pool. */
export async function readPosition(
  context: RequestContext<ChainContext & HistoryContext & LedgerContext>,
  address: string,
) {
  const holder = address.toLowerCase();
  const { network } = context.chain;
  const [rates, recorded, pools] = await Promise.all([
    readRecordedRates(context),
    readHolderPast(context.ledger, holder),
    readCachedPools(context),
  ]);
  const read = (state: ProtocolState) =>
    Promise.all([
      readBalance(state, holder),
      readTotals(state),
      readRedemption(state, holder),
      readRequestsByOwner(state, holder),
      readBestPrices(state, pools),
      state.block(),
    ]);
  // Without a lag, the ledger ends at the head.
  const [balance, totals, redemption, requests, { avaxInUSD, eurInUSD }, block] =
    lagOf(network) === 0
      ? await read(await context.chain.latest())
      : await readAt(context.chain, recorded.coverage.toBlock, read);
  const current = { avaxInUSD: avaxInUSD?.price, eurInUSD: eurInUSD?.price };
  const now = { time: block.timestamp, block: block.number, totals, ...current };
  // The ledger may be ahead of a lagging RPC provider.
  const coverage = coverageAt(block, recorded.coverage);
  const past = totalsOf(holder, recorded, network.withdrawQueue, coverage.toBlock);
  const spans = holderSpans(past.flows, [...rates.filter(({ time }) => time < now.time), now]);
  const isLater = lagOf(network) > 0 && block.number > coverage.toBlock;
  // If the balance differs, ggAVAX has moved since the last indexed block. A claim moves none, but ends a request.
  const isBehind = coverage.complete && (isLater || (spans.at(-1)?.closeShares ?? 0n) !== balance);
  const isOpen = new Set(requests.map(({ requestId }) => requestId));
  const lacksClaim = coverage.complete && past.openRequests.some((id) => !isOpen.has(id));
  const avax = convertToAssets(balance, totals);
  const inUSD = ifKnown(mulWad, avax, now.avaxInUSD);
  return {
    isDoubted: recorded.isDoubted,
    ...{ address, balance, totals, redemption, requests, past, isBehind, lacksClaim, coverage, block },
    value: { avax, usd: inUSD, eur: ifKnown(divWad, inUSD, now.eurInUSD) },
    earnings:
      recorded.isDoubted || isBehind || !coverage.complete
        ? undefined
        : { ...earnedIn(spans), since: past.flows[0]?.time },
  };
}
