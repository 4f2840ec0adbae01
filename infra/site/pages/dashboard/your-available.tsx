/** The amounts that an address can withdraw now, each with the transactions to send. */

import { Deadline } from './announced-end.tsx';
import type { Account, AccountAt, AddressRewards, Staker, Withdrawals } from './bodies.ts';
import { Call } from './call.tsx';
import { Card } from './card.tsx';
import { counted, sumAmounts } from './format.ts';
import { Identifier } from './identifier.tsx';
import { Amount, Quantity } from './quantity.tsx';
import { createSafeBatch } from './safe.ts';
import type { Loaded } from './sources.ts';
import { WAYS } from './ways.ts';
import { LaterList } from './your-later.tsx';
import { costOfWithdrawing, isAssigned } from './your-stake.tsx';

export type Entry = NonNullable<Account['availableNow']>[number];

/** The transactions of an entry, in the order to send them. */
function stepsOf(entry: Entry) {
  return entry.steps ?? [entry];
}

interface AvailableProps {
  account: Account | undefined;
  staker: Staker | undefined;
  rewards: AddressRewards | undefined;
}

/** The sum that the address can withdraw now, and the reward that this costs. */
export function Available({ account, staker, rewards }: AvailableProps) {
  const entries = account?.availableNow;
  if (!entries || Number(account.totalAVAX ?? 1) === 0) return null;
  const costs = staker && rewards && costOfWithdrawing(staker, rewards, account?.staking?.ggpWithdrawable);
  return (
    <>
      <strong>Available now:</strong> <Sums of={entries} />
      {entries.length > 0 && `, in ${counted(entries.flatMap(stepsOf).length, 'transaction')}`}.{costs && ` ${costs}`}
    </>
  );
}

/** The sum of each token; a dash if it is unknown. */
export function Sums({ of: entries }: { of: readonly Entry[] | undefined }) {
  if (!entries) return <Quantity of={undefined} />;
  if (entries.length === 0) return <>nothing</>;
  const tokens = Object.entries(Object.groupBy(entries, ({ token }) => token));
  return (
    <>
      {tokens.map(([token, of = []], index) => [
        index > 0 && ', ',
        <Quantity key={token} of={sumAmounts(of.map(({ amount }) => amount))} unit={token} />,
      ])}
    </>
  );
}

interface YourAvailableProps {
  account: Loaded<AccountAt>;
  withdrawals: Withdrawals | undefined;
  staker: Staker | undefined;
}

export function YourAvailable({ account, withdrawals, staker }: YourAvailableProps) {
  const { body } = account;
  return (
    <Card
      id="your-available"
      title="Take it out now"
      about={
        <>
          {body && `Withdrawable at block ${body.block.number}, and the transaction to send. `}
          <a href="docs/guide#get-avax-back">How to send a transaction, step by step</a>
        </>
      }
      from={[account]}
      lines={12}
    >
      {!body?.availableNow?.length ? (
        <p class="empty">
          {body?.availableNow
            ? 'Nothing can be withdrawn at this block.'
            : 'The withdrawable amounts could not be read. Reload the page to try again.'}
        </p>
      ) : (
        <ol class="routes">
          {body.availableNow.map((entry) => (
            <li key={`${entry.function} ${entry.arguments}`}>
              <Way entry={entry} withdrawals={withdrawals} staker={staker} />
              {entry.what === 'withdrawGgp' && staker && isAssigned(staker) && (
                <p class="quiet">
                  The withdrawable amount depends on the price of GGP. If the contract refuses this amount, withdraw a
                  little less.
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      {body?.availableLater && body.availableLater.length > 0 && <LaterList of={body.availableLater} />}
    </Card>
  );
}

interface WayProps {
  entry: Entry;
  withdrawals: Withdrawals | undefined;
  staker: Staker | undefined;
}

function Way({ entry, withdrawals, staker }: WayProps) {
  const { what, amount, token, alternative } = entry;
  const steps = stepsOf(entry);
  const minipool = staker?.minipools?.find(({ nodeID }) => nodeID === entry.nodeID);
  const until = what === 'claimUnstake' && expirationOf(entry, withdrawals);
  return (
    <>
      <h4>
        {minipool?.status === 'error' ? 'Withdraw from a minipool that never started' : (WAYS[what] ?? what)}
        {entry.nodeID && <Identifier id={entry.nodeID} kind="node" />}
        <span>
          <Amount of={amount} unit={token} />
          {until && (
            <>
              {', by '}
              <Deadline at={until} />
            </>
          )}
        </span>
      </h4>
      {steps.map((step) => (
        <Call key={step.function} {...step} />
      ))}
      <a
        class="plain"
        href={`data:application/json,${encodeURIComponent(createSafeBatch(WAYS[what] ?? what, steps))}`}
        download={`${what}-safe.json`}
        title="For Transaction Builder of a Safe wallet"
      >
        Download for Safe
      </a>
      {alternative && (
        <details>
          <summary>
            Or cancel it, which returns <Quantity of={alternative.amount} unit={alternative.token} />
          </summary>
          <Call {...alternative} />
        </details>
      )}
    </>
  );
}

/** The expiration of the request that an entry claims. */
function expirationOf(entry: Entry, withdrawals: Withdrawals | undefined): number | undefined {
  return withdrawals?.requests.find(({ requestId }) => requestId === entry.requestId)?.expirationTime;
}
