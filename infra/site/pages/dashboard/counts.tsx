/** How many there are of each kind, as bars. */

import type { ComponentChildren } from 'preact';
import type { Minipool } from './bodies.ts';
import { Card } from './card.tsx';
import { Bars } from './facts.tsx';
import { type Path, pathOf, withQuery } from './paths.ts';
import { MEANINGS } from './remarks.tsx';
import { type Loaded, useAnswer } from './sources.ts';

interface CountsProps {
  id: string;
  title: string;
  about: string;
  from: Loaded<unknown>;
  /** Names and how many. */
  of: readonly (readonly [string, number, string?])[];
  csv: Path<unknown>;
  lines: number;
  children?: ComponentChildren;
}

function Counts({ id, title, about, from, of, csv, lines, children }: CountsProps) {
  return (
    <Card id={id} title={title} span={4} about={about} from={[from]} lines={lines} csv={csv}>
      <Bars of={of.map(([label, value, meaning]) => ({ label, value, ...(meaning && { meaning }) }))} />
      {children}
    </Card>
  );
}

export function Minipools() {
  const answer = useAnswer(pathOf('/metrics'));
  return (
    <Counts
      id="minipools"
      title="Minipools"
      about="Validators funded jointly by an operator and liquid stakers, by status"
      from={answer}
      of={Object.entries(answer.body?.minipools ?? {}).map(([status, count]) => [
        status,
        count,
        MEANINGS[status as Minipool['status']],
      ])}
      csv={pathOf('/minipools')}
      lines={12}
    />
  );
}

const COLLATERAL_STEPS = [0, 10, 50, 100, 150, 300, Number.POSITIVE_INFINITY];

export function Collateral() {
  const answer = useAnswer(withQuery(pathOf('/stakers'), { sort: 'ggpStaked', limit: 500 }));
  const { stakers = [], total = 0 } = answer.body ?? {};
  const known = stakers.flatMap(({ collateralPercent }) => collateralPercent ?? []);
  const unassigned = stakers.filter(({ avaxAssigned }) => Number(avaxAssigned) === 0).length;
  // They have AVAX assigned, and GGP has no price.
  const unknown = stakers.length - known.length - unassigned;
  const steps = COLLATERAL_STEPS.slice(0, -1).map((from, index) => {
    const to = COLLATERAL_STEPS[index + 1] as number;
    const count = known.filter((collateral) => collateral >= from && collateral < to).length;
    return [Number.isFinite(to) ? `${from}–${to}%` : `${from}% or more`, count] as const;
  });
  return (
    <Counts
      id="collateral"
      title="Collateral"
      about="Stakers by the value of their GGP, as a percentage of the AVAX assigned to them"
      from={answer}
      of={[...steps, ['No AVAX assigned', unassigned], ...(unknown > 0 ? [['Unknown', unknown] as const] : [])]}
      csv={pathOf('/stakers')}
      lines={9}
    >
      {total > stakers.length && <p class="quiet">{`The ${stakers.length} largest of ${total} stakers.`}</p>}
    </Counts>
  );
}
