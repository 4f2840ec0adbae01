/** The amounts that an address can withdraw now, each with the transactions to send. */

import { createSafeFile, type SafeCall } from '../../../../lib/values/safe-file.ts';
import { Deadline } from './announced-end.tsx';
import type { Account, AccountAt, AddressRewards, Staker } from './bodies.ts';
import { Call } from './call.tsx';
import { Card } from './card.tsx';
import { Data } from './data.tsx';
import { counted, sumAmounts } from './format.ts';
import { Amount, Quantity } from './quantity.tsx';
import type { Loaded } from './sources.ts';
import { LaterList } from './your-later.tsx';
import { costOfWithdrawing } from './your-stake.tsx';

export type Entry = NonNullable<Account['availableNow']>[number];

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
      {entries.length > 0 && `, in ${counted(entries.length, 'transaction')}`}.{costs && ` ${costs}`}
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
        <Quantity key={token} of={sumAmounts(of.map(({ amount = '0' }) => amount))} unit={token} />,
      ])}
    </>
  );
}

export function YourAvailable({ account }: { account: Loaded<AccountAt> }) {
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
        <>
          <ol class="routes">
            {body.availableNow.map((entry) => (
              <li key={`${entry.call?.function} ${entry.call?.arguments}`}>
                <Way entry={entry} />
              </li>
            ))}
          </ol>
          <SafeFile calls={body.availableNow.flatMap(({ call }) => call ?? [])} block={body.block} />
        </>
      )}
      {body?.availableLater && body.availableLater.length > 0 && <LaterList of={body.availableLater} />}
    </Card>
  );
}

function Way({ entry: { title, detail, amount, token, until, call } }: { entry: Entry }) {
  return (
    <>
      <h4>
        <Data>{title}</Data>
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
      <p class="quiet">{detail}</p>
      {call && <Call {...call} />}
    </>
  );
}

/** One file with all transactions for a Safe wallet. */
function SafeFile({ calls, block }: { calls: readonly SafeCall[]; block: AccountAt['block'] }) {
  const file = createSafeFile('GoGoPool / Hypha', calls, block.timestamp);
  return (
    <a class="plain" href={`data:application/json,${encodeURIComponent(file)}`} download="safe.json">
      Download all for Safe’s Transaction Builder
    </a>
  );
}
