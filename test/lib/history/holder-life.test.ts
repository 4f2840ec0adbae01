import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  assetsOf,
  earningsOf,
  flowsOf,
  holderSpans,
  type PricedPoolMoment,
} from '../../../lib/history/holder-flows.ts';
import { boundariesOf } from '../../../lib/history/series.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import { convertToAssets } from '../../../lib/rewards/gg-avax-shares.ts';
import { DAY, wei } from '../rewards/units.ts';

/** Any life of a holder: what they do with their ggAVAX and with the withdrawal queue, told as the ledger tells it. */

const [HOLDER, OTHER, QUEUE] = ['a1', 'b0', 'c3'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const START = 20_000 * DAY;

const anyLife = fc.array(
  fc.record({
    later: fc.integer({ min: 1, max: 2 * DAY }),
    /** AVAX wei that the pool gains before it, or loses. */
    gain: fc.bigInt({ min: -wei('5'), max: wei('80') }),
    act: fc.constantFrom('deposit', 'receive', 'send', 'request', 'cancel', 'expire', 'fulfil', 'claim'),
    /** Thousandths of what is held, or of 1,000 AVAX. */
    size: fc.bigInt({ min: 1n, max: 1_000n }),
  }),
  { minLength: 1, maxLength: 40 },
);
type Life = typeof anyLife extends fc.Arbitrary<infer Steps> ? Steps : never;

interface Request {
  requestId: number;
  shares: bigint;
  expectedAssets: bigint;
  isFulfilled: boolean;
}

/**
 * Plays a life. Returns its entries, the pool after each step, and what the holder has gained, from what they held and
 * what they waited for: the shares times each change of the rate, and the growth of what came back after it had expired.
 */
function live(life: Life) {
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

test('in any life, rewards are the value now, plus outflows, less inflows, and what the shares have gained', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const { entries, moments, held, gained } = live(life);
      const flows = flowsOf(HOLDER, entries, QUEUE);
      const now = moments.at(-1) as PricedPoolMoment;
      const { reward, shares } = earningsOf(flows, moments, now);
      expect(shares).toBe(held);
      const [come, gone] = [
        ['deposited', 'transferredIn', 'returned'] as const,
        ['withdrawn', 'transferredOut'] as const,
      ].map((kinds) => kinds.reduce((sum, kind) => sum + assetsOf(flows, kind), 0n)) as [bigint, bigint];
      expect(reward).toBe(convertToAssets(held, now.totals) + gone - come);
      // Each flow rounds a value down, by less than a wei.
      const difference = reward - gained;
      expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(BigInt(flows.length + moments.length));
    }),
  );
});

test('in any life, the rewards of its days add up to the total, to the wei', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const { entries, moments } = live(life);
      const flows = flowsOf(HOLDER, entries, QUEUE);
      const last = moments.at(-1) as PricedPoolMoment;
      const total = earningsOf(flows, [], last).reward;
      // The pool changes only in steps.
      const midnights = boundariesOf('1d', START, last.time).map((time) => {
        return { ...(moments.findLast((moment) => moment.time <= time) as PricedPoolMoment), time };
      });
      const days = holderSpans(flows, [...midnights.filter(({ time }) => time < last.time), last]);
      expect(days.reduce((sum, { reward }) => sum + reward, 0n)).toBe(total);
    }),
  );
});

test('what waits in the queue and comes back after it has expired has earned what it grew by', () => {
  const step = (act: Life[number]['act'], gain = 0n) => ({ later: DAY, gain, act, size: 1_000n });
  const life = [step('deposit'), step('request'), step('receive', wei('130')), step('expire', wei('1.4'))];
  const { entries, moments, gained } = live(life);
  const { reward } = earningsOf(flowsOf(HOLDER, entries, QUEUE), [], moments.at(-1) as PricedPoolMoment);
  expect(gained).toBeGreaterThan(wei('10'));
  expect(reward - gained).toBeLessThanOrEqual(4n);
});
