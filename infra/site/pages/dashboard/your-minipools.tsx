import { useAnnouncedEnd } from './announced-end.tsx';
import type { Minipool, Staker } from './bodies.ts';
import { Card } from './card.tsx';
import { Status } from './facts.tsx';
import { withUnit } from './format.ts';
import { Identifier } from './identifier.tsx';
import { pathOf, withQuery } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { minipoolRemarks, Remarks, uptimeRemarks } from './remarks.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Table } from './table.tsx';
import { PROTOCOL_VALIDATORS, Uptime } from './validators.tsx';

/** Statuses of minipools whose owner has all AVAX back. */
const RETURNED: readonly Minipool['status'][] = ['finished', 'canceled'];

/** A node operator's minipools, each with its node's uptime. */
export function StakerMinipools({ address, staker }: { address: string; staker: Loaded<Staker> }) {
  const validators = useAnswer(PROTOCOL_VALIDATORS);
  const end = useAnnouncedEnd();
  const { validators: all = [], asOf = 0 } = validators.body ?? {};
  const validating = new Map(all.map((validator) => [validator.nodeID, validator]));
  const rows = (staker.body?.minipools ?? []).map((minipool) => {
    const validator = validating.get(minipool.nodeID);
    return { minipool, validator, remarks: [...uptimeRemarks(validator, asOf), ...minipoolRemarks(minipool, end)] };
  });
  const earned = rows.reduce((sum, { minipool }) => sum + Number(minipool.avaxNodeOpLifetimeRewardAmt), 0);
  const isRemarked = rows.some(({ remarks }) => remarks.length > 0);
  return (
    <Card
      id="your-minipools"
      title="Your minipools"
      about="Select a node for its details"
      from={[staker]}
      lines={8}
      csv={withQuery(pathOf('/minipools'), { owner: address })}
    >
      <Table
        caption="Minipools of this address"
        of={rows}
        keyOf={({ minipool }) => minipool.index}
        empty={
          staker.body && !staker.body.minipools
            ? 'The minipools of this address are not available at the moment.'
            : 'No minipools.'
        }
        columns={[
          ['Node', ({ minipool }) => <Identifier id={minipool.nodeID} kind="node" />],
          ['Status', ({ minipool }) => <Status of={minipool.status} />],
          ['Uptime', ({ validator }) => <Uptime {...validator} />, 'number'],
          ['Operator’s AVAX', ({ minipool }) => <OwnAvax {...minipool} />, 'number'],
          [
            'End of all cycles',
            ({ minipool }) => (
              <>
                {minipool.endTime > 0 && 'Ended '}
                <End {...minipool} />
              </>
            ),
          ],
          [
            'Earned so far',
            ({ minipool }) => <Quantity of={minipool.avaxNodeOpLifetimeRewardAmt} unit="AVAX" />,
            'number',
          ],
          isRemarked && ['Note', ({ remarks }) => <Remarks of={remarks} />, 'wide'],
        ]}
      />
      {rows.length > 1 && (
        <p class="quiet">{`Earned so far by these ${rows.length} minipools: ${withUnit(earned, 'AVAX')}.`}</p>
      )}
    </Card>
  );
}

/** The record keeps the amount when it has been returned. */
function OwnAvax({ status, avaxNodeOpAmt }: Minipool) {
  return RETURNED.includes(status) ? <>–</> : <Quantity of={avaxNodeOpAmt} unit="AVAX" />;
}

/** The time at which a minipool ends, or ended. */
export function End({ endTime, expectedEndTime }: Minipool) {
  const at = endTime || expectedEndTime;
  return at ? <When at={at} /> : <>–</>;
}
