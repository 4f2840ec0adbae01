import type { Minipool } from './bodies.ts';
import { Card } from './card.tsx';
import { Bars } from './facts.tsx';
import { pathOf } from './paths.ts';
import { MEANINGS } from './remarks.tsx';
import { useAnswer } from './sources.ts';

/** The number of minipools in each status, as bars. */
export function Minipools() {
  const answer = useAnswer(pathOf('/metrics'));
  const counts = Object.entries(answer.body?.minipools ?? {});
  return (
    <Card
      id="minipools"
      title="Minipools"
      about="Validators funded jointly by an operator and liquid stakers, by status"
      from={[answer]}
      lines={12}
      csv={pathOf('/minipools')}
    >
      <Bars
        of={counts.map(([status, value]) => ({
          label: status,
          value,
          meaning: MEANINGS[status as Minipool['status']],
        }))}
      />
    </Card>
  );
}
