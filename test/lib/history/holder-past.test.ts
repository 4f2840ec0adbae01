import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromText, sumUp, toText } from '../../../lib/history/holder-day.ts';
import { earningsOf, type PricedPoolMoment, type Promised } from '../../../lib/history/holder-flows.ts';
import { type HolderPast, totalsOf, wholeDaysUntil } from '../../../lib/history/holder-past.ts';
import { boundaryFrom } from '../../../lib/history/series.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import { startOf } from '../../../lib/rewards/holder-yield.ts';
import { DAY } from '../rewards/units.ts';
import { anyLife, HOLDER, live, midnightsOf, QUEUE, START } from './holder-lives.ts';

/** A holder's past gives the same figures, to the wei, whether or not its days are summed up. */

const coverage = { from: 0, to: 1_000, complete: true };

/** The past as the table gives it when everything up to a time is summed up. */
function pastOf(entries: readonly Entry[], summedTo: number): HolderPast {
  const dayOf = ({ timestamp }: Entry) => boundaryFrom(timestamp, '1d');
  const days = [...Map.groupBy(entries, dayOf)].filter(([end]) => end <= summedTo);
  const promised: Promised = new Map(
    entries.flatMap((entry) => (entry.type === 'unstakeRequested' ? [[entry.requestId, entry.expectedAssets]] : [])),
  );
  return {
    coverage,
    summedTo,
    days: days.map(([, ofDay]) => fromText(toText(sumUp(HOLDER, ofDay, QUEUE, promised)))),
    entries: entries.filter((entry) => dayOf(entry) > summedTo),
  };
}

test('in any life, it does not matter how many days are summed up, or which boundaries are recorded', () => {
  fc.assert(
    fc.property(anyLife, fc.nat({ max: 60 }), fc.infiniteStream(fc.boolean()), (life, summedDays, choose) => {
      const { entries, moments } = live(life);
      const now = moments.at(-1) as PricedPoolMoment;
      const rates = midnightsOf({ moments })
        .filter(() => choose.next().value)
        .map((moment) => ({ ...moment, avaxInUSD: BigInt(moment.time) }));
      const summedTo = Math.min(START + summedDays * DAY, wholeDaysUntil([now]));
      const [raw, summed] = [0, summedTo].map((to) => totalsOf(HOLDER, pastOf(entries, to), QUEUE)) as [
        ReturnType<typeof totalsOf>,
        ReturnType<typeof totalsOf>,
      ];
      const { flows, ...totals } = summed;
      expect({ ...raw, ...totals }).toEqual(raw);
      expect(flows.slice(0, 1).map(startOf)).toEqual(raw.flows.slice(0, 1).map(startOf));
      expect(earningsOf(flows, rates, now)).toEqual(earningsOf(raw.flows, rates, now));
    }),
  );
});

test('entries after a block do not count', () => {
  const step = (act: 'deposit' | 'request') => ({ later: DAY, gain: 0n, act, size: 500n });
  const { entries } = live([step('deposit'), step('deposit'), step('request')]);
  const past = pastOf(entries, 0);
  const upTo = (block: number) => totalsOf(HOLDER, past, QUEUE, block);
  expect([upTo(1), upTo(2), upTo(3)].map(({ flows }) => flows.length)).toEqual([1, 2, 3]);
  expect([upTo(2), upTo(3)].map(({ openRequests }) => openRequests)).toEqual([[], [0]]);
});

test('whole days end before the day of the last moment; without moments, nothing divides them', () => {
  const at = (time: number): PricedPoolMoment => ({ time, totals: { totalAssets: 1n, totalSupply: 1n } });
  expect(wholeDaysUntil([at(START), at(START + DAY + 1)])).toBe(START + DAY);
  expect(wholeDaysUntil([at(START + DAY)])).toBe(START + DAY);
  expect(wholeDaysUntil([])).toBeGreaterThan(START * 5);
});

test('a day is kept in this form: if another one is needed, so is another SUMS_VERSION', () => {
  const life = (['deposit', 'receive', 'request', 'cancel', 'request', 'fulfil', 'claim', 'send'] as const).map(
    (act) => ({ later: 60, gain: 1n, act, size: 100n }),
  );
  expect(sumUp(HOLDER, live(life).entries, QUEUE, undefined)).toMatchInlineSnapshot(`
{
  "assets": {
    "deposited": 100000000000000000000n,
    "returned": 19999999999999999999n,
    "transferredIn": 99999999999999999999n,
    "transferredOut": 17999999999999999998n,
    "withdrawn": 39999999999999999998n,
  },
  "ended": [
    0,
    1,
  ],
  "flows": {
    "first": 1728000060,
    "firstRate": 1200000000000000000n,
    "inflow": 219999999999999999998n,
    "lastRate": 1199999999999999999n,
    "outflow": 57999999999999999996n,
    "own": 146399999999999999901184000000000000000560n,
    "perBoth": 0n,
    "perRate": 0n,
    "perShare": 1007999999999999999340n,
    "shares": 135000000000000000000n,
    "time": 1728000480,
  },
  "received": 19999999999999999999n,
  "requested": [
    [
      0,
      19999999999999999999n,
    ],
    [
      1,
      19999999999999999999n,
    ],
  ],
}
`);
});
