/** The income of an address, for tax forms, from the figures of `/ggAvax/{address}/rewards` and `/rewards/{address}/cycles`. */

import type { RequestContext } from '../cache/cache.ts';
import { type Coverage, coverageAt } from '../ledger/coverage.ts';
import { subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { isDoubted } from '../ledger/mismatch.ts';
import { readPage } from '../ledger/page.ts';
import { badParameter } from '../runtime/errors.ts';
import { sum, WAD } from '../values/wad.ts';
import { type DayPrices, type Money, readDayPrices, valueAt } from './day-prices.ts';
import { distributionsDataset } from './distributions.ts';
import type { HistoryContext } from './history-store.ts';
import { holderSpansDataset } from './holder-past.ts';
import { rewardUSD } from './holder-spans.ts';
import { type PeriodLength, startOfPeriod } from './periods.ts';

export const INCOME_TOKENS = { ggAvax: 'AVAX', minipools: 'AVAX', ggp: 'GGP' } as const;
export type IncomeSource = keyof typeof INCOME_TOKENS;
export const INCOME_SOURCES = Object.keys(INCOME_TOKENS) as IncomeSource[];

/** A day's growth of ggAVAX, a minipool's cycle, a distribution of GGP, or the sum of an address's income by source. */
export interface Income {
  /** Address that earned it, lower-case 0x-hex. */
  address: string;
  /** Unix seconds. For ggAVAX and for a sum, the start of the UTC day, month or year. */
  timestamp: number;
  source: IncomeSource;
  /** Wei of the source's token; negative for a loss. */
  amount: bigint;
  /** Price of one token at the end of the UTC day, scaled by 1e18. Undefined if it is not recorded, and for a sum. */
  price: Partial<Money>;
  /** Scaled by 1e18, rounded towards 0. For a sum, the value of the parts that have a price, if any. */
  value: Partial<Money>;
  unpriced: Record<keyof Money, number>;
  /** Wei that the address has earned from the source up to this time. */
  runningTotal: bigint;
  /** ggAVAX wei that the address held at the end. Only for ggAVAX. */
  ggAvaxBalance?: bigint | undefined;
  txHash?: string | undefined;
  /** The 20 bytes of the node that paid, in 0x-hex. Only for an event of minipools. */
  nodeID?: string | undefined;
}

interface Earned extends Pick<Income, 'timestamp' | 'amount' | 'txHash' | 'nodeID' | 'ggAvaxBalance'> {
  /** Prices of its day; undefined if it was earned over several days. */
  prices: DayPrices | undefined;
}

type IncomeContext = RequestContext<HistoryContext & LedgerContext>;

const READERS: Record<
  IncomeSource,
  (context: IncomeContext, address: string) => Promise<{ earned: Earned[]; coverage: Coverage }>
> = {
  async ggAvax(context, address) {
    const { spans, coverage, until } = await context.dataset(holderSpansDataset(address));
    const earned = spans.map((span) => ({
      timestamp: startOfPeriod(span.close.time - 1, '1d'),
      amount: span.reward,
      ggAvaxBalance: span.closeShares,
      prices: rewardUSD(span) === undefined ? undefined : span.close,
    }));
    return { earned: earned.filter(({ amount }) => amount !== 0n), coverage: coverageAt(until, coverage) };
  },
  async minipools(context, address) {
    const [{ entries, coverage }, prices] = await Promise.all([
      context.ledger.ofType('minipoolStatusChanged', subjectOf.staker(address)),
      readDayPrices(context),
    ]);
    const earned = entries.flatMap(({ timestamp, rewardAVAX, txHash, nodeID }) =>
      rewardAVAX ? { timestamp, amount: rewardAVAX, txHash, nodeID, prices: prices(timestamp) } : [],
    );
    return { earned, coverage };
  },
  async ggp(context, address) {
    const [{ paid, coverage }, staking, prices] = await Promise.all([
      context.dataset(distributionsDataset(address)),
      readPage(context.ledger, subjectOf.staker(address), { limit: 1 }),
      readDayPrices(context),
    ]);
    const earned = paid.map(({ paidTime, ggp }) => ({ timestamp: paidTime, amount: ggp, prices: prices(paidTime) }));
    // Only stakers are paid.
    const isStaker = staking.entries.length > 0 || paid.length > 0;
    return { earned, coverage: isStaker ? coverage : staking.coverage };
  },
};

/** Maximum number of listed entries: about as many as 4 MB hold. */
const MAX_ENTRIES = 10_000;

interface IncomeFilter {
  /** Unix seconds, both inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  source: IncomeSource | 'all';
  interval: 'event' | '1d' | '1mo';
}

export function selectSources({ source }: Pick<IncomeFilter, 'source'>): readonly IncomeSource[] {
  return source === 'all' ? INCOME_SOURCES : [source];
}

/**
 * The income of addresses, oldest first, and its totals by calendar year. Throws INVALID_REQUEST if there are too many
 * entries, and UPSTREAM_UNAVAILABLE if a table does not answer.
 */
export async function listIncome(context: IncomeContext, addresses: readonly string[], query: IncomeFilter) {
  const { from = 0, to = Number.POSITIVE_INFINITY, interval } = query;
  const sources = selectSources(query);
  const { income, ...known } = joinIncome(
    await Promise.all(addresses.map((address) => readIncome(context, address.toLowerCase(), sources))),
  );
  const wanted = income.filter(({ timestamp }) => from <= timestamp && timestamp <= to);
  const entries = interval === 'event' ? wanted : sumIncome(wanted, interval);
  if (entries.length > MAX_ENTRIES) {
    const message = `has too many entries (${entries.length}, at most ${MAX_ENTRIES}): ask for fewer addresses, for a year, or for interval=1mo`;
    throw badParameter('address', message);
  }
  return { entries, totals: sumIncome(wanted, '1y', 'together'), ...known };
}

export type ListedIncome = Awaited<ReturnType<typeof listIncome>>;

interface KnownIncome {
  /** Oldest first. */
  income: Income[];
  coverage: Partial<Record<IncomeSource, Coverage>>;
  /** Sources of which the events differ from the contracts' state. */
  doubted: IncomeSource[];
}

/** `address`: lower-case 0x-hex. */
async function readIncome(
  context: IncomeContext,
  address: string,
  sources: readonly IncomeSource[],
): Promise<KnownIncome> {
  const read = await Promise.all(
    sources.map(async (source) => {
      const { earned, coverage } = await READERS[source](context, address);
      // Running totals need the whole past.
      return { source, coverage, earned: coverage.complete ? earned : [] };
    }),
  );
  const doubts = await context.ledger.progress.doubts();
  return {
    doubted: sources.filter((source) => isDoubted(doubts, address, source)),
    income: inOrder(read.flatMap(({ source, earned }) => toIncome(address, source, earned))),
    coverage: Object.fromEntries(read.map(({ source, coverage }) => [source, coverage])),
  };
}

function joinIncome(each: readonly KnownIncome[]): KnownIncome {
  const leastOf = (source: IncomeSource) => {
    const known = each.flatMap(({ coverage }) => coverage[source] ?? []);
    return known.length > 0 ? [[source, known.reduce((least, one) => (isLess(one, least) ? one : least))]] : [];
  };
  return {
    income: inOrder(each.flatMap(({ income }) => income)),
    coverage: Object.fromEntries(INCOME_SOURCES.flatMap(leastOf)),
    doubted: [...new Set(each.flatMap(({ doubted }) => doubted))],
  };
}

const inOrder = (income: readonly Income[]) => income.toSorted((a, b) => a.timestamp - b.timestamp);

function isLess(a: Coverage, b: Coverage): boolean {
  return a.complete === b.complete ? a.toTimestamp < b.toTimestamp : !a.complete;
}

/** Returns the income of an address from a source (oldest first), with values and running totals. */
function toIncome(address: string, source: IncomeSource, earned: readonly Earned[]): Income[] {
  const token = INCOME_TOKENS[source] === 'AVAX' ? 'avaxInUSD' : 'ggpInUSD';
  let runningTotal = 0n;
  return earned.map(({ prices = {}, ...part }) => {
    const value = valueAt(part.amount, token, prices);
    runningTotal += part.amount;
    return {
      ...{ address, source, ...part, value, runningTotal },
      price: valueAt(WAD, token, prices),
      unpriced: { usd: value.usd === undefined ? 1 : 0, eur: value.eur === undefined ? 1 : 0 },
    };
  });
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
      timestamp: startOfPeriod(last.timestamp, length),
      amount: sum(parts.map(({ amount }) => amount)),
      price: {},
      value: { usd: sumKnown(parts, 'usd'), eur: sumKnown(parts, 'eur') },
      unpriced: { usd: countUnpriced(parts, 'usd'), eur: countUnpriced(parts, 'eur') },
      txHash: undefined,
      nodeID: undefined,
    };
  });
}

function sumKnown(parts: readonly Income[], currency: keyof Money): bigint | undefined {
  const values = parts.flatMap(({ value }) => value[currency] ?? []);
  return values.length > 0 ? sum(values) : undefined;
}

function countUnpriced(parts: readonly Income[], currency: keyof Money): number {
  return parts.reduce((sum, { unpriced }) => sum + unpriced[currency], 0);
}
