import type { Cycle, Cycles } from './bodies.ts';
import { Card } from './card.tsx';
import { Bars, Facts } from './facts.tsx';
import { day, duration, percent } from './format.ts';
import { Amount } from './quantity.tsx';
import { useAnswer } from './sources.ts';

/** The cycle of GGP rewards. */

const CLAIMANTS: Record<string, string> = {
  ClaimNodeOp: 'Node operators',
  ClaimProtocolDAO: 'Protocol DAO',
  MultisigManager: 'Multisigs',
};

export function RewardsCycle() {
  const answer = useAnswer<Cycle>('rewards/cycle');
  const { body: past } = useAnswer<Cycles>('rewards/cycles');
  return (
    <Card
      id="cycle"
      title="Rewards cycle"
      span={4}
      about="GGP that is minted and paid out about once a month"
      from={[answer]}
      lines={9}
    >
      {answer.body && <CycleState {...answer.body} past={past} />}
    </Card>
  );
}

function CycleState({
  number,
  startTime,
  seconds,
  totalAmt,
  distributionPercent = {},
  next,
  block,
  past,
}: Cycle & { past: Cycles | undefined }) {
  if (startTime === undefined || !seconds || !next) return <p class="empty">No cycle has begun.</p>;
  const passed = Math.min(1, Math.max(0, (block.timestamp - startTime) / seconds));
  const late = next.overdueSeconds ?? 0;
  return (
    <>
      <progress max="1" value={passed} aria-label="Part of the cycle that has passed" />
      <p class="meaning quiet">
        {late > 0
          ? `It has ended; the next one could have begun ${duration(late)} ago.`
          : `${percent(passed * 100)} of it has passed; the next one may begin in ${duration(next.startsAt - block.timestamp)}.`}
      </p>
      <Facts
        of={[
          ['Cycle', number ?? '–', `since ${day(startTime)}`],
          ['Paid out for it', <Amount of={totalAmt} unit="GGP" />],
          ['Next one, projected', <Amount of={next.totalAmt} unit="GGP" />],
          past?.coverage.complete &&
            past.cycles.length > 0 && [
              'All cycles',
              <Amount of={sum(past.cycles.map((cycle) => cycle.totalAmt))} unit="GGP" />,
            ],
        ]}
      />
      <Bars
        most={100}
        of={Object.entries(distributionPercent).map(([name, value]) => ({
          label: CLAIMANTS[name] ?? name,
          value,
          shown: percent(value),
        }))}
      />
    </>
  );
}

function sum(amounts: readonly string[]): number {
  return amounts.reduce((total, amount) => total + Number(amount), 0);
}
