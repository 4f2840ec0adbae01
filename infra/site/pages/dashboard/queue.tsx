/** The withdrawal queue, and how reliable its dates are. */

import type { Service, Withdrawal } from './bodies.ts';
import { Card } from './card.tsx';
import { Facts, Status } from './facts.tsx';
import { counted, duration } from './format.ts';
import { Identifier } from './identifier.tsx';
import { pathOf, withQuery } from './paths.ts';
import { Amount, Quantity, When } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** The queue and its first requests. */
export const QUEUE = withQuery(pathOf('/withdrawals'), { limit: 5 });

export function Queue() {
  const answer = useAnswer(QUEUE);
  const { withdrawQueue, service, requests = [], total = 0, block } = answer.body ?? {};
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
            'Pending',
            <Amount of={withdrawQueue?.pendingAVAX} unit="AVAX" />,
            counted(withdrawQueue?.pendingRequests, 'request'),
          ],
          [
            'Claimable',
            <Amount of={withdrawQueue?.allocatedAVAX} unit="AVAX" />,
            counted(withdrawQueue?.fulfilledRequests, 'request'),
          ],
          [
            'Planned waiting time',
            withdrawQueue?.unstakeDelay === undefined ? '–' : duration(withdrawQueue.unstakeDelay),
            'from request to claim',
          ],
          [
            'Last paid',
            service?.lastFulfilledTime === undefined ? '–' : <When at={service.lastFulfilledTime} />,
            service && counted(service.overdueRequests, 'overdue request'),
          ],
        ]}
      />
      {service && <Reliability of={service} />}
      <Table
        caption="Open withdrawals"
        of={requests}
        keyOf={({ requestId }) => requestId}
        empty="No open withdrawals."
        columns={[
          ['No.', ({ requestId }) => requestId],
          ['Requested by', ({ requester }) => <Identifier id={requester} kind="address" />],
          ['Amount', ({ expectedAssets }) => <Quantity of={expectedAssets} unit="AVAX" />, 'number'],
          ['Status', (request) => <Status of={statusAt(request, block?.timestamp ?? 0)} />],
          ['Claimable', Claimable],
        ]}
      />
      {total > requests.length && <p class="quiet">{`${total - requests.length} more in the CSV.`}</p>}
    </Card>
  );
}

function Claimable({ claimableTime, expirationTime }: Withdrawal) {
  return (
    <>
      from <When at={claimableTime} />
      <span class="quiet block">
        by <When at={expirationTime} />
      </span>
    </>
  );
}

/** The status; `overdue` for a pending request that should have been paid. */
export function statusAt({ status, claimableTime }: Withdrawal, now: number): string {
  return status === 'pending' && claimableTime < now ? 'overdue' : status;
}

/** A warning about overdue requests. */
export function Reliability({ of: { overdueRequests, oldestOverdueTime, lastFulfilledTime } }: { of: Service }) {
  const last = lastFulfilledTime !== undefined && (
    <>
      {' '}
      The last request was paid <When at={lastFulfilledTime} relative />.
    </>
  );
  if (overdueRequests === 0 || oldestOverdueTime === undefined) return last ? <p class="quiet">{last}</p> : null;
  return (
    <p class="remark">
      <strong>Payment is not guaranteed.</strong>
      {` ${counted(overdueRequests, 'request')} ${overdueRequests === 1 ? 'is' : 'are'} overdue, the oldest since `}
      <When at={oldestOverdueTime} />.{last}
    </p>
  );
}
