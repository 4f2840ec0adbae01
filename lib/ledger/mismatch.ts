/** Doubts about the ledger. They are an alarm: all answers about the address, node or request of one name it. */

/** A sum of the ledger, and the different value that a contract's view returns at the same block. */
export interface Mismatch {
  contract: string;
  view: string;
  /** The address, node (20 bytes, both lower-case 0x-hex) or request that the figure is about; missing if there is only one. */
  key?: string;
  /** The holder, staker, owner or requester whose figure it is; lower-case 0x-hex. */
  address?: string;
  ledger: string;
  /** Missing if it is not known: providers return different values, or none. */
  chain?: string | undefined;
  block: number;
}

/** A share of a rewards cycle that is left out: impossible, or read differently by providers at a block. */
export interface Refusal {
  cycle: number;
  /** Lower-case 0x-hex; missing if it is the whole cycle. */
  staker?: string;
  block?: number;
  providers?: string[];
}

export interface Doubts {
  /** Times of the last comparison with the contracts, and of the next one, unix seconds; missing before the first. */
  comparedAt?: number;
  dueAt?: number;
  mismatches: Mismatch[];
  refused: Refusal[];
  /** The block of a rewards cycle whose state fewer providers kept than agree on events, when it was last read. */
  scarceBlock?: number;
}

/** Most entries that are stored of each list: the row has at most 400 kB. A full list is a doubt about everybody. */
export const MOST_DOUBTS = 300;

/** The contracts whose figures show whether the events of a source of income are true. */
const CONTRACTS = { ggAvax: ['TokenggAVAX', 'WithdrawQueue'], minipools: ['MinipoolManager'], ggp: ['Staking'] };

export type DoubtSource = keyof typeof CONTRACTS;

/** True if a figure or share of an address or node (0x-hex) about one of these sources is doubted. */
export function isDoubted({ mismatches, refused }: Doubts, subject: string, ...sources: DoubtSource[]): boolean {
  const own = subject.toLowerCase();
  const contracts = sources.flatMap((source) => CONTRACTS[source]);
  const isOwn = ({ contract, key, address, chain }: Mismatch) =>
    chain !== undefined && contracts.includes(contract) && (key === own || address === own);
  const shares = sources.includes('ggp') ? refused : [];
  const isFull = mismatches.length >= MOST_DOUBTS || shares.length >= MOST_DOUBTS;
  return isFull || mismatches.some(isOwn) || shares.some(({ staker = own }) => staker === own);
}
