/** The cycle of GGP rewards. */

import type { Cycle, Cycles } from './bodies.ts';
import { Card } from './card.tsx';
import { Bars, Facts } from './facts.tsx';
import { day, duration, percent } from './format.ts';
import { pathOf } from './paths.ts';
import { Amount } from './quantity.tsx';
import { useAnswer } from './sources.ts';

const CLAIMANTS: Record<string, string> = {
  ClaimNodeOp: 'Node operators',
  ClaimProtocolDAO: 'Protocol DAO',
  MultisigManager: 'Multisigs',
};

export function RewardsCycle() {
  const answer = useAnswer(pathOf('/rewards/cycle'));
  const { body: past } = useAnswer(pathOf('/rewards/cycles'));
  return (
    <Card
      id="cycle"
      title="Rewards cycle"
      span={4}
      about="GGP minted and paid out about once a month"
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
  distributionPercent,
  next,
  paused,
  block,
  past,
}: Cycle & { past: Cycles | undefined }) {
  if (startTime === 0) return <p class="empty">No cycle has started yet.</p>;
  if (startTime === undefined || !seconds)
    return <p class="empty">The start or length of the cycle is unknown at the moment.</p>;
  const left = startTime + seconds - block.timestamp;
  const passed = Math.min(1, Math.max(0, 1 - left / seconds));
  return (
    <>
      <progress max="1" value={passed} aria-label="Progress of the cycle" />
      <p class="meaning quiet">
        {left < 0 ? 'The cycle has ended; ' : `${percent(passed * 100)} complete; `}
        {nextText(next?.totalAmt, left, paused)}
      </p>
      <Facts
        of={[
          ['Cycle', number ?? '–', `started ${day(startTime)}`],
          ['Paid out', <Amount of={totalAmt} unit="GGP" />],
          ['Next cycle (projected)', <Amount of={next?.totalAmt} unit="GGP" />],
          past?.coverage.complete &&
            past.cycles.length > 0 && [
              'All cycles',
              <Amount of={sum(past.cycles.map((cycle) => cycle.totalAmt))} unit="GGP" />,
            ],
        ]}
      />
      <Bars
        most={100}
        of={Object.entries(distributionPercent ?? {}).map(([name, value]) => ({
          label: CLAIMANTS[name] ?? name,
          value,
          shown: percent(value),
        }))}
      />
    </>
  );
}

/** When the next cycle can start. The contract does not start one that would mint nothing. */
function nextText(amount: string | undefined, left: number, isPaused = false): string {
  if (isPaused) return 'no other one can start while the rewards pool is paused.';
  if (amount === undefined) return 'it is unknown whether another one can start.';
  if (Number(amount) === 0) return 'no other one can start, because it would mint no GGP.';
  return left < 0
    ? `the next one could have started ${duration(-left)} ago.`
    : `the next cycle can start in ${duration(left)}.`;
}

function sum(amounts: readonly string[]): number {
  return amounts.reduce((total, amount) => total + Number(amount), 0);
}
