import type { Account, AccountAt } from './bodies.ts';
import { Card } from './card.tsx';
import { Quantity, When, Worth } from './quantity.tsx';
import type { Loaded } from './sources.ts';
import { Table } from './table.tsx';
import { type Entry, Sums } from './your-available.tsx';

/** All holdings of an address in one table, with their total value. */
export function YourAccount({ account }: { account: Loaded<AccountAt> }) {
  const { body } = account;
  return (
    <Card
      id="your-account"
      title="Everything at this address"
      about={body && `At block ${body.block.number}`}
      from={[account]}
      lines={6}
    >
      {body && (
        <>
          <Table
            caption="Holdings of this address"
            of={listHoldings(body)}
            keyOf={({ name }) => name}
            columns={[
              ['What', (holding) => <Name of={holding} now={body.block.timestamp} />],
              ['Amount', ({ amount, unit }) => <Quantity of={amount} unit={unit} />, 'number'],
              ['Available now', ({ isPaidBy }) => <Now of={body.availableNow?.filter(isPaidBy)} />, 'number'],
            ]}
          />
          <p class="quiet">
            {'Total: '}
            <Quantity of={body.totalAVAX} unit="AVAX" />
            {', '}
            <Worth usd={body.totalUSD} eur={body.totalEUR} />
            {account.body?.staking && ', with GGP at its market price'}.
          </p>
        </>
      )}
    </Card>
  );
}

function Name({ of: { name, until }, now }: { of: Holding; now: number }) {
  return (
    <>
      {name}
      {until !== undefined && (
        <span class="quiet">
          {until > now ? ' until ' : '; the lock ended on '}
          <When at={until} />
        </span>
      )}
    </>
  );
}

/** The sum that can be withdrawn now, with a link to the calls. */
function Now({ of: entries }: { of: readonly Entry[] | undefined }) {
  return (
    <>
      <Sums of={entries} />
      {entries && entries.length > 0 && (
        <>
          {' '}
          <a href="#your-available">Withdraw</a>
        </>
      )}
    </>
  );
}

interface Holding {
  name: string;
  amount: string | undefined;
  unit: string;
  /** True if an entry of `availableNow` withdraws this holding. */
  isPaidBy: (entry: Entry) => boolean;
  until?: number | undefined;
}

/** The holdings that are not zero, and ggAVAX in any case. */
function listHoldings({
  ggAvax,
  pstAvax,
  xGgp,
  xAvax,
  locked = [],
  staking,
  minipools,
  withdrawals,
}: Account): Holding[] {
  const { pending, pendingAVAX, claimableAVAX, expired, expiredAVAX } = withdrawals;
  const all: Holding[] = [
    { name: 'GGP staked', amount: staking?.ggpStaked, unit: 'GGP', isPaidBy: by('withdrawGgp') },
    { name: 'GGP rewards', amount: staking?.ggpRewards, unit: 'GGP', isPaidBy: by('claimRewards') },
    { name: 'AVAX in minipools', amount: minipools?.stakedAVAX, unit: 'AVAX', isPaidBy: by('cancelMinipool') },
    {
      name: 'AVAX of ended minipools',
      amount: minipools?.withdrawableAVAX,
      unit: 'AVAX',
      isPaidBy: by('withdrawMinipool'),
    },
    {
      name: `Pending withdrawals (${pending})`,
      amount: pendingAVAX,
      unit: 'AVAX',
      isPaidBy: by('cancelUnstake'),
    },
    { name: 'Claimable withdrawals', amount: claimableAVAX, unit: 'AVAX', isPaidBy: by('claimUnstake') },
    { name: `Expired withdrawals (${expired})`, amount: expiredAVAX, unit: 'AVAX', isPaidBy: by('reclaimExpired') },
    { name: 'pstAVAX (AVAX without yield)', amount: pstAvax, unit: 'pstAVAX', isPaidBy: by('withdrawPstAvax') },
    { name: 'xGGP (a vault of GGP)', amount: xGgp?.ggp, unit: 'GGP', isPaidBy: by('redeemXGgp') },
    { name: 'xAVAX (a vault of AVAX)', amount: xAvax?.avax, unit: 'AVAX', isPaidBy: by('redeemXAvax') },
    ...locked.map(({ id, token, amount, until }) => ({
      name: `${token} locked`,
      amount,
      unit: token,
      until,
      isPaidBy: (entry: Entry) => entry.lockId === id,
    })),
  ];
  const own = { name: 'ggAVAX', amount: ggAvax.balance, unit: 'ggAVAX', isPaidBy: by('redeem') };
  return [own, ...all.filter(({ amount }) => Number(amount ?? 0) > 0)];
}

function by(way: Entry['what']): Holding['isPaidBy'] {
  return ({ what }) => what === way;
}
