import { ZeroAddress } from 'ethers';
import type { Event } from './contract-events.ts';

/**
 * The mints and burns that another event of the transaction explains: a deposit, withdrawal or donation of the same
 * holder and the same shares. Each such event explains one transfer.
 */
export function explainedTransfers(transaction: readonly Event[]): ReadonlySet<object> {
  const explained = new Set<Event>();
  const explain = (from: string, to: string, shares: bigint) => {
    const transfer = transaction.find(
      (event) =>
        event.name === 'Transfer' &&
        event.args.from === from &&
        event.args.to === to &&
        event.args.value === shares &&
        !explained.has(event),
    );
    if (transfer) explained.add(transfer);
  };
  for (const { name, args } of transaction) {
    if (name === 'Deposit') explain(ZeroAddress, args.owner, args.shares);
    if (name === 'Withdraw') explain(args.owner, ZeroAddress, args.shares);
    if (name === 'YieldDonated') explain(args.caller, ZeroAddress, args.sharesBurnt);
  }
  return explained;
}
