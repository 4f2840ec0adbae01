import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  assetsOf,
  earningsOf,
  flowsOf,
  holderSpans,
  type PricedPoolMoment,
} from '../../../lib/history/holder-flows.ts';
import { totalsOf } from '../../../lib/history/holder-past.ts';
import { convertToAssets } from '../../../lib/rewards/gg-avax-shares.ts';
import { DAY } from '../rewards/units.ts';
import { anyLife, HOLDER, live, midnightsOf, QUEUE } from './holder-lives.ts';

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
      ].map((kinds) => kinds.reduce((sum, kind) => sum + assetsOf(flows)[kind], 0n)) as [bigint, bigint];
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
      const midnights = midnightsOf({ moments });
      const days = holderSpans(flows, [...midnights.filter(({ time }) => time < last.time), last]);
      expect(days.reduce((sum, { reward }) => sum + reward, 0n)).toBe(total);
    }),
  );
});

test('entries after a block do not count', () => {
  const step = (act: 'deposit' | 'request') => ({ later: DAY, gain: 0n, act, size: 500n });
  const past = live([step('deposit'), step('deposit'), step('request')]);
  const upTo = (block: number) => totalsOf(HOLDER, past, QUEUE, block);
  expect([upTo(1), upTo(2), upTo(3)].map(({ flows }) => flows.length)).toEqual([1, 2, 3]);
  expect([upTo(2), upTo(3)].map(({ openRequests }) => openRequests)).toEqual([[], [0]]);
});
