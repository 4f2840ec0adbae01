/** Income by calendar year (UTC) and source. */

import { counted, moment } from '../dashboard/format.ts';
import type { Income } from './bodies.ts';
import { Quantity, Worth } from './quantity.tsx';
import { Table } from './table.tsx';

type Total = Income['totals'][number];
type Source = Total['source'];

/** `part`: the unit in which the API counts income without a price. */
const SOURCES: Record<Source, { name: string; part: string; counts: string }> = {
  ggAvax: { name: 'Growth of ggAVAX', part: 'day', counts: 'day by day' },
  minipools: {
    name: 'Minipools',
    part: 'payment',
    counts: 'when a cycle ends, also of earlier minipools of the same nodes',
  },
  ggp: { name: 'GGP rewards', part: 'cycle', counts: 'when a rewards cycle is paid, claimed or not' },
};

interface IncomeTableProps {
  income: Pick<Income, 'totals' | 'coverage'>;
  /** Files of each event, in groups such as years. */
  files: readonly { name: string; links: readonly { label: string; href: string }[] }[];
}

/** The years newest first, when income counts, and files for tax tools. */
export function IncomeTable({ income: { totals, coverage }, files }: IncomeTableProps) {
  const newestFirst = totals.toSorted((a, b) => b.year - a.year);
  const sources = (Object.keys(SOURCES) as Source[]).filter((name) => totals.some(({ source }) => source === name));
  return (
    <>
      <Table
        caption="Income by year"
        rows={newestFirst}
        empty="No income was found."
        columns={[
          ['Year', ({ year }) => year],
          ['Source', ({ source }) => SOURCES[source].name],
          ['Amount', ({ amount, token }) => <Quantity amount={amount} unit={token} />, 'number'],
          ['Value', ValueOf, 'number'],
        ]}
      />
      {sources.length > 0 && (
        <ul class="quiet">
          {sources.map((source) => (
            <li
              key={source}
            >{`${SOURCES[source].name}: counted ${SOURCES[source].counts} (${untilText(coverage[source]?.toTimestamp)}).`}</li>
          ))}
          <li>Each at the price of its day. What a tax office counts, and when, differs between countries.</li>
        </ul>
      )}
      {totals.length > 0 && <TaxFiles files={files} />}
    </>
  );
}

function ValueOf({ source, valueUSD, valueEUR, unpricedUSD }: Total) {
  return (
    <>
      <Worth usd={valueUSD} eur={valueEUR} />
      {unpricedUSD > 0 && <span class="quiet block">{counted(unpricedUSD, SOURCES[source].part)} without a price</span>}
    </>
  );
}

function untilText(time: number | undefined): string {
  return time === undefined ? 'not known yet' : `known up to ${moment(time)}`;
}

function TaxFiles({ files }: Pick<IncomeTableProps, 'files'>) {
  return (
    <>
      <p>Each event, for tax tools and spreadsheets:</p>
      <ul>
        {files.map(({ name, links }) => (
          <li key={name}>
            {`${name}: `}
            {links.map(({ label, href }, index) => [
              index > 0 && ' · ',
              <a key={label} href={href} aria-label={`${label} file of ${name}`} download>
                {label}
              </a>,
            ])}
          </li>
        ))}
      </ul>
      <ul class="quiet">
        <li>
          Koinly: import it into a wallet of its own, and ignore the balance of that wallet. If you sync this address
          too, its rewards are counted twice. Add the growth counted here to the cost of your ggAVAX, or it is taxed
          again when you redeem.
        </li>
        <li>
          rotki: Import Data › Custom › rotki events. It uses its own prices. Do not track this address too, or its
          rewards are counted twice.
        </li>
        <li>CSV: each event with its price and value in USD and EUR, and running totals.</li>
      </ul>
    </>
  );
}
