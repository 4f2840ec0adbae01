/** What an address can take out now, with the call to make for each. */

import type { Account, AccountAt, AddressRewards, Staker, Withdrawals } from './bodies.ts';
import { Call } from './call.tsx';
import { Card } from './card.tsx';
import { counted, sumOf } from './format.ts';
import { Amount, Quantity, When } from './quantity.tsx';
import type { Loaded } from './sources.ts';
import { costOfWithdrawing, isAssigned } from './your-stake.tsx';

export type Entry = NonNullable<Account['availableNow']>[number];

/** What each way is for the one who sends it. A way that this page does not know yet keeps the API's name. */
const WAYS: Record<string, string> = {
  redeem: 'Redeem ggAVAX',
  claimUnstake: 'Claim a withdrawal',
  reclaimExpired: 'Get the ggAVAX of an expired withdrawal back',
  cancelUnstake: 'Cancel a withdrawal that waits, giving up its growth',
  withdrawMinipool: 'Withdraw from a minipool that is over',
  cancelMinipool: 'Cancel a minipool that was never launched',
  claimRewards: 'Claim GGP rewards',
  withdrawGgp: 'Withdraw staked GGP',
  withdrawPstAvax: 'Withdraw pstAVAX',
  redeemXGgp: 'Redeem xGGP',
  redeemXAvax: 'Redeem xAVAX',
  withdrawLocked: 'Withdraw from a lock that has ended',
};

/** The transactions of an entry, in the order to send them. */
function stepsOf(entry: Entry) {
  return entry.steps ?? [entry];
}

interface AvailableProps {
  account: Account | undefined;
  staker: Staker | undefined;
  rewards: AddressRewards | undefined;
}

/** What the address can take out now in all, and what that costs. */
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

/** The sum for each token; a dash while it is not known what there is. */
export function Sums({ of: entries }: { of: readonly Entry[] | undefined }) {
  if (!entries) return <Quantity of={undefined} />;
  if (entries.length === 0) return <>nothing</>;
  const tokens = Object.entries(Object.groupBy(entries, ({ token }) => token));
  return (
    <>
      {tokens.map(([token, of = []], index) => [
        index > 0 && ', ',
        <Quantity key={token} of={sumOf(of.map(({ amount }) => amount))} unit={token} />,
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
          {body &&
            `What the contracts pay at block ${body.block.number}, and the transaction of your own wallet for it. `}
          <a href="docs/guide#get-avax-back">How to send one, step by step</a>
        </>
      }
      from={[account]}
      lines={12}
    >
      {!body?.availableNow?.length ? (
        <p class="empty">
          {body?.availableNow
            ? 'The contracts pay this address nothing at this block.'
            : 'The contracts could not be asked what they pay. Reload the page to ask them again.'}
        </p>
      ) : (
        <ol class="routes">
          {body.availableNow.map((entry) => (
            <li key={`${entry.function} ${entry.arguments}`}>
              <Way entry={entry} withdrawals={withdrawals} />
              {entry.what === 'withdrawGgp' && staker && isAssigned(staker) && (
                <p class="quiet">
                  How much is free depends on the price of GGP. If the contract refuses this amount, take a little less.
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function Way({ entry, withdrawals }: { entry: Entry; withdrawals: Withdrawals | undefined }) {
  const { what, amount, token, alternative } = entry;
  const until = what === 'claimUnstake' && expirationOf(entry, withdrawals);
  return (
    <>
      <h4>
        {WAYS[what] ?? what}
        <span>
          <Amount of={amount} unit={token} />
          {until && (
            <>
              {' until '}
              <When at={until} />
            </>
          )}
        </span>
      </h4>
      {stepsOf(entry).map((step) => (
        <Call key={step.function} {...step} />
      ))}
      {alternative && (
        <p class="quiet">
          Or <a href="#your-withdrawals">cancel it</a>, which returns{' '}
          <Quantity of={alternative.amount} unit={alternative.token} />.
        </p>
      )}
    </>
  );
}

/** When the request expires that an entry claims. */
function expirationOf({ arguments: [id] }: Entry, withdrawals: Withdrawals | undefined): number | undefined {
  return withdrawals?.requests.find(({ requestId }) => String(requestId) === id)?.expirationTime;
}
