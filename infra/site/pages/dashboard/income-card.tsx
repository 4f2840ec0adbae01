import { useState } from 'preact/hooks';
import type { Income } from '../account/bodies.ts';
import { IncomeTable } from '../account/income.tsx';
import { useAnswer, useAnswers } from './answers.ts';
import { Card } from './card.tsx';
import { type Path, pathOf, withQuery } from './paths.ts';
import { gapIn } from './timeline.tsx';

const TAX_TOOLS = { koinly: 'Koinly', rotki: 'rotki', csv: 'CSV' };

interface IncomeCardProps {
  path: Path<Omit<Income, 'address'>>;
  /** The addresses that have staked GGP, as far as they are known. */
  stakers: readonly string[];
}

/** The income of one address, or of several together, by calendar year, with files of each event. */
export function IncomeCard({ path, stakers }: IncomeCardProps) {
  const [currency, setCurrency] = useState('usd');
  const answer = useAnswer(withQuery(path, { interval: '1mo' }));
  const rewards = useAnswers(stakers.map((address) => pathOf('/rewards/{address}', address)));
  const { body } = answer;
  const uncovered = Object.values(body?.coverage ?? {}).find(({ complete }) => !complete);
  const years = [...new Set(body?.totals.map(({ year }) => year))].sort((a, b) => b - a);
  const files = years.map((year) => ({
    name: String(year),
    links: Object.entries(TAX_TOOLS).map(([format, label]) => ({
      label,
      href: withQuery(path, { year, format, ...(format !== 'csv' && { currency }) }),
    })),
  }));
  return (
    <Card id="income" title="Earned by year" about="Calendar years of UTC" answers={[answer]}>
      {uncovered && <p class="empty">Not available yet. {gapIn(uncovered)}</p>}
      {body && !uncovered && (
        <>
          <IncomeTable income={body} rewards={rewards.map(({ body }) => body)} files={files} />
          {body.totals.length > 0 && (
            <label>
              Currency of the files for Koinly and rotki{' '}
              <select onChange={(event) => setCurrency(event.currentTarget.value)}>
                <option value="usd">USD</option>
                <option value="eur">EUR</option>
              </select>
            </label>
          )}
        </>
      )}
    </Card>
  );
}
