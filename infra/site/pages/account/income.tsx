/** Income by calendar year (UTC) and source. */

import type { Bodies } from '../../../../functions/index.ts';
import { day, moment } from '../dashboard/format.ts';
import type { Income } from './bodies.ts';
import { Download } from './download.tsx';
import { Quantity, Worth } from './quantity.tsx';
import { Table } from './table.tsx';

type Total = Income['totals'][number];
type Undated = NonNullable<Income['undated']>[number];
type Source = Total['source'];

const SOURCES: Record<Source, { name: string; counts: string }> = {
  ggAvax: { name: 'Growth of ggAVAX', counts: 'day by day' },
  minipools: { name: 'Minipools', counts: 'when a cycle ends, also of earlier minipools of the same nodes' },
  ggp: { name: 'GGP rewards', counts: 'when a rewards cycle is paid, claimed or not' },
};

interface IncomeTableProps {
  income: Pick<Income, 'totals' | 'coverage' | 'undated'>;
  /** One for each staker; undefined while unknown. */
  rewards: readonly (Bodies['/rewards/{address}'] | undefined)[];
  /** Files of each event, in groups such as years. */
  files: readonly { name: string; links: readonly { label: string; href: string }[] }[];
}

/** The years newest first, when income counts, and files for tax tools. */
export function IncomeTable({ income, rewards, files }: IncomeTableProps) {
  const { totals, coverage, undated = [] } = income;
  const rows: (Total | Undated)[] = [...totals.toSorted((a, b) => b.year - a.year), ...undated];
  const sources = (Object.keys(SOURCES) as Source[]).filter((name) => totals.some(({ source }) => source === name));
  return (
    <>
      <Table
        caption="Income by year"
        rows={rows}
        empty="No income was found."
        columns={[
          ['Year', (row) => ('year' in row ? row.year : `Before ${day(row.before)}, not split by year`)],
          ['Source', ({ source }) => SOURCES[source].name],
          ['Amount', ({ amount, token }) => <Quantity amount={amount} unit={token} />, 'number'],
          ['Value', ValueOf, 'number'],
        ]}
      />
      {undated.length > 0 && (
        <p>
          What was earned before these days is not recorded day by day. It counts for no year here and has no price, and
          there is no file of that time.
        </p>
      )}
      <RunningGGP rewards={rewards} totals={totals} />
      {sources.length > 0 && (
        <ul class="quiet">
          {sources.map((source) => {
            const time = coverage[source]?.toTimestamp;
            const until = time === undefined ? 'not known yet' : `known up to ${moment(time)}`;
            return <li key={source}>{`${SOURCES[source].name}: counted ${SOURCES[source].counts} (${until}).`}</li>;
          })}
          <li>Each at the price of its day. What a tax office counts, and when, differs between countries.</li>
        </ul>
      )}
      {totals.length > 0 && <TaxFiles files={files} totals={totals} />}
    </>
  );
}

function ValueOf(row: Total | Undated) {
  const unpriced = 'year' in row ? row.unpricedAmountUSD : row.amount;
  return (
    <>
      {'year' in row && <Worth usd={row.valueUSD} eur={row.valueEUR} />}
      {Number(unpriced) !== 0 && (
        <span class="quiet block">
          <Quantity amount={unpriced} unit={row.token} /> without a price
        </span>
      )}
    </>
  );
}

/** Less is the rounding of doubles. */
const LEAST_GGP = 1e-6;

/** What the running rewards cycle has paid: all that was claimed or can be, less what the cycles that are over have paid. */
function RunningGGP({ rewards, totals }: Pick<IncomeTableProps, 'rewards'> & Pick<Income, 'totals'>) {
  const paid = rewards.reduce((sum, body) => sum + Number(body?.ggpRewards) + Number(body?.claimedTotal), 0);
  const listed = totals.reduce((sum, { source, amount }) => (source === 'ggp' ? sum + Number(amount) : sum), 0);
  const running = paid - listed;
  // Not a number while something is unknown.
  if (!(running > LEAST_GGP)) return null;
  return (
    <p>
      The running rewards cycle has paid <Quantity amount={running} unit="GGP" />, claimed or not. It is not part of
      these sums and files yet: when the cycle is over, it counts on the day on which it was paid.
    </p>
  );
}

function TaxFiles({ files, totals }: Pick<IncomeTableProps, 'files'> & Pick<Income, 'totals'>) {
  const growth = totals.filter(({ source }) => source === 'ggAvax');
  const sumOf = (name: 'valueUSD' | 'valueEUR') => growth.reduce((sum, total) => sum + (total[name] ?? 0), 0);
  return (
    <>
      <p>Each event, for tax tools and spreadsheets:</p>
      <ul>
        {files.map(({ name, links }) => (
          <li key={name}>
            {`${name}: `}
            {links.map(({ label, href }, index) => [
              index > 0 && ' · ',
              <Download key={label} href={href} about={`${label} file of ${name}`}>
                {label}
              </Download>,
            ])}
          </li>
        ))}
      </ul>
      <ul class="quiet">
        <li>
          Koinly: import it into a wallet of its own, and ignore the balance of that wallet. If you sync this address
          too, its rewards are counted twice.
          {growth.length > 0 && [
            ' The growth of ggAVAX would be taxed again when you redeem: edit the redemption in Koinly, and raise its cost by the growth of all years, ',
            <Worth key="growth" usd={sumOf('valueUSD')} eur={sumOf('valueEUR')} />,
            '. Or use the file only for the income report, and delete it afterwards.',
          ]}
        </li>
        <li>
          rotki: Import Data › Custom › rotki events. Add the asset GGP first: rotki drops rows of assets that it does
          not know. It uses its own prices. Do not track this address too, or its rewards are counted twice.
        </li>
        <li>CSV: each event with its price and value in USD and EUR, and running totals.</li>
      </ul>
    </>
  );
}
