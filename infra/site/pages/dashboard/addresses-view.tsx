import { Sums } from '../account/claims.tsx';
import { missingText } from '../account/holdings.tsx';
import { Identifier, Quantity, Worth } from '../account/quantity.tsx';
import { Table } from '../account/table.tsx';
import { CalendarLink, useTokenValues } from './address-view.tsx';
import { useAnswer } from './answers.ts';
import { Card } from './card.tsx';
import { IncomeCard } from './income-card.tsx';
import { pathOf, withQuery } from './paths.ts';
import type { AddressList } from './subject.ts';
import { SubjectView } from './subject-view.tsx';

/** The API's limit for `/accounts/income`. */
const MAX_INCOME_ADDRESSES = 10;

/** The view of several addresses: each with a link to its own view, their total and their income together. */
export function AddressesView({ addresses: { valid, wrong } }: { addresses: AddressList }) {
  const address = valid.join();
  const path = withQuery(pathOf('/accounts'), { address });
  const answer = useAnswer(path);
  const values = useTokenValues();
  const { accounts = [], totalAVAX, totalUSD, totalEUR, partial, block } = answer.body ?? {};
  const stakers = partial ? [] : accounts.filter(({ staking }) => staking).map(({ address }) => address);
  return (
    <SubjectView
      title={`${valid.length} addresses`}
      answer={answer}
      summary={
        wrong.length > 0 && (
          <span class="problem">
            {`Not looked up, because these are no addresses (0x and 40 hex digits): ${wrong.join(', ')}`}
          </span>
        )
      }
    >
      <Card
        id="addresses"
        title="Each of them"
        about={`Select an address for its transactions and details.${block ? ` At block ${block.number}.` : ''}`}
        answers={[answer]}
        csv={path}
      >
        <Table
          caption="What each of these addresses has"
          rows={accounts}
          columns={[
            ['Address', ({ address }) => <Identifier id={address} kind="address" />],
            ['Available now', (account) => <Sums account={account} values={values} />, 'wide'],
            [
              'In all',
              ({ totalAVAX, totalUSD, totalEUR }) => (
                <>
                  <Quantity amount={totalAVAX} unit="AVAX" />
                  <span class="block">
                    <Worth usd={totalUSD} eur={totalEUR} />
                  </span>
                </>
              ),
              'number',
            ],
          ]}
        />
        <p class="quiet">
          Together: <Quantity amount={totalAVAX} unit="AVAX" />, <Worth usd={totalUSD} eur={totalEUR} />, with GGP at
          its market price.{partial && ` ${missingText(partial)}`}
        </p>
        <CalendarLink path={`accounts/calendar.ics?address=${address}`} />
      </Card>
      {valid.length <= MAX_INCOME_ADDRESSES ? (
        <IncomeCard path={withQuery(pathOf('/accounts/income'), { address })} stakers={stakers} />
      ) : (
        <p class="quiet">{`Income is added up for at most ${MAX_INCOME_ADDRESSES} addresses at a time.`}</p>
      )}
    </SubjectView>
  );
}
