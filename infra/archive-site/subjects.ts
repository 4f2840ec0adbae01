/** The addresses and nodes of an export. Anybody can put any number of addresses into events, so small ones have no pages. */

import type { Services } from '../../lib/api/services.ts';
import { readOtherHolders } from '../../lib/archive/other-holders.ts';
import { type Entry, LEAST_SHARES, listSubjects, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';
import { createProgress } from '../local/progress.ts';

/** Addresses are lower-case 0x-hex, and all lists are sorted. */
export interface Subjects {
  /** Those with a page. */
  addresses: string[];
  /** Those of whom all amounts together are less than 0.001 of a token: they are in one list only. */
  small: string[];
  holders: string[];
  stakers: string[];
  nodes: string[];
}

const AMOUNTS = ['amount', 'restaked', 'assets', 'shares'] as const;

/** The participants of all events, and the holders of tokens that the ledger does not index. */
export async function readSubjects({ chain, ledger }: Services, log: (line: string) => void): Promise<Subjects> {
  const { coverage } = await ledger.progress.latest();
  const { fromBlock: from, toBlock: to } = coverage;
  const report = createProgress((line) => log(`Blocks searched for holders of other tokens: ${line}`));
  const amounts = await readOtherHolders(chain, { from, to }, (count) => report(count, to - from + 1));
  const kinds = { holder: new Set<string>(), staker: new Set<string>(), node: new Set<string>() };
  for await (const entries of ledger.pages(subjectOf.protocol, coverage))
    for (const entry of entries) {
      const subjects = listSubjects(entry).map((subject) => subject.split('#') as [keyof typeof kinds, string]);
      for (const [kind, name] of subjects.slice(2)) kinds[kind].add(name);
      for (const name of new Set(subjects.slice(2).flatMap(([kind, name]) => (kind === 'node' ? [] : name))))
        amounts.set(name, (amounts.get(name) ?? 0n) + amountOf(entry));
    }
  const isLarge = (address: string) => (amounts.get(address) ?? 0n) >= LEAST_SHARES;
  const all = [...amounts.keys()].sort();
  return {
    addresses: all.filter(isLarge),
    small: all.filter((address) => !isLarge(address)),
    holders: [...kinds.holder].filter(isLarge).sort(),
    stakers: [...kinds.staker].filter(isLarge).sort(),
    nodes: [...kinds.node].map(formatNodeID).sort(),
  };
}

/** The amounts of an entry, wei. A minipool's has none, and stands for at least one AVAX. */
function amountOf(entry: Entry): bigint {
  const values = AMOUNTS.flatMap((name) => (name in entry ? (entry as unknown as Record<string, bigint>)[name] : []));
  return values.length > 0 ? values.reduce<bigint>((sum, value = 0n) => sum + value, 0n) : 10n ** 18n;
}
