import { searched } from './activity.tsx';
import type { Activity, RewardDays } from './bodies.ts';
import { Card } from './card.tsx';
import { moment } from './format.ts';
import { type Currency, fileOf, nameOf, SOURCES, type Source, valueIn, type Year, yearsOf } from './income.ts';
import { pathOf, withQuery } from './paths.ts';
import { Quantity } from './quantity.tsx';
import { useView } from './range.tsx';
import { useAnswer, usePages } from './sources.ts';
import { Table } from './table.tsx';

export const VIEWS: [View, View] = [
  { name: 'usd', label: 'USD' },
  { name: 'eur', label: 'EUR' },
];

interface View {
  name: Currency;
  label: string;
}

interface YourIncomeProps {
  address: string;
  /** Whether it has held ggAVAX. */
  holds: boolean;
  /** Whether it has staked GGP. */
  operates: boolean;
}

/** What an address earned in each calendar year, with its value at the prices of each day. */
export function YourIncome({ address, holds, operates }: YourIncomeProps) {
  const { view, choice } = useView('income', VIEWS);
  const rewards = useAnswer(
    holds
      ? withQuery(pathOf('/ggAvax/{address}/rewards', address), { interval: '1y', currency: 'eur', limit: 1_000 })
      : undefined,
  );
  const cycles = useAnswer(operates ? pathOf('/rewards/{address}/cycles', address) : undefined);
  const minipools = usePages(operates ? eventsOf(address) : undefined);
  const from = [...(holds ? [rewards] : []), ...(operates ? [cycles, ...minipools] : [])];
  const now = Date.now() / 1_000;
  const events = minipools.flatMap(({ body }) => body?.activity ?? []);
  const years = yearsOf({ rewards: rewards.body, cycles: cycles.body, minipools: events }, view.name, now);
  const coverages = [rewards, cycles, ...minipools].flatMap(({ body }) => body?.coverage ?? []);
  const uncovered = coverages.find(({ complete }) => !complete);
  return (
    <Card
      id="your-income"
      title="Earned by year"
      about="Calendar years of UTC, each day’s income at that day’s closing price"
      tools={choice}
      from={from}
      lines={5}
      {...(!uncovered &&
        years.length > 0 && {
          file: { name: `income-${address}-${view.name}.csv`, text: fileOf(years, view.name, now) },
        })}
    >
      {uncovered ? (
        <p class="empty">Years are shown once the whole past has been read. {searched(uncovered)}.</p>
      ) : years.length === 0 ? (
        <p class="empty">Nothing earned is recorded.</p>
      ) : (
        <>
          <Years of={years} view={view} />
          <TaxFiles of={years} address={address} currency={view.name} />
          <p class="quiet">
            {[
              holds && `ggAVAX: the growth of its value, day by day${until(rewards.body)}.`,
              operates && 'Minipools: on the day that a cycle ended.',
              operates && 'GGP, claimed or not: on the day that its rewards cycle began, once that cycle is over.',
              'What a tax office counts, and when, differs between countries.',
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
        </>
      )}
    </Card>
  );
}

/** Files with each event, for programs that import them. */
function TaxFiles({ of: years, address, currency }: { of: readonly Year[]; address: string; currency: Currency }) {
  return (
    <p class="quiet">
      For tax tools, each event:
      {[...new Set(years.flatMap(({ first, last }) => [last, first]))].map((year) => (
        <span key={year}>
          {` ${year}`}
          {TAX_TOOLS.map(({ format, name }) => [
            ' ',
            <a
              key={format}
              href={withQuery(pathOf('/accounts/{address}/income', address), { year, currency, format })}
              aria-label={`${name} file of ${year}`}
              download
            >
              {name}
            </a>,
          ])}
          .
        </span>
      ))}
    </p>
  );
}

const TAX_TOOLS = [
  { format: 'koinly', name: 'Koinly' },
  { format: 'rotki', name: 'rotki' },
  { format: 'csv', name: 'CSV' },
];

/** Up to when the growth is known: what the value has grown by since is only in the total of all time. */
function until(rewards: RewardDays | undefined): string {
  const end = rewards?.days.at(-1)?.closeTimestamp;
  return end === undefined ? '' : `, up to ${moment(end)}`;
}

/** The events that tell what minipools earned. */
function eventsOf(address: string) {
  const path = pathOf('/stakers/{address}/activity', address);
  return withQuery<Activity>(path, { type: 'minipoolStatusChanged', limit: 1_000 });
}

export function Years({ of: years, view }: { of: readonly Year[]; view: View }) {
  const all = years.flatMap(({ incomes }) => incomes);
  const sources = (Object.keys(SOURCES) as Source[]).filter((source) => all.some((income) => income.source === source));
  const isCut = all.some(({ unpriced }) => unpriced !== undefined);
  return (
    <Table
      caption="What this address earned, by calendar year"
      of={years}
      keyOf={({ first }) => first}
      columns={[
        ['Year', (year) => `${nameOf(year)}${year.isOpen ? ', so far' : ''}`],
        ...sources.map((source) => {
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

/** What the value of a year lacks. */
function unpricedIn({ incomes }: Year): string {
  return incomes
    .flatMap(({ source, unpriced }) => (unpriced === undefined ? [] : `${SOURCES[source].name}: ${unpriced}`))
    .join('; ');
}
