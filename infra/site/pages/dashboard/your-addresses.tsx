import { Deadline } from './announced-end.tsx';
import type { Account, Accounts } from './bodies.ts';
import { Card } from './card.tsx';
import { type Fact, Facts } from './facts.tsx';
import { sumAmounts } from './format.ts';
import { Identifier } from './identifier.tsx';
import { type Path, pathOf, withQuery } from './paths.ts';
import { Amount, Quantity, Worth } from './quantity.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import type { AddressList } from './subject.ts';
import { Table } from './table.tsx';
import { Sums } from './your-available.tsx';
import { YourIncome } from './your-income.tsx';
import { Dates } from './your-later.tsx';
import { Yours } from './yours.tsx';

/** The API's limit for `/accounts/income`. */
const MAX_INCOME_ADDRESSES = 10;

/** The view of several addresses: their sums, their dates, and each of them with a link to its own view. */
export function YourAddresses({ addresses }: { addresses: AddressList }) {
  const { valid, wrong } = addresses;
  const path = withQuery(pathOf('/accounts'), { address: valid.join() });
  const accounts = useAnswer(path);
  return (
    <Yours
      subject={{ addresses }}
      from={[accounts]}
      summary={
        wrong.length > 0 && (
          <span class="problem">
            {`Not looked up, because these are no addresses (0x and 40 hex digits): ${wrong.join(', ')}`}
          </span>
        )
      }
    >
      <Together accounts={accounts} />
      <Each accounts={accounts} path={path} />
      {accounts.body && <Dates accounts={accounts.body.accounts} />}
      {valid.length <= MAX_INCOME_ADDRESSES ? (
        <YourIncome addresses={valid} />
      ) : (
        <p class="quiet">{`Income is added up for at most ${MAX_INCOME_ADDRESSES} addresses at a time.`}</p>
      )}
    </Yours>
  );
}

interface TheirsProps {
  accounts: Loaded<Accounts>;
}

function Together({ accounts }: TheirsProps) {
  const { body } = accounts;
  return (
    <Card
      id="your-addresses-sum"
      title="Together"
      about={body && `At block ${body.block.number}, with GGP at its market price`}
      from={[accounts]}
      lines={6}
    >
      {body && <Facts of={listSums(body)} />}
    </Card>
  );
}

function listSums({ accounts, totalAVAX, totalUSD, totalEUR }: Accounts): Fact[] {
  const sums = COLUMNS.map(({ name, unit, amountOf }): Fact => {
    const amounts = accounts.map(amountOf);
    // A sum of which a part is unknown is unknown.
    const known = amounts.flatMap((amount) => amount ?? []);
    return [name, <Amount of={known.length < amounts.length ? undefined : sumAmounts(known)} unit={unit} />];
  });
  const first = firstDeadline(accounts);
  const ways = accounts.map(({ availableNow }) => availableNow);
  const available = ways.every((each) => each !== undefined) ? ways.flat() : undefined;
  return [
    ['In all', <Amount of={totalAVAX} unit="AVAX" />, <Worth usd={totalUSD} eur={totalEUR} />],
    ['Available now', <Sums of={available} />],
    first !== undefined && ['Claim by', <Deadline at={first} />, 'the first deadline'],
    ...sums,
  ];
}

interface ColumnOf {
  name: string;
  unit: string;
  amountOf: (account: Account) => string | undefined;
}

const COLUMNS: readonly ColumnOf[] = [
  { name: 'ggAVAX', unit: 'ggAVAX', amountOf: ({ ggAvax }) => ggAvax.balance },
  { name: 'GGP', unit: 'GGP', amountOf: sumGgp },
  {
    name: 'In minipools',
    unit: 'AVAX',
    amountOf: ({ minipools }) => minipools && sumAmounts([minipools.stakedAVAX, minipools.withdrawableAVAX]),
  },
  {
    name: 'In the withdrawal queue',
    unit: 'AVAX',
    amountOf: ({ withdrawals }) =>
      sumAmounts([withdrawals.pendingAVAX, withdrawals.claimableAVAX, withdrawals.expiredAVAX]),
  },
];

/** GGP that is staked, claimable, locked or in the vault. */
function sumGgp({ staking, locked = [], xGgp }: Account): string {
  const ofLocks = locked.filter(({ token }) => token === 'GGP').map(({ amount }) => amount);
  return sumAmounts([staking?.ggpStaked ?? '0', staking?.ggpRewards ?? '0', xGgp?.ggp ?? '0', ...ofLocks]);
}

/** The first deadline of claims that can be made now. */
function firstDeadline(accounts: readonly Account[]): number | undefined {
  const ends = accounts.flatMap(({ availableNow = [] }) => availableNow.flatMap(({ until }) => until ?? []));
  return ends.toSorted((a, b) => a - b)[0];
}

function FirstDeadline({ at }: { at: number | undefined }) {
  return at === undefined ? <>–</> : <Deadline at={at} />;
}

function Each({ accounts, path }: TheirsProps & { path: Path<Accounts> }) {
  return (
    <Card
      id="your-addresses"
      title="Each of them"
      about="Select an address for its transactions, details and income"
      from={[accounts]}
      csv={path}
      lines={8}
    >
      <Table
        caption="What each of these addresses has"
        of={accounts.body?.accounts ?? []}
        keyOf={({ address }) => address}
        columns={[
          ['Address', ({ address }) => <Identifier id={address} kind="address" />],
          ['Available now', ({ availableNow }) => <Sums of={availableNow} />, 'wide'],
          ['Claim by', (account) => <FirstDeadline at={firstDeadline([account])} />],
          ...COLUMNS.map(
            ({ name, unit, amountOf }) =>
              [name, (account: Account) => <Quantity of={amountOf(account)} unit={unit} />, 'number'] as const,
          ),
          ['In all', ({ totalAVAX }) => <Quantity of={totalAVAX} unit="AVAX" />, 'number'],
          ['Worth', ({ totalUSD, totalEUR }) => <Worth usd={totalUSD} eur={totalEUR} />, 'number'],
        ]}
      />
      {accounts.body?.partial?.includes('minipools') && (
        <p class="quiet">The minipools could not be read, so the total is not known.</p>
      )}
    </Card>
  );
}
