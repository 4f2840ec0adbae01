import type { Account, AccountAt } from './bodies.ts';
import { Quantity, When, Worth } from './quantity.tsx';
import { Table } from './table.tsx';

interface Holding {
  name: string;
  amount: string | undefined;
  unit: string;
  /** The value in another token. */
  worth?: { amount: string | undefined; unit: string };
  until?: number | undefined;
}

/** All holdings of an address, with their total value. */
export function Holdings({ account }: { account: AccountAt }) {
  const { totalAVAX, totalUSD, totalEUR, staking, partial = [] } = account;
  return (
    <>
      <Table
        caption="Holdings of this address"
        rows={listHoldings(account)}
        columns={[
          ['What', NameOf],
          ['Amount', ({ amount, unit }) => <Quantity amount={amount} unit={unit} />, 'number'],
          ['Value', ({ worth }) => worth && <Quantity {...worth} />, 'number'],
        ]}
      />
      <p class="quiet">
        Total: <Quantity amount={totalAVAX} unit="AVAX" />, <Worth usd={totalUSD} eur={totalEUR} />
        {staking && ', with GGP at its market price'}.{partial.length > 0 && ` ${missingText(partial)}`}
      </p>
    </>
  );
}

/** Names the parts of an account that could not be read. */
export function missingText(partial: readonly string[]): string {
  const names = partial.map((field) => PARTS[field] ?? field);
  return `Not known at the moment: ${[...new Set(names)].join(', ')}.`;
}

const PARTS: Record<string, string> = {
  minipools: 'the minipools',
  totalAVAX: 'the total',
  totalUSD: 'the total in USD',
  totalEUR: 'the total in EUR',
  availableNow: 'what can be withdrawn now',
  availableLater: 'what can be withdrawn later',
};

function NameOf({ name, until }: Holding) {
  return (
    <>
      {name}
      {until !== undefined && (
        <span class="quiet">
          , locked until <When time={until} />
        </span>
      )}
    </>
  );
}

/** The holdings that are not zero, and ggAVAX in any case. */
function listHoldings(account: Account): Holding[] {
  const { ggAvax, pstAvax, xGgp, xAvax, locked = [], staking, minipools } = account;
  const { pending, pendingAVAX, claimableAVAX, expired, expiredAVAX } = account.withdrawals;
  const others: Holding[] = [
    { name: 'GGP staked', amount: staking?.ggpStaked, unit: 'GGP' },
    { name: 'GGP rewards, not claimed', amount: staking?.ggpRewards, unit: 'GGP' },
    { name: 'AVAX in minipools', amount: minipools?.stakedAVAX, unit: 'AVAX' },
    { name: 'AVAX of ended minipools', amount: minipools?.withdrawableAVAX, unit: 'AVAX' },
    { name: `Pending withdrawals (${pending})`, amount: pendingAVAX, unit: 'AVAX' },
    { name: 'Claimable withdrawals', amount: claimableAVAX, unit: 'AVAX' },
    { name: `Expired withdrawals (${expired})`, amount: expiredAVAX, unit: 'AVAX' },
    { name: 'pstAVAX (AVAX without yield)', amount: pstAvax, unit: 'pstAVAX' },
    { name: 'xGGP (a vault of GGP)', amount: xGgp?.shares, unit: 'xGGP', worth: { amount: xGgp?.ggp, unit: 'GGP' } },
    {
      name: 'xAVAX (a vault of AVAX)',
      amount: xAvax?.shares,
      unit: 'xAVAX',
      worth: { amount: xAvax?.avax, unit: 'AVAX' },
    },
    ...locked.map(({ token, amount, until }) => ({ name: token, amount, unit: token, until })),
  ];
  const worth = { amount: ggAvax.avax, unit: 'AVAX' };
  const own: Holding = { name: 'ggAVAX (stAVAX)', amount: ggAvax.balance, unit: 'ggAVAX', worth };
  return [own, ...others.filter(({ amount }) => amount !== undefined && amount !== '0')];
}
