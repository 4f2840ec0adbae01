/** Doubts about the ledger. They are an alarm: all answers about the address, node or request of one name it. */

/** A figure of the ledger, and the contract's view to compare it with at a block. */
export interface Figure {
  contract: string;
  view: string;
  /** The address, node (20 bytes, both lower-case 0x-hex) or request that the figure is about; missing if there is only one. */
  key?: string;
  /** The holder, staker, owner or requester whose figure it is; lower-case 0x-hex. */
  address?: string;
  block: number;
}

/** A sum of the ledger, and the different value that the view returns. */
export interface Mismatch extends Figure {
  ledger: string;
  chain: string;
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
  /** Figures that were not compared: providers return different values, or the contract does not answer. */
  uncompared: Figure[];
  refused: Refusal[];
}

/** Most entries that are stored of each list: the row has at most 400 kB. A full list is a doubt about everybody. */
export const MOST_DOUBTS = 300;

/** The contracts whose figures show whether the events of a source of income are true. */
const CONTRACTS = { ggAvax: ['TokenggAVAX', 'WithdrawQueue'], minipools: ['MinipoolManager'], ggp: ['Staking'] };

/** True if a figure or share of an address or node (0x-hex) about one of these sources is doubted. */
export function isDoubted(
  { mismatches, refused }: Doubts,
  subject: string,
  ...sources: (keyof typeof CONTRACTS)[]
): boolean {
  const own = subject.toLowerCase();
  const contracts = sources.flatMap((source) => CONTRACTS[source]);
  const isOwn = ({ contract, key, address }: Mismatch) =>
    contracts.includes(contract) && (key === own || address === own);
  const shares = sources.includes('ggp') ? refused : [];
  const isFull = mismatches.length >= MOST_DOUBTS || shares.length >= MOST_DOUBTS;
  return isFull || mismatches.some(isOwn) || shares.some(({ staker = own }) => staker === own);
}
