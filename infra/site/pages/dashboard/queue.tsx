import type { Service, Withdrawal } from './bodies.ts';
import { Card } from './card.tsx';
import { Facts, Status } from './facts.tsx';
import { counted, duration, percentReached, short } from './format.ts';
import { Identifier } from './identifier.tsx';
import { pathOf, withQuery } from './paths.ts';
import { Amount, Quantity, When } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** The withdrawal queue, and whether the pool can pay it. */

const ROWS = 6;

export function Queue() {
  const answer = useAnswer(withQuery(pathOf('/withdrawals'), { limit: ROWS }));
  const pool = useAnswer(pathOf('/ggAvax'));
  const { withdrawQueue, service, requests = [], total = 0 } = answer.body ?? {};
  return (
    <Card
      id="queue"
      title="Withdrawal queue"
      span={5}
      about="Requests to turn ggAVAX into AVAX"
      from={[answer]}
      lines={11}
      csv={pathOf('/withdrawals')}
    >
      <Facts
        of={[
          [
            'Waiting',
            <Amount of={withdrawQueue?.pendingAVAX} unit="AVAX" />,
            counted(withdrawQueue?.pendingRequests, 'request'),
          ],
          [
            'Set aside',
            <Amount of={withdrawQueue?.allocatedAVAX} unit="AVAX" />,
            counted(withdrawQueue?.fulfilledRequests, 'request'),
          ],
          [
            'Planned waiting time',
            withdrawQueue?.unstakeDelay === undefined ? '–' : duration(withdrawQueue.unstakeDelay),
            'from request to claim',
          ],
          [
            'Last fulfilled',
            service?.lastFulfilledTime === undefined ? '–' : <When at={service.lastFulfilledTime} />,
            service && counted(service.overdueRequests, 'overdue request'),
          ],
        ]}
      />
      <Cover waiting={withdrawQueue?.pendingAVAX} liquid={pool.body?.liquidAssets} />
      {requests.length > 0 ? <Requests of={requests} /> : <p class="empty">No open withdrawals.</p>}
      {total > requests.length && <p class="quiet">{`${total - requests.length} more in the CSV.`}</p>}
    </Card>
  );
}

function Requests({ of: requests }: { of: readonly Withdrawal[] }) {
  return (
    <Table
      caption="Open withdrawals"
      columns={['No.', 'Requested by', { number: 'Amount' }, 'Status', 'Claimable from']}
      rows={requests.map(({ requestId, requester, expectedAssets, status, claimableTime }) => ({
        key: requestId,
        cells: [
          requestId,
          <Identifier id={requester} kind="address" />,
          <Quantity of={expectedAssets} unit="AVAX" />,
          <Status of={status} />,
          <When at={claimableTime} />,
        ],
      }))}
    />
  );
}

/** How much of the waiting AVAX is covered by the pool's AVAX that is not staked. */
function Cover({ waiting, liquid }: { waiting: string | undefined; liquid: string | undefined }) {
  if (waiting === undefined || liquid === undefined)
    return <p class="quiet">How much of this is covered is unknown at the moment.</p>;
  const has = `pool has ${short(Number(liquid))} AVAX that is not staked.`;
  if (Number(waiting) === 0) return <p class="meaning quiet">{`The ${has}`}</p>;
  const part = Math.min(1, Number(liquid) / Number(waiting));
  return (
    <div>
      <meter min={0} max={1} low={1} optimum={1} value={part} aria-label="Share of the waiting AVAX that is covered" />
      <p class="meaning quiet">
        {`${part === 1 ? 'All' : percentReached(part * 100)} of the waiting AVAX is covered: the ${has}`}
      </p>
    </div>
  );
}

/** What the dates of the queue are worth. */
export function Reliability({ of: { overdueRequests, oldestOverdueTime, lastFulfilledTime } }: { of: Service }) {
  const last = lastFulfilledTime !== undefined && (
    <>
      {' '}
      The last one was fulfilled <When at={lastFulfilledTime} relative />.
    </>
  );
  if (overdueRequests === 0 || oldestOverdueTime === undefined) return last ? <p class="quiet">{last}</p> : null;
  return (
    <p class="remark">
      <strong>Do not rely on these dates:</strong>
      {` ${counted(overdueRequests, 'request')} ${overdueRequests === 1 ? 'has' : 'have'} not been fulfilled in time, the oldest since `}
      <When at={oldestOverdueTime} />.{last}
    </p>
  );
}
