/** Decides which facts of several sources count. */

export interface Blocks {
  from: number;
  to: number;
}

/** Number of providers that must agree for a fact to count, if so many are configured. */
export const QUORUM = 2;

/** The facts of a source, by key: a place, a block or an address. */
export type Facts<T> = ReadonlyMap<string, T>;

/** Blocks at which indexing waits for providers; missing if these return no head. */
export interface Waiting {
  fromBlock?: number;
  toBlock?: number;
  reason: string;
}

/** Blocks at which indexing has stopped: providers disagree, or a log does not decode. */
export interface Dispute extends Required<Waiting> {
  /** Names of the providers that disagree; none if a log does not decode. */
  providers: string[];
}

/** Error: nothing decides what some blocks hold. Indexing stops there. */
export class Disputed extends Error {
  override readonly name = 'Disputed';
  readonly dispute: Dispute;

  constructor({ from, to }: Blocks, providers: string[], reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.dispute = { fromBlock: from, toBlock: to, providers, reason };
  }
}

/** Returns facts that `quorum` answers share, and by key, facts on which too few agree. Absence of a fact counts, too. */
export function vote<T extends object | string>(
  answers: readonly { facts: Facts<T> }[],
  quorum = QUORUM,
): { facts: Map<string, T>; disputed: Map<string, T[]> } {
  const facts = new Map<string, T>();
  const disputed = new Map<string, T[]>();
  for (const key of new Set(answers.flatMap(({ facts }) => [...facts.keys()]))) {
    const reported = answers.map(({ facts }) => facts.get(key));
    const texts = reported.map(toText);
    const place = texts.findIndex((text) => texts.filter((other) => other === text).length >= quorum);
    const known = reported.filter((fact) => fact !== undefined);
    if (place < 0) disputed.set(key, known);
    else if (reported[place] !== undefined) facts.set(key, reported[place]);
  }
  return { facts, disputed };
}

function toText(fact: unknown): string {
  return JSON.stringify(fact, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
}

/** The blocks of disputed logs, headers and entries; all blocks if a disputed fact has no block, or is the hash of the last one. */
export function findDisputedBlocks(disputed: readonly unknown[], all: Blocks): Blocks {
  const numbers = disputed.map((fact) => {
    const { blockNumber, block, number, hash } = fact as Record<string, unknown>;
    return hash ? Number.NaN : Number(blockNumber ?? block ?? number);
  });
  return numbers.some(Number.isNaN) ? all : { from: Math.min(...numbers), to: Math.max(...numbers) };
}
