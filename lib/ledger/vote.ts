/** Which of several sources' facts count. */

import type { Blocks } from './log-reader.ts';

/** A log, header or entry counts if so many providers say it. */
export const QUORUM = 2;

/** What a source says, by what it is about: a place, a block, an address. */
export type Facts<T> = ReadonlyMap<string, T>;

/** What most answers say, and what is said by no two of them alike. That something is not there is said, too. */
export function vote<T extends object | string>(
  answers: readonly Facts<T>[],
): { facts: Map<string, T>; disputed: T[] } {
  const facts = new Map<string, T>();
  const disputed: T[] = [];
  for (const key of new Set(answers.flatMap((facts) => [...facts.keys()]))) {
    const said = answers.map((facts) => facts.get(key));
    const texts = said.map(textOf);
    const place = texts.findIndex((text) => texts.filter((other) => other === text).length >= QUORUM);
    if (place < 0) disputed.push(...said.filter((fact) => fact !== undefined));
    else if (said[place] !== undefined) facts.set(key, said[place]);
  }
  return { facts, disputed };
}

function textOf(fact: unknown): string {
  return JSON.stringify(fact, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
}

/** The blocks that disputed facts are about: those of logs, headers and entries; otherwise all. */
export function blocksOf(disputed: readonly unknown[], all: Blocks): Blocks {
  const numbers = disputed.flatMap((fact) => {
    const { blockNumber, block, number } = fact as { blockNumber?: string; block?: number; number?: number };
    return Number(blockNumber ?? block ?? number ?? Number.NaN);
  });
  if (numbers.length === 0 || numbers.some(Number.isNaN)) return all;
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  return { from: Math.max(all.from, first), to: Math.max(all.from, Math.min(all.to, last)) };
}
