import fc from 'fast-check';
import type { PricedPoolMoment } from '../../../lib/history/holder-flows.ts';
import { listBoundaries } from '../../../lib/history/series.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import { convertToAssets } from '../../../lib/rewards/gg-avax-shares.ts';
import { DAY, wei } from '../rewards/units.ts';

/** Any life of a holder: actions with ggAVAX and with the withdrawal queue, as entries of the ledger. */

export const HOLDER = `0x${'a1'.repeat(20)}`;
export const QUEUE = `0x${'c3'.repeat(20)}`;
const OTHER = `0x${'b0'.repeat(20)}`;
export const START = 20_000 * DAY;

export const anyLife = fc.array(
  fc.record({
    later: fc.integer({ min: 1, max: 2 * DAY }),
    /** AVAX wei that the pool gains before this action, or loses. */
    gain: fc.bigInt({ min: -wei('5'), max: wei('80') }),
    act: fc.constantFrom('deposit', 'receive', 'send', 'request', 'cancel', 'expire', 'fulfil', 'claim'),
    /** Thousandths of the held amount, or of 1,000 AVAX. */
    size: fc.bigInt({ min: 1n, max: 1_000n }),
  }),
  { minLength: 1, maxLength: 40 },
);
export type Life = typeof anyLife extends fc.Arbitrary<infer Steps> ? Steps : never;

interface Request {
  requestId: number;
  shares: bigint;
  expectedAssets: bigint;
  isFulfilled: boolean;
}

/**
 * Plays a life. Returns its entries, the pool after each step, and the gains of the holder from held shares and from
 * pending withdrawals: the shares times each change of the rate, and the growth of expired requests that were returned.
 */
export function live(life: Life) {
  let pool = { totalAssets: wei('12000'), totalSupply: wei('10000') };
  let [time, held, gained, requestId] = [START, 0n, 0n, 0];
  let waiting: Request[] = [];
  const entries: Entry[] = [];
  const moments: PricedPoolMoment[] = [{ time, totals: pool }];
  const worth = (shares: bigint) => convertToAssets(shares, pool);
  const bought = (assets: bigint) => (assets * pool.totalSupply) / pool.totalAssets;
  const tell = (...all: Record<string, unknown>[]) => {
    for (const fields of all) {
      const place = { block: moments.length, logIndex: entries.length, timestamp: time, txHash: `0x${moments.length}` };
      entries.push({ ...place, ...fields } as unknown as Entry);
    }
  };
  const moved = (from: string, to: string, shares: bigint) => {
    return { type: 'ggAvaxTransferred', from, to, shares, rate: worth(wei('1')), assets: worth(shares) };
  };
  const give = (assets: bigint, shares: bigint) => {
    pool = { totalAssets: pool.totalAssets + assets, totalSupply: pool.totalSupply + shares };
  };
  const takeBack = (type: string, request: Request, shares: bigint) => {
    waiting = waiting.filter((other) => other !== request);
    held += shares;
    tell({ type, requestId: request.requestId, requester: HOLDER, shares }, moved(QUEUE, HOLDER, shares));
  };
  for (const { later, gain, act, size } of life) {
    time += later;
    const before = worth(held);
    pool = { ...pool, totalAssets: pool.totalAssets + gain };
    gained += worth(held) - before;
    const part = (held * size) / 1_000n;
    const [oldest] = waiting;
    if (act === 'deposit' || act === 'receive') {
      const assets = wei('1') * size;
      const shares = bought(assets);
      give(assets, shares);
      held += shares;
      if (act === 'receive') tell(moved(OTHER, HOLDER, shares));
      else tell({ type: 'ggAvaxDeposited', caller: HOLDER, owner: HOLDER, assets, shares });
    } else if (act === 'send' && part > 0n) {
      held -= part;
      tell(moved(HOLDER, OTHER, part));
    } else if (act === 'request' && part > 0n) {
      const request = { requestId: requestId++, shares: part, expectedAssets: worth(part), isFulfilled: false };
      held -= part;
      waiting.push(request);
      tell(moved(HOLDER, QUEUE, part), { type: 'unstakeRequested', requester: HOLDER, claimableTime: 0, ...request });
    } else if (act === 'fulfil' && oldest && !oldest.isFulfilled) {
      give(-oldest.expectedAssets, -bought(oldest.expectedAssets));
      oldest.isFulfilled = true;
      const { requestId, expectedAssets } = oldest;
      tell({ type: 'unstakeFulfilled', requestId, requester: HOLDER, assets: expectedAssets });
    } else if (act === 'claim' && oldest?.isFulfilled) {
      waiting.shift();
      const { requestId, expectedAssets } = oldest;
      tell({ type: 'unstakeClaimed', requestId, requester: HOLDER, assets: expectedAssets });
    } else if ((act === 'cancel' || act === 'expire') && oldest) {
      const type = act === 'cancel' ? 'unstakeCancelled' : 'unstakeReturned';
      const shares = act === 'expire' && !oldest.isFulfilled ? oldest.shares : bought(oldest.expectedAssets);
      // Its AVAX is deposited again.
      if (oldest.isFulfilled) give(oldest.expectedAssets, shares);
      gained += worth(shares) - oldest.expectedAssets;
      takeBack(type, oldest, shares);
    }
    moments.push({ time, totals: pool });
  }
  return { entries, moments, held, gained };
}

/** The pool at each midnight of a life. It changes only in steps. */
export function midnightsOf({ moments }: Pick<ReturnType<typeof live>, 'moments'>): PricedPoolMoment[] {
  const { time: end } = moments.at(-1) as PricedPoolMoment;
  return listBoundaries('1d', START, end).map((time) => {
    return { ...(moments.findLast((moment) => moment.time <= time) as PricedPoolMoment), time };
  });
}
