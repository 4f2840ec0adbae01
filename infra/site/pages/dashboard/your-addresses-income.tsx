import { Card } from './card.tsx';
import { fileOf, yearsOfTotals } from './income.ts';
import { pathOf, withQuery } from './paths.ts';
import { useView } from './range.tsx';
import { useAnswers } from './sources.ts';
import { VIEWS, Years } from './your-income.tsx';

/** What several addresses earned together in each calendar year, with its value at the prices of each day. */
export function YourAddressesIncome({ addresses }: { addresses: readonly string[] }) {
  const { view, choice } = useView('income', VIEWS);
  const from = useAnswers(
    addresses.map((address) =>
      withQuery(pathOf('/accounts/{address}/income', address), { currency: view.name, interval: '1mo' }),
    ),
  );
  const bodies = from.flatMap(({ body }) => body ?? []);
  const now = Date.now() / 1_000;
  const totals = bodies.flatMap((body) => body.totals);
  const years = yearsOfTotals(totals, now);
  const isWhole = bodies.every(({ coverage }) => coverage.complete);
  const file = { name: `income-${addresses.length}-addresses-${view.name}.csv`, text: fileOf(years, view.name, now) };
  return (
    <Card
      id="your-addresses-income"
      title="Earned by year, together"
      about="Calendar years of UTC, each day’s income at that day’s closing price"
      tools={choice}
      from={from}
      lines={5}
      {...(isWhole && years.length > 0 && { file })}
    >
      {!isWhole ? (
        <p class="empty">Years are shown once the whole past has been read.</p>
      ) : years.length === 0 ? (
        <p class="empty">Nothing earned is recorded.</p>
      ) : (
        <Years of={years} view={view} />
      )}
    </Card>
  );
}
