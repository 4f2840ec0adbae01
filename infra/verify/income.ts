/** Income of addresses: sums of the entries, and balances at the ends of months. */

import { parseUnits } from 'ethers';
import { startOfPeriod } from '../../lib/history/periods.ts';
import { DAY } from '../../lib/values/durations.ts';
import { isoDay } from '../../lib/values/iso-time.ts';
import { sum } from '../../lib/values/wad.ts';
import { type Expected, firstItems, type Json, tokens } from './figure.ts';

/** The expected value of a number that is computed with doubles: the served one, if the two agree to a billionth. */
function about(expected: number, served: number | undefined): number | undefined {
  return served === undefined || Math.abs(served - expected) <= 1e-9 * Math.abs(expected) ? served : expected;
}

export const income: Expected = async ({ entries, totals, undated = [], coverage }, _chain, source) => {
  /** A month's total also has growth that belongs to no single day, if it ended before the last income of that month. */
  const runningTotalOf = ({ address, source, timestamp, runningTotal }: Json, index: number) => {
    const isAlike = (income: Json) => income.address === address && income.source === source;
    const totals = [0, 1].map((months) => {
      const before = undated.filter((growth: Json) => growth.before <= startOfPeriod(timestamp, '1mo', months));
      const income = [...before, ...entries.slice(0, index + 1)].filter(isAlike);
      return tokens(sum(income.map(({ amount }) => parseUnits(amount))));
    });
    return totals.includes(runningTotal) ? runningTotal : totals[1];
  };
  const expectEntry = async (entry: Json, index: number) => {
    const { address, timestamp, ggAvaxBalance } = entry;
    const runningTotal = runningTotalOf(entry, index);
    if (ggAvaxBalance === undefined) return { runningTotal };
    const end = startOfPeriod(timestamp, '1mo', 1);
    const { toBlock, toTimestamp } = coverage.ggAvax;
    const block = end < toTimestamp ? await source.lastBlockBy(end) : toBlock;
    const balance = await source.at(block).read('TokenggAVAX', 'balanceOf', address);
    return { runningTotal, timestamp: startOfPeriod(timestamp, '1mo') + DAY / 2, ggAvaxBalance: tokens(balance) };
  };
  const expectTotal = async (total: Json) => {
    const isPart = ({ timestamp, source }: Json) =>
      isoDay(timestamp).startsWith(String(total.year)) && source === total.source;
    const ofTotal = entries.filter(isPart);
    const sumOf = (field: string) => ofTotal.reduce((all: number, entry: Json) => all + (entry[field] ?? 0), 0);
    return {
      amount: tokens(sum(ofTotal.map((entry: Json) => parseUnits(entry.amount)))),
      valueUSD: about(sumOf('valueUSD'), total.valueUSD),
      valueEUR: about(sumOf('valueEUR'), total.valueEUR),
      unpricedUSD: sumOf('unpricedUSD'),
      unpricedEUR: sumOf('unpricedEUR'),
      unpricedAmountUSD: sumOf('unpricedUSD') === 0 ? '0' : total.unpricedAmountUSD,
      unpricedAmountEUR: sumOf('unpricedEUR') === 0 ? '0' : total.unpricedAmountEUR,
    };
  };
  return { entries: await Promise.all(entries.map(expectEntry)), totals: await firstItems(totals, expectTotal) };
};
