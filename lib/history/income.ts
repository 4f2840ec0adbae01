/**
 * What an address earned, from every source, in one list: for tax forms. `/ggAvax/{address}/rewards` and
 * `/rewards/{address}/cycles` are made from the same figures, so that the sums are equal to the wei.
 */

import type { RequestContext } from '../cache/dataset.ts';
import { type Coverage, confirmedOf, confirmedPart } from '../ledger/coverage.ts';
import { subjectOf, typedSubject } from '../ledger/ledger-entry.ts';
import { ledgerOf } from '../ledger/ledger-store.ts';
import { MINIPOOLS } from '../ledger/mismatches.ts';
import { WAD } from '../values/wad.ts';
import { type DayPrices, type Money, readDayPrices, valueAt } from './day-prices.ts';
import { CYCLE_SECONDS, distributionsDataset } from './distributions.ts';
import { rewardUSD } from './holder-flows.ts';
import { holderSpansDataset } from './holder-spans-dataset.ts';
import { type PeriodLength, startOfPeriod } from './periods.ts';

/** The sources of income, and the token that each pays in. */
export const INCOME_TOKENS = { ggAvax: 'AVAX', minipools: 'AVAX', ggp: 'GGP' } as const;
export type IncomeSource = keyof typeof INCOME_TOKENS;
export const INCOME_SOURCES = Object.keys(INCOME_TOKENS) as IncomeSource[];
export type Currency = keyof Money;

/** A day's growth of ggAVAX, a minipool's cycle, a distribution of GGP, or the sum of those of one source. */
export interface Income {
  /** Unix seconds: of the event; of ggAVAX and of a sum, the start of the UTC day, month or year. */
  timestamp: number;
  source: IncomeSource;
  /** Wei of the source's token; negative for a loss. */
  amount: bigint;
  /** Of one token in the currency at the end of the UTC day, scaled by 1e18. Undefined if it is not recorded, and for a sum. */
  price?: bigint | undefined;
  /** In the currency, scaled by 1e18, rounded towards 0; of a sum, of the parts with a price, if any. */
  value: bigint | undefined;
  /** How many parts have no price. */
  missingPrices: number;
  txHash?: string | undefined;
}

interface Earned extends Pick<Income, 'timestamp' | 'amount' | 'txHash'> {
  /** Those of its day; undefined if it was earned over several days. */
  prices: DayPrices | undefined;
}

interface Source {
  earned: Earned[];
  coverage: Coverage;
}

const READERS: Record<IncomeSource, (context: RequestContext, address: string) => Promise<Source>> = {
  async ggAvax(context, address) {
    const { spans, coverage } = await context.dataset(holderSpansDataset(address));
    const earned = spans.map((span) => ({
      timestamp: startOfPeriod(span.close.time - 1, '1d'),
      amount: span.reward,
      prices: rewardUSD(span) === undefined ? undefined : span.close,
    }));
    return { earned: earned.filter(({ amount }) => amount !== 0n), coverage };
  },
  async minipools(context, address) {
    const subject = typedSubject(subjectOf.staker(address), 'minipoolStatusChanged');
    const [{ entries, ...searched }, prices] = await Promise.all([
      ledgerOf(context).all(subject, MINIPOOLS),
      readDayPrices(context),
    ]);
    const { confirmed, coverage } = confirmedOf(entries, searched.coverage);
    const earned = confirmed.flatMap((entry) =>
      entry.type === 'minipoolStatusChanged' && entry.rewardAVAX
        ? {
            timestamp: entry.timestamp,
            amount: entry.rewardAVAX,
            txHash: entry.txHash,
            prices: prices(entry.timestamp),
          }
        : [],
    );
    return { earned, coverage };
  },
  async ggp(context, address) {
    const [{ paid, coverage }, prices] = await Promise.all([
      context.dataset(distributionsDataset(address)),
      readDayPrices(context),
    ]);
    const earned = paid.map(({ startTime, ggp }) => ({
      timestamp: startTime,
      amount: ggp,
      prices: prices(startTime),
    }));
    return { earned, coverage };
  },
};

/**
 * The income of an address (lower-case 0x-hex) from some sources, oldest first: each as far as it is confirmed, which all of
 * them are for the blocks of `coverage`; none if one is not confirmed at all. Throws UPSTREAM_UNAVAILABLE if a table does not answer.
 */
export async function readIncome(
  context: RequestContext,
  address: string,
  { sources, currency }: { sources: readonly IncomeSource[]; currency: Currency },
): Promise<{ income: Income[]; coverage: Coverage }> {
  const read = await Promise.all(
    sources.map(async (source) => ({ source, ...(await READERS[source](context, address)) })),
  );
  // The ledger grows meanwhile: what all of them cover is what the answer covers.
  const least = read
    .map((part) => part.coverage)
    .reduce((least, other) => (other.toBlock < least.toBlock ? other : least));
  const unconfirmed = read.find((part) => !confirmedPart(part.coverage));
  if (unconfirmed) return { income: [], coverage: unconfirmed.coverage };
  const income = read.flatMap(({ source, earned }) => earned.map((part) => valued(source, part, currency)));
  return { income: income.toSorted((a, b) => a.timestamp - b.timestamp), coverage: least };
}

/**
 * The time (unix seconds) up to which the ledger must be confirmed for all income up to `to` to be known: the growth of a day is at
 * its end, and the GGP of a cycle once that is over.
 */
export function knownFrom(to: number, source: IncomeSource | 'all'): number {
  return startOfPeriod(to, '1d', 1) + (source === 'ggp' || source === 'all' ? CYCLE_SECONDS : 0);
}

function valued(source: IncomeSource, { prices = {}, ...earned }: Earned, currency: Currency): Income {
  const token = INCOME_TOKENS[source] === 'AVAX' ? 'avaxInUSD' : 'ggpInUSD';
  const price = valueAt(WAD, token, prices)[currency];
  const value = valueAt(earned.amount, token, prices)[currency];
  return { ...earned, source, price, value, missingPrices: value === undefined ? 1 : 0 };
}

/** The sums of income (oldest first) by period and source, oldest first. */
export function sumIncome(income: readonly Income[], length: PeriodLength): Income[] {
  const groups = Map.groupBy(income, ({ timestamp, source }) => `${startOfPeriod(timestamp, length)} ${source}`);
  return [...groups.values()].map((parts) => {
    const [{ timestamp, source }] = parts as [Income, ...Income[]];
    const values = parts.flatMap(({ value }) => value ?? []);
    return {
      timestamp: startOfPeriod(timestamp, length),
      source,
      amount: parts.reduce((sum, { amount }) => sum + amount, 0n),
      value: values.length > 0 ? values.reduce((sum, value) => sum + value, 0n) : undefined,
      missingPrices: parts.reduce((sum, { missingPrices }) => sum + missingPrices, 0),
    };
  });
}
