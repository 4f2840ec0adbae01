/** The protocol's own validators, lowest uptime first, because those need attention. */

import { useState } from 'preact/hooks';
import type { Validator, Validators } from './bodies.ts';
import { Card } from './card.tsx';
import { Identifier } from './identifier.tsx';
import { pathOf, withQuery } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

const ROWS = 8;
/** All of them: at most as many as the API returns at once. */
export const PROTOCOL_VALIDATORS = withQuery(pathOf('/validators'), {
  protocol: 'true',
  sort: 'uptime',
  order: 'asc',
  limit: 500,
});

export function ValidatorList() {
  const [isAll, setAll] = useState(false);
  const answer = useAnswer(PROTOCOL_VALIDATORS);
  const { validators = [], total = 0 } = answer.body ?? {};
  const rows = isAll ? validators : validators.slice(0, ROWS);
  return (
    <Card
      id="validators"
      title="Protocol validators"
      about={
        answer.body ? total > 0 && `${total} active${shortIn(answer.body)}, lowest uptime first` : 'Lowest uptime first'
      }
      from={[answer]}
      lines={15}
      csv={withQuery(pathOf('/validators'), { protocol: 'true' })}
    >
      <Table
        caption="The protocol’s validators, lowest uptime first"
        of={rows}
        keyOf={({ nodeID }) => nodeID}
        empty="The protocol has no active validators."
        columns={[
          ['Node', ({ nodeID }) => <Identifier id={nodeID} kind="node" />],
          ['Uptime', Uptime, 'number'],
          ['Stake', ({ amountStaked }) => <Quantity of={amountStaked} unit="AVAX" />, 'number'],
          [
            'Potential reward',
            ({ potentialRewards }) => <Quantity of={potentialRewards.validation} unit="AVAX" />,
            'number',
          ],
          ['Cycle ends', ({ endTime }) => <When at={endTime} />],
          ['Owner', ({ minipool }) => (minipool ? <Identifier id={minipool.owner} kind="address" /> : '–')],
        ]}
      />
      {total > ROWS && (
        <button type="button" class="plain" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show all ${total}`}
        </button>
      )}
    </Card>
  );
}

/** Number of validators with too little uptime for the reward, and of those that have lost it; empty if 0. */
function shortIn({ validators, asOf }: Validators): string {
  const short = validators.filter(isShort);
  if (short.length === 0) return '';
  const lost = short.filter((validator) => !isReachable(validator, asOf)).length;
  const note = lost > 0 ? ` (${lost} can no longer reach it)` : '';
  return `, ${short.length} with too little uptime for the reward so far${note}`;
}

/** True if an uptime is too low for the reward; undefined if either value is unknown. */
export function isShort({
  uptimePercent: uptime,
  neededUptimePercent: needed,
}: Partial<Validator>): boolean | undefined {
  return uptime === undefined || needed === undefined ? undefined : uptime < needed;
}

/**
 * The uptime that a validator has at its end if it is online from `asOf` on, percent: the P-Chain measures it from the
 * start of the validation to its end.
 */
export function bestUptime({ uptimePercent = 0, startTime, endTime }: Validator, asOf: number): number {
  const elapsed = Math.min(1, Math.max(0, (asOf - startTime) / (endTime - startTime)));
  return uptimePercent * elapsed + 100 * (1 - elapsed);
}

/** True if the uptime can still be high enough for the reward at the end. */
export function isReachable(validator: Validator, asOf: number): boolean {
  return bestUptime(validator, asOf) >= validator.neededUptimePercent;
}

/** An uptime, highlighted if it is too low for the reward. */
export function Uptime(validator: Partial<Validator>) {
  return (
    <span class={isShort(validator) ? 'status error' : undefined}>
      <Quantity of={validator.uptimePercent} unit="%" />
    </span>
  );
}
