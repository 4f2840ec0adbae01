/** Income of addresses: sums of the entries, and balances at the ends of months. */

import { parseUnits } from 'ethers';
import { startOfPeriod } from '../../lib/history/periods.ts';
import { DAY } from '../../lib/values/durations.ts';
import { type Expected, firstItems, type Json, tokens } from './figure.ts';

const yearOf = (timestamp: number) => new Date(timestamp * 1_000).getUTCFullYear();

/** The expected value of a number that is computed with doubles: the served one, if the two agree to a billionth. */
function about(expected: number, served: number | undefined): number | undefined {
  return served === undefined || Math.abs(served - expected) <= 1e-9 * Math.abs(expected) ? served : expected;
}

export const income: Expected = async ({ entries, totals, undated = [], coverage }, _chain, source) => {
  const running = new Map<string, bigint>();
  const all = [...undated.map((growth: Json) => ({ ...growth, timestamp: growth.before })), ...entries];
  const inOrder = all.sort((a, b) => a.timestamp - b.timestamp);
  const runningTotals = inOrder.flatMap(({ address, source, amount, before }: Json) => {
    const key = `${address} ${source}`;
    running.set(key, (running.get(key) ?? 0n) + parseUnits(amount));
    return before === undefined ? tokens(running.get(key)) : [];
  });
  const expectEntry = async ({ address, timestamp, ggAvaxBalance }: Json, index: number) => {
    const runningTotal = runningTotals[index];
    if (ggAvaxBalance === undefined) return { runningTotal };
    const end = startOfPeriod(timestamp, '1mo', 1);
    const { toBlock, toTimestamp } = coverage.ggAvax;
    const block = end < toTimestamp ? await source.lastBlockBy(end) : toBlock;
    const balance = await source.at(block).read('TokenggAVAX', 'balanceOf', address);
    return { runningTotal, timestamp: startOfPeriod(timestamp, '1mo') + DAY / 2, ggAvaxBalance: tokens(balance) };
  };
  const expectTotal = async (total: Json) => {
    const ofTotal = entries.filter(
      ({ timestamp, source }: Json) => yearOf(timestamp) === total.year && source === total.source,
    );
    const sum = (field: string) => ofTotal.reduce((all: number, entry: Json) => all + (entry[field] ?? 0), 0);
    return {
      amount: tokens(ofTotal.reduce((all: bigint, entry: Json) => all + parseUnits(entry.amount), 0n)),
      valueUSD: about(sum('valueUSD'), total.valueUSD),
      valueEUR: about(sum('valueEUR'), total.valueEUR),
      unpricedUSD: sum('unpricedUSD'),
      unpricedEUR: sum('unpricedEUR'),
      unpricedAmountUSD: sum('unpricedUSD') === 0 ? '0' : total.unpricedAmountUSD,
      unpricedAmountEUR: sum('unpricedEUR') === 0 ? '0' : total.unpricedAmountEUR,
    };
  };
  return { entries: await Promise.all(entries.map(expectEntry)), totals: await firstItems(totals, expectTotal) };
};
