/** Income of addresses: sums of the entries, and balances at the ends of months. */

import { parseUnits } from 'ethers';
import { startOfPeriod } from '../../lib/history/periods.ts';
import { about, each, type Figure, type Figures, figures, type Json, tokens } from './figure.ts';

const yearOf = (timestamp: number) => new Date(timestamp * 1_000).getUTCFullYear();

export const income: Figures = async ({ entries, totals, coverage }, _chain, source) => {
  const running = new Map<string, bigint>();
  const runningTotals = entries.map(({ address, source, amount }: Json) => {
    const key = `${address} ${source}`;
    running.set(key, (running.get(key) ?? 0n) + parseUnits(amount));
    return tokens(running.get(key));
  });
  const compare = async (entry: Json, index: number): Promise<Figure[]> => {
    const { address, timestamp, ggAvaxBalance } = entry;
    const at = `entries[${index}].`;
    const sum = figures(at, entry, { runningTotal: runningTotals[index] });
    if (ggAvaxBalance === undefined) return sum;
    const end = Math.min(startOfPeriod(timestamp, '1mo', 1), coverage.ggAvax.toTimestamp);
    const balance = await source.at(await source.lastBlockBy(end)).read('TokenggAVAX', 'balanceOf', address);
    return [
      ...sum,
      ...figures(at, entry, { timestamp: startOfPeriod(timestamp, '1mo'), ggAvaxBalance: tokens(balance) }),
    ];
  };
  const years = await each<Json>('totals', totals, async (total, at) => {
    const ofTotal = entries.filter(
      ({ timestamp, source }: Json) => yearOf(timestamp) === total.year && source === total.source,
    );
    const sum = (field: string) => ofTotal.reduce((all: number, entry: Json) => all + (entry[field] ?? 0), 0);
    const amount = ofTotal.reduce((all: bigint, entry: Json) => all + parseUnits(entry.amount), 0n);
    return figures(at, total, {
      amount: tokens(amount),
      ...(total.valueUSD !== undefined && { valueUSD: about(sum('valueUSD'), total.valueUSD) }),
      ...(total.valueEUR !== undefined && { valueEUR: about(sum('valueEUR'), total.valueEUR) }),
      unpricedUSD: sum('unpricedUSD'),
      unpricedEUR: sum('unpricedEUR'),
    });
  });
  return [...(await Promise.all(entries.map(compare))).flat(), ...years];
};
