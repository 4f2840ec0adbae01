import type { Income } from './bodies.ts';
import { Card } from './card.tsx';
import { gapIn } from './coverage.ts';
import { moment } from './format.ts';
import { type Currency, SOURCES, type Source, toCsv, toYears, valueIn, type Year } from './income.ts';
import { type Path, pathOf, withQuery } from './paths.ts';
import { Quantity } from './quantity.tsx';
import { FIRST_DAY, useView } from './range.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

const VIEWS: [View, View] = [
  { name: 'usd', label: 'USD' },
  { name: 'eur', label: 'EUR' },
];

/** The protocol's first year. */
const FIRST_YEAR = new Date(FIRST_DAY * 1_000).getUTCFullYear();

interface View {
  name: Currency;
  label: string;
}

/** The income of an address, or of several together, by calendar year, valued at the prices of each day. */
export function YourIncome({ addresses }: { addresses: readonly string[] }) {
  const [only = '', ...others] = addresses;
  const isOne = others.length === 0;
  const path: Path<Income> = isOne
    ? pathOf('/accounts/{address}/income', only)
    : withQuery(pathOf('/accounts/income'), { address: addresses.join() });
  const { view, choice } = useView('income', VIEWS);
  const answer = useAnswer(withQuery(path, { interval: '1mo' }));
  const { body } = answer;
  const now = Date.now() / 1_000;
  const years = toYears(body?.totals ?? [], view.name, now);
  const uncovered = Object.values(body?.coverage ?? {}).find(({ complete }) => !complete);
  const name = `income-${isOne ? only : `${addresses.length}-addresses`}-${view.name}.csv`;
  return (
    <Card
      id={isOne ? 'your-income' : 'your-addresses-income'}
      title={`Earned by year${isOne ? '' : ', together'}`}
      about="Calendar years of UTC, each day’s income at that day’s closing price"
      tools={choice}
      from={[answer]}
      lines={5}
      {...(!uncovered && years.length > 0 && { file: { name, text: toCsv(years, view.name, now) } })}
    >
      {uncovered ? (
        <p class="empty">Not available yet. {gapIn(uncovered)}</p>
      ) : years.length === 0 ? (
        <p class="empty">No income was found.</p>
      ) : (
        <>
          <Years of={years} view={view} />
          <p class="quiet">{emptyYears(years, now)}</p>
          <Explained sources={listSources(years)} coverage={body?.coverage ?? {}} />
          <TaxFiles of={years} path={path} currency={view.name} />
        </>
      )}
    </Card>
  );
}

/** The calendar years of the protocol without income, as a sentence. */
function emptyYears(years: readonly Year[], now: number): string {
  const last = new Date(now * 1_000).getUTCFullYear();
  const all = Array.from({ length: last - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);
  const empty = all.filter((one) => !years.some(({ year }) => year === one)).map(String);
  return empty.length === 0 ? '' : `No income in ${new Intl.ListFormat('en-GB').format(empty)}.`;
}

/** The time at which income of each source counts, and up to which it is known. */
function Explained({ sources, coverage }: { sources: readonly Source[]; coverage: Income['coverage'] }) {
  const until = (source: Source) => {
    const time = coverage[source]?.toTimestamp;
    return time === undefined ? 'not known yet' : `known up to ${moment(time)}`;
  };
  const sentences: Record<Source, string> = {
    ggAvax: `ggAVAX: the growth of its value, day by day (${until('ggAvax')}).`,
    minipools: `Minipools: on the day that a cycle ended (${until('minipools')}).`,
    ggp: `GGP, claimed or not: on the day of its payment (${until('ggp')}; what the running rewards cycle has paid follows when the cycle is over).`,
  };
  return (
    <p class="quiet">
      {sources.map((source) => `${sentences[source]} `)}
      What a tax office counts, and when, differs between countries.
    </p>
  );
}

/** Files with each event, for programs that import them. */
function TaxFiles({ of: years, path, currency }: { of: readonly Year[]; path: Path<Income>; currency: Currency }) {
  return (
    <div class="quiet">
      For tax tools, each event:
      {years.map(({ year }) => (
        <span key={year}>
          {` ${year}`}
          {TAX_TOOLS.map(({ format, name, hasCurrency }) => [
            ' ',
            <a
              key={format}
              href={withQuery(path, { year, format, ...(hasCurrency && { currency }) })}
              aria-label={`${name} file of ${year}`}
              download
            >
              {name}
            </a>,
          ])}
          .
        </span>
      ))}
      <ul>
        {TAX_TOOLS.map(({ format, name, use }) => (
          <li key={format}>{`${name}: ${use}`}</li>
        ))}
      </ul>
    </div>
  );
}

/** The growth of ggAVAX never reaches the wallet, and the rest is among the wallet's own transactions, too. */
const TAX_TOOLS = [
  {
    format: 'koinly',
    name: 'Koinly',
    hasCurrency: true,
    use: 'import it into a wallet of its own, and ignore the balance of that wallet. If you sync this address too, its rewards are counted twice.',
  },
  {
    format: 'rotki',
    name: 'rotki',
    hasCurrency: true,
    use: 'uses its own prices, so the value is in the description. Do not track this address too, or its rewards are counted twice.',
  },
  {
    format: 'csv',
    name: 'CSV',
    hasCurrency: false,
    use: 'each event with its price and value in USD and EUR, and running totals to check it by, for a spreadsheet.',
  },
];

function listSources(years: readonly Year[]): Source[] {
  const found = new Set(years.flatMap(({ incomes }) => incomes.map(({ source }) => source)));
  return (Object.keys(SOURCES) as Source[]).filter((source) => found.has(source));
}

function Years({ of: years, view }: { of: readonly Year[]; view: View }) {
  const isCut = years.some(({ incomes }) => incomes.some(({ unpriced }) => unpriced !== undefined));
  return (
    <Table
      caption="Income by calendar year"
      of={years}
      keyOf={({ year }) => year}
      columns={[
        ['Year', ({ year, isOpen }) => `${year}${isOpen ? ', so far' : ''}`],
        ...listSources(years).map((source) => {
          const cellOf = ({ incomes }: Year) => {
            const income = incomes.find((one) => one.source === source);
            return income ? <Quantity of={income.amount} unit={SOURCES[source].token} /> : '';
          };
          return [SOURCES[source].name, cellOf, 'number'] as const;
        }),
        [`Value in ${view.label}`, ({ incomes }) => <Quantity of={valueIn(incomes)} unit={view.label} />, 'number'],
        isCut && ['Without a price', unpricedIn, 'wide'],
      ]}
    />
  );
}

/** Parts of a year's income without a price, by source: the year's value does not include them. */
function unpricedIn({ incomes }: Year): string {
  return incomes
    .flatMap(({ source, unpriced }) => (unpriced === undefined ? [] : `${SOURCES[source].name}: ${unpriced}`))
    .join('; ');
}
