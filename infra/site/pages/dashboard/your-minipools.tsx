import type { Minipool, Staker, Validator } from './bodies.ts';
import { Card } from './card.tsx';
import { Status } from './facts.tsx';
import { withUnit } from './format.ts';
import { Identifier } from './identifier.tsx';
import { endOfWithdrawals } from './notice.tsx';
import { pathOf, withQuery } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { minipoolRemarks, Remarks, uptimeRemarks } from './remarks.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Table } from './table.tsx';
import { PROTOCOL_VALIDATORS, Uptime, UptimeLine } from './validators.tsx';

/** Statuses of minipools whose owner has all AVAX back. */
const RETURNED: readonly Minipool['status'][] = ['finished', 'canceled'];

/** A node operator's minipools, each with its node's uptime. */
export function StakerMinipools({ address, staker }: { address: string; staker: Loaded<Staker> }) {
  const validators = useAnswer(PROTOCOL_VALIDATORS);
  const { body: flags } = useAnswer(pathOf('/flags'));
  const end = endOfWithdrawals(flags);
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
      {rows.length === 0 ? (
        <p class="empty">
          {staker.body && !staker.body.minipools
            ? 'The minipools of this address are unknown at the moment.'
            : 'No minipools.'}
        </p>
      ) : (
        <Table
          caption="Minipools of this address"
          columns={[
            'Node',
            'Status',
            { number: 'Uptime' },
            'Last 30 days',
            { number: 'Operator’s AVAX' },
            'End of all cycles',
            { number: 'Earned so far' },
            ...(isRemarked ? [{ wide: 'Note' }] : []),
          ]}
          rows={rows.map(({ minipool, validator, remarks }) => ({
            key: minipool.index,
            cells: [...cellsOf(minipool, validator), ...(isRemarked ? [<Remarks of={remarks} />] : [])],
          }))}
        />
      )}
      {rows.length > 1 && (
        <p class="quiet">{`Earned so far by these ${rows.length} minipools: ${withUnit(earned, 'AVAX')}.`}</p>
      )}
    </Card>
  );
}

function cellsOf(minipool: Minipool, validator: Validator | undefined) {
  const { nodeID, status, avaxNodeOpAmt, avaxNodeOpLifetimeRewardAmt, endTime } = minipool;
  return [
    <Identifier id={nodeID} kind="node" />,
    <Status of={status} />,
    <Uptime {...validator} />,
    <UptimeLine nodeID={nodeID} needed={validator?.neededUptimePercent} />,
    // The record keeps the amount when it has been returned.
    RETURNED.includes(status) ? <>–</> : <Quantity of={avaxNodeOpAmt} unit="AVAX" />,
    <>
      {endTime > 0 && 'Ended '}
      <End {...minipool} />
    </>,
    <Quantity of={avaxNodeOpLifetimeRewardAmt} unit="AVAX" />,
  ];
}

/** When a minipool ends, or ended. */
export function End({ endTime, expectedEndTime }: Minipool) {
  const at = endTime || expectedEndTime;
  return at ? <When at={at} /> : <>–</>;
}
