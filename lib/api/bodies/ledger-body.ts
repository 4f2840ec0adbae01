import type { Dispute, Mismatch, ReadState, Refused } from '../../ledger/ledger-state.ts';
import { list, object } from '../fields.ts';
import { address, integer, text, unixTime } from '../units.ts';

const MAX_MISMATCHES = 10;
/** Most seconds by which the ledger may end before the newest block. */
const MAX_BEHIND_SECONDS = 600;

const mismatch = object<Mismatch>('LedgerMismatch')({
  contract: text('Contract.'),
  view: text('View whose value differs.'),
  key: text.optional('Address, node, request or cycle.'),
  ledger: text('Value from the events: an integer, amounts in wei.'),
  chain: text('Value of the contract.'),
  blockNumber: integer('Block of both values.', ({ block }) => block),
});

const dispute = object<Dispute>('LedgerDispute')({
  fromBlock: integer('First block.'),
  toBlock: integer('Last block.'),
  reason: text('Reason.'),
  providers: list(text)('Names, as in `rpc`.'),
});

const refusal = object<Refused>('LedgerRefusal')({
  cycle: integer('Number of the rewards cycle.'),
  staker: address('Address of the staker.'),
});

const ifAny = <T>(all: readonly T[]) => (all.length > 0 ? all.slice(0, MAX_MISMATCHES) : undefined);

export const ledger = object<ReadState>()({
  toBlock: integer.optional('Last indexed block. Omitted before the first.', ({ blocks }) => blocks?.to),
  sources: integer('Providers that agreed on all events: 2, or 1 if only one is configured or keeps old states.'),
  waitingSince: unixTime.optional('Time since which too few providers answer to index events. Omitted otherwise.'),
  mismatches: list(mismatch).optional(
    `Values that differ between events and contracts: at most ${MAX_MISMATCHES}. Omitted if there are none.`,
    ({ check }) => ifAny(check?.mismatches ?? []),
  ),
  disputed: dispute.optional('Blocks whose events nothing decides. Indexing stops there. Omitted if there are none.'),
  refused: list(refusal).optional(
    `Shares of rewards cycles that are impossible and left out: at most ${MAX_MISMATCHES}. Omitted if there are none.`,
    ({ refused }) => ifAny(refused),
  ),
});

/** True if the ledger is complete and advances, and nothing contradicts it. `now`: time of the newest head, unix seconds. */
export function isSound(ledger: ReadState | undefined, now: number): boolean {
  if (!ledger) return true;
  const { coverage, waitingSince, disputed, check } = ledger;
  const isCurrent = coverage?.complete === true && now - coverage.toTimestamp <= MAX_BEHIND_SECONDS;
  return isCurrent && waitingSince === undefined && !disputed && !check?.mismatches.length;
}
