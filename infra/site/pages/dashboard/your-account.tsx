import type { Account } from './bodies.ts';
import { Card } from './card.tsx';
import { Quantity, When, Worth } from './quantity.tsx';
import type { Loaded } from './sources.ts';
import { Table } from './table.tsx';

/** Everything that an address has, in one table, with its value in all. */
export function YourAccount({ account }: { account: Loaded<Account> }) {
  const { body } = account;
  return (
    <Card
      id="your-account"
      title="Everything at this address"
      about="What the protocol and the contracts around it hold, at one block"
      from={[account]}
      lines={6}
    >
      {body && (
        <>
          <Table
            caption="Everything that this address has"
            columns={['What', { number: 'Amount' }, { number: 'Of it, available now' }]}
            rows={holdingsOf(body).map(({ name, amount, unit, now, until }) => ({
              key: name,
              cells: [
                <>
                  {name}
                  {until !== undefined && (
                    <span class="quiet">
                      {' until '}
                      <When at={until} />
                    </span>
                  )}
                </>,
                <Quantity of={amount} unit={unit} />,
                <Now of={now} unit={unit} />,
              ],
            }))}
          />
          <p class="quiet">
            {'In all: '}
            <Quantity of={body.totalAVAX} unit="AVAX" />
            {', '}
            <Worth usd={body.totalUSD} eur={body.totalEUR} />
            {', with GGP at its market price.'}
          </p>
        </>
      )}
    </Card>
  );
}

/** What can be taken now, with a link to how. */
function Now({ of, unit }: { of: string | undefined; unit: string }) {
  if (of === undefined) return <>–</>;
  return (
    <>
      <Quantity of={of} unit={unit} />
      {Number(of) > 0 && (
        <>
          {' '}
          <a href="#your-available">Take it now</a>
        </>
      )}
    </>
  );
}

interface Holding {
  name: string;
  amount: string | undefined;
  unit: string;
  /** What a transaction pays now, if that is known. */
  now?: string | undefined;
  until?: number | undefined;
}

/** What the address has, without what it has none of; with ggAVAX in any case. */
function holdingsOf({
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
    { name: 'GGP staked', amount: staking?.ggpStaked, unit: 'GGP', now: staking?.ggpWithdrawable },
    { name: 'GGP rewards', amount: staking?.ggpRewards, unit: 'GGP', now: staking?.ggpRewards },
    { name: 'AVAX in minipools', amount: minipools?.stakedAVAX, unit: 'AVAX' },
    {
      name: 'AVAX of minipools that are over',
      amount: minipools?.withdrawableAVAX,
      unit: 'AVAX',
      now: minipools?.withdrawableAVAX,
    },
    { name: `Withdrawals that wait (${pending})`, amount: pendingAVAX, unit: 'AVAX' },
    { name: 'Withdrawals to claim', amount: claimableAVAX, unit: 'AVAX', now: claimableAVAX },
    { name: `Expired withdrawals (${expired})`, amount: expiredAVAX, unit: 'AVAX' },
    { name: 'pstAVAX (AVAX without yield)', amount: pstAvax, unit: 'pstAVAX' },
    { name: 'xGGP (a vault of GGP)', amount: xGgp?.ggp, unit: 'GGP', now: xGgp?.redeemable },
    { name: 'xAVAX (a vault of AVAX)', amount: xAvax?.avax, unit: 'AVAX', now: xAvax?.redeemable },
    ...locked.map(({ token, amount, until }) => ({ name: `${token} locked`, amount, unit: token, until })),
  ];
  const own = { name: 'ggAVAX', amount: ggAvax.balance, unit: 'ggAVAX', now: ggAvax.redemption?.ggAvax };
  return [own, ...all.filter(({ amount }) => Number(amount ?? 0) > 0)];
}
