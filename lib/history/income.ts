/** The income of an address, for tax forms, from the figures of `/ggAvax/{address}/rewards` and `/rewards/{address}/cycles`. */

import type { RequestContext } from '../cache/cache.ts';
import { type Coverage, coverageAt } from '../ledger/coverage.ts';
import { subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { isDoubted } from '../ledger/mismatch.ts';
import { readPage } from '../ledger/page.ts';
import { DAY } from '../values/durations.ts';
import { sum, WAD } from '../values/wad.ts';
import { type DayPrices, type Money, readRecordedPrices, valueAt } from './day-prices.ts';
import { distributionsDataset } from './distributions.ts';
import type { HistoryContext } from './history-store.ts';
import { holderSpansDataset } from './holder-past.ts';
import { isDated } from './holder-spans.ts';
import { type PeriodLength, startOfPeriod } from './periods.ts';

export const INCOME_TOKENS = { ggAvax: 'AVAX', minipools: 'AVAX', ggp: 'GGP' } as const;
export type IncomeSource = keyof typeof INCOME_TOKENS;
export const INCOME_SOURCES = Object.keys(INCOME_TOKENS) as IncomeSource[];

/** Seconds from the start of a day. */
export const NOON = DAY / 2;

/** A day's growth of ggAVAX, a minipool's cycle, a distribution of GGP, or the sum of an address's income by source. */
export interface Income {
  /** Address that earned it, lower-case 0x-hex. */
  address: string;
  /** Unix seconds. For ggAVAX and for a sum, noon of the (first) UTC day: it is that day in nearly all time zones. */
  timestamp: number;
  source: IncomeSource;
  /** Wei of the source's token; negative for a loss. */
  amount: bigint;
  /** Price of one token at the end of the UTC day, scaled by 1e18. Undefined if it is not recorded, and for a sum. */
  price: Partial<Money>;
  /** Scaled by 1e18, rounded towards 0. For a sum, the value of the parts that have a price, if any. */
  value: Partial<Money>;
  unpriced: Record<keyof Money, { count: number; amount: bigint }>;
  /** Wei that the address has earned from the source up to this time. */
  runningTotal: bigint;
  /** ggAVAX wei that the address held at the end. Only for ggAVAX. */
  ggAvaxBalance?: bigint | undefined;
  txHash?: string | undefined;
  /** The 20 bytes of the node that paid, in 0x-hex. Only for an event of minipools. */
  nodeID?: string | undefined;
}

/** Growth between two times (unix seconds) that is not known by day, and so counts for no year. */
export interface UndatedIncome extends Pick<Income, 'address' | 'source' | 'amount'> {
  from: number;
  before: number;
}

interface Earned extends Pick<Income, 'timestamp' | 'amount' | 'txHash' | 'nodeID' | 'ggAvaxBalance'> {
  prices: DayPrices;
}

interface Past {
  earned: Earned[];
  undated?: Omit<UndatedIncome, 'address' | 'source'>[];
  coverage: Coverage;
  /** True if income before the end of `coverage`, or of a cycle that is over, is not recorded yet. */
  isBehind?: boolean;
}

type IncomeContext = RequestContext<HistoryContext & LedgerContext>;

const READERS: Record<IncomeSource, (context: IncomeContext, address: string) => Promise<Past>> = {
  async ggAvax(context, address) {
    const { spans, coverage, until } = await context.dataset(holderSpansDataset(address));
    const earned = spans.filter(({ reward }) => reward !== 0n);
    return {
      earned: earned.filter(isDated).map(({ close, reward, closeShares }) => ({
        timestamp: startOfPeriod(close.time - 1, '1d') + NOON,
        ...{ amount: reward, ggAvaxBalance: closeShares, prices: close },
      })),
      undated: earned
        .filter((span) => !isDated(span))
        .map(({ open, close, reward }) => ({ from: open.time, before: close.time, amount: reward })),
      coverage: coverageAt(until, coverage),
      isBehind: coverage.complete && until.timestamp === 0,
    };
  },
  async minipools(context, address) {
    const [{ entries, coverage }, prices] = await Promise.all([
      context.ledger.ofType('minipoolStatusChanged', subjectOf.staker(address)),
      readRecordedPrices(context),
    ]);
    const earned = entries.flatMap(({ timestamp, rewardAVAX, txHash, nodeID }) =>
      rewardAVAX ? { timestamp, amount: rewardAVAX, txHash, nodeID, prices: prices(timestamp) } : [],
    );
    return { earned, coverage };
  },
  async ggp(context, address) {
    const [{ paid, coverage, isBehind }, staking, prices] = await Promise.all([
      context.dataset(distributionsDataset(address)),
      readPage(context.ledger, subjectOf.staker(address), { limit: 1 }),
      readRecordedPrices(context),
    ]);
    const earned = paid.map(({ paidTime, ggp }) => ({ timestamp: paidTime, amount: ggp, prices: prices(paidTime) }));
    // Only stakers are paid.
    const isStaker = staking.entries.length > 0 || paid.length > 0;
    return isStaker ? { earned, coverage, isBehind } : { earned, coverage: staking.coverage };
  },
};

interface IncomeFilter {
  /** Unix seconds, both inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  source: IncomeSource | 'all';
  interval: 'event' | '1d' | '1mo';
}

/** The income of addresses, oldest first, and its totals by calendar year. Throws UPSTREAM_UNAVAILABLE if a table does not answer. */
export async function listIncome(context: IncomeContext, addresses: readonly string[], query: IncomeFilter) {
  const { from = 0, to = Number.POSITIVE_INFINITY, interval } = query;
  const sources = query.source === 'all' ? INCOME_SOURCES : [query.source];
  const doubts = await context.ledger.progress.doubts();
  const pasts = await Promise.all(
    addresses.flatMap((asked) => {
      const address = asked.toLowerCase();
      return sources.map(async (source) => toIncome(address, source, await READERS[source](context, address)));
    }),
  );
  const income = pasts.flatMap(({ income }) => income).sort((a, b) => a.timestamp - b.timestamp);
  const wanted = income.filter(({ timestamp }) => from <= timestamp && timestamp <= to);
  const leastOf = (source: IncomeSource) =>
    pasts.flatMap((past) => (past.source === source ? past.coverage : [])).reduce((a, b) => (isLess(b, a) ? b : a));
  return {
    entries: interval === 'event' ? wanted : sumIncome(wanted, interval),
    totals: sumIncome(wanted, '1y', 'together'),
    undated: pasts.flatMap(({ undated }) => undated).filter((growth) => growth.from <= to && from < growth.before),
    coverage: Object.fromEntries(sources.map((source) => [source, leastOf(source)])) as Partial<
      Record<IncomeSource, Coverage>
    >,
    isBehind: pasts.some(({ isBehind }) => isBehind),
    /** True if the events of an address differ from the contracts' state. */
    isDoubted: addresses.some((address) => sources.some((source) => isDoubted(doubts, address, source))),
  };
}

export type ListedIncome = Awaited<ReturnType<typeof listIncome>>;

function isLess(a: Coverage, b: Coverage): boolean {
  return a.complete === b.complete ? a.toTimestamp < b.toTimestamp : !a.complete;
}

/** The income of an address from a source (oldest first), with values and running totals, which need the whole past. */
function toIncome(address: string, source: IncomeSource, { earned, undated = [], ...known }: Past) {
  const token = INCOME_TOKENS[source] === 'AVAX' ? 'avaxInUSD' : 'ggpInUSD';
  let total = 0n;
  const income = earned.map(({ prices, ...part }): Income => {
    const value = valueAt(part.amount, token, prices);
    total += part.amount;
    const before = undated.filter(({ before }) => before <= part.timestamp).map(({ amount }) => amount);
    return {
      ...{ address, source, ...part, value, runningTotal: total + sum(before) },
      price: valueAt(WAD, token, prices),
      unpriced: unpricedIn([{ ...part, value }]),
    };
  });
  const { complete } = known.coverage;
  return {
    ...{ source, ...known },
    income: complete ? income : [],
    undated: complete ? undated.map((growth): UndatedIncome => ({ address, source, ...growth })) : [],
  };
}

/** The sums of income (oldest first) by period and source, oldest first: of each address, or of all `together`. */
function sumIncome(income: readonly Income[], length: PeriodLength, together?: 'together'): Income[] {
  const groups = Map.groupBy(income, ({ timestamp, source, address }) =>
    [startOfPeriod(timestamp, length), source, together ?? address].join(' '),
  );
  return [...groups.values()].map((parts) => {
    const last = parts.at(-1) as Income;
    return {
      ...last,
      timestamp: startOfPeriod(last.timestamp, length) + NOON,
      amount: sum(parts.map(({ amount }) => amount)),
      price: {},
      value: { usd: sumKnown(parts, 'usd'), eur: sumKnown(parts, 'eur') },
      unpriced: unpricedIn(parts),
      txHash: undefined,
      nodeID: undefined,
    };
  });
}

function sumKnown(parts: readonly Income[], currency: keyof Money): bigint | undefined {
  const values = parts.flatMap(({ value }) => value[currency] ?? []);
  return values.length > 0 ? sum(values) : undefined;
}

/** The number of parts without a price, and their amount. */
function unpricedIn(parts: readonly Pick<Income, 'amount' | 'value'>[]): Income['unpriced'] {
  const of = (currency: keyof Money) => {
    const unpriced = parts.filter(({ value }) => value[currency] === undefined);
    return { count: unpriced.length, amount: sum(unpriced.map(({ amount }) => amount)) };
  };
  return { usd: of('usd'), eur: of('eur') };
}
