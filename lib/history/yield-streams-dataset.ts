import type { Dataset } from '../cache/dataset.ts';
import { type Coverage, confirmedOf } from '../ledger/coverage.ts';
import { type Entry, type EntryOf, subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { YIELDS } from '../ledger/mismatches.ts';
import { releasedBetween, type Stream, type YieldSource } from '../rewards/streams.ts';
import { avax, ggp } from '../values/units.ts';
import type { Period } from './periods.ts';

/** The sources of the yield of ggAVAX, and the minted GGP, from the ledger's entries. */
export interface YieldStreams {
  /** The confirmed part. */
  coverage: Coverage;
  /** Oldest first. Empty while nothing is confirmed. */
  streams: Stream[];
  cycles: EntryOf<'rewardsCycleStarted'>[];
}

export const YIELD_TYPES = ['rewardsStreamed', 'avaxReturned', 'yieldAdded', 'rewardsCycleStarted'] as const;

/** The yield streams, read once for all ranges and pages. */
export const yieldStreamsDataset: Dataset<YieldStreams, LedgerContext> = {
  name: 'yieldStreams',
  freshSeconds: 300,
  shared: true,
  async read(context) {
    const { ledger } = context;
    const read = await Promise.all(YIELD_TYPES.map((type) => ledger.all(subjectOf.type(type), YIELDS)));
    const least = read.reduce((least, one) => (one.coverage.toBlock < least.coverage.toBlock ? one : least));
    const entries = read.flatMap(({ entries }) => entries);
    const { confirmed, coverage } = confirmedOf(entries, least.coverage);
    return { coverage, ...toYieldStreams(confirmed.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)) };
  },
};

/** The streams and cycles in entries, which are in chain order. */
export function toYieldStreams(entries: readonly Entry[]): Omit<YieldStreams, 'coverage'> {
  return { streams: toStreams(entries), cycles: entries.filter((entry) => entry.type === 'rewardsCycleStarted') };
}

/** The yield figures of a period, each declared once: answers and the archive's columns take the meaning from here. */
export const YIELD_FIGURES = {
  grossYield: avax('Yield before the fee: `netYield` + `fee`.'),
  fee: avax('Fee of this yield, taken by the protocol when it came in.'),
  netYield: avax(
    'Yield that rewards streams released to holders: growth of `totalAssets`, less deposits and plus withdrawals.',
  ),
  minipools: avax('From minipools.'),
  delegation: avax('From delegations outside minipools.'),
  mev: avax('From MEV.'),
  other: avax('From everything else, including AVAX that no event explains.'),
  ggpMinted: ggp('GGP minted by rewards cycles that started in the period.'),
  ggpToOperators: ggp('Part of it for node operators.'),
  ggpToDao: ggp('Part of it for the DAO treasury.'),
  ggpToMultisigs: ggp('Part of it for the multisigs.'),
};

/** The yield figures of a period, in wei. */
export type PeriodYield = Record<keyof typeof YIELD_FIGURES, bigint>;

/** Computes the yield figures of a period, up to `knownTo` (unix seconds). */
export function yieldIn(
  { streams, cycles }: Omit<YieldStreams, 'coverage'>,
  { start, end }: Period,
  knownTo: number,
): PeriodYield {
  const { net, fee, bySource } = releasedBetween(streams, start, Math.min(end, knownTo));
  const started = cycles.filter(({ timestamp }) => timestamp >= start && timestamp < end);
  const sumOf = (amountOf: (cycle: EntryOf<'rewardsCycleStarted'>) => bigint) =>
    started.reduce((sum, cycle) => sum + amountOf(cycle), 0n);
  return {
    grossYield: net + fee,
    fee,
    netYield: net,
    ...bySource,
    // Without an event for the minted amount, it is the sum of the parts that were paid.
    ggpMinted: sumOf((cycle) => cycle.totalAmt ?? cycle.ClaimNodeOp + cycle.ClaimProtocolDAO + cycle.MultisigManager),
    ggpToOperators: sumOf((cycle) => cycle.ClaimNodeOp),
    ggpToDao: sumOf((cycle) => cycle.ClaimProtocolDAO),
    ggpToMultisigs: sumOf((cycle) => cycle.MultisigManager),
  };
}

/** The time of the first stream or cycle; Infinity if there is none. */
export function firstYield({ streams, cycles }: Omit<YieldStreams, 'coverage'>): number {
  return Math.min(...streams.map(({ start }) => start), ...cycles.map(({ timestamp }) => timestamp));
}

/**
 * The streams in entries, which are in chain order: each has the yield that has come in since the previous stream. Yield
 * that no entry explains, such as WAVAX that somebody sent, is `other`.
 */
function toStreams(entries: readonly Entry[]): Stream[] {
  const streams: Stream[] = [];
  const nothing = () => ({ fee: 0n, bySource: { minipools: 0n, delegation: 0n, mev: 0n, other: 0n } });
  let waiting = nothing();
  for (const entry of entries) {
    if (entry.type === 'rewardsStreamed') {
      const { timestamp: start, cycleEnd: end, rewardsAmt: amount } = entry;
      const { minipools, delegation, mev } = waiting.bySource;
      const other = amount - minipools - delegation - mev;
      streams.push({ start, end, amount, fee: waiting.fee, bySource: { minipools, delegation, mev, other } });
      waiting = nothing();
    } else {
      const { source, net, fee } = toYield(entry);
      waiting.bySource[source] += net;
      waiting.fee += fee;
    }
  }
  return streams;
}

interface Yield {
  source: YieldSource;
  net: bigint;
  fee: bigint;
}

/** The yield that an entry adds to the next stream. A donation burns shares: it adds no AVAX. */
function toYield(entry: Entry): Yield {
  if (entry.type === 'avaxReturned') {
    const source = entry.nodeID ? 'delegation' : parseSource(entry.source, 'minipools');
    return { source, net: entry.rewardsAmt, fee: entry.feeAVAX };
  }
  if (entry.type !== 'yieldAdded' || entry.source !== 'deposit') return { source: 'other', net: 0n, fee: 0n };
  return { source: parseSource(entry.origin, 'other'), net: entry.amount, fee: entry.fee ?? 0n };
}

/** Words in the contract's names of sources. */
const WORDS: readonly [word: string, source: YieldSource][] = [
  ['MINIPOOL', 'minipools'],
  ['DELEGATION', 'delegation'],
  ['MEV', 'mev'],
];

function parseSource(bytes32: string | undefined, unnamed: YieldSource): YieldSource {
  if (bytes32 === undefined) return unnamed;
  const name = Buffer.from(bytes32.slice(2), 'hex').toString('latin1');
  return WORDS.find(([word]) => name.includes(word))?.[1] ?? 'other';
}
