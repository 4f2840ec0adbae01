/** The protocol's cards: key figures, charts, minipools, the withdrawal queue, activity and holders. */

import { useState } from 'preact/hooks';
import { TYPES } from '../../../../lib/ledger/events/entry-types.ts';
import { MetricFacts } from '../account/metrics.tsx';
import { Facts, Identifier, Quantity, Status, When } from '../account/quantity.tsx';
import { Table } from '../account/table.tsx';
import { useAnswer } from './answers.ts';
import { Card } from './card.tsx';
import { Charts } from './charts.tsx';
import { counted, duration, moment, percent } from './format.ts';
import { pathOf, withQuery } from './paths.ts';
import { gapIn, Timeline } from './timeline.tsx';

/** Not transfers, many of which are dust, nor prices. */
const SHOWN = TYPES.filter((type) => type !== 'ggAvaxTransferred' && type !== 'priceUpdated').join();

/** Collapsed, only a button and no requests. */
export function Protocol({ isCollapsed }: { isCollapsed: boolean }) {
  const [isOpen, setOpen] = useState(!isCollapsed);
  return (
    <div class="group" id="protocol">
      <h2>The protocol</h2>
      {isOpen ? (
        <>
          <Figures />
          <Charts />
          <Holders />
          <Queue />
          <Timeline id="activity" title="Recent activity" path={withQuery(pathOf('/activity'), { type: SHOWN })} />
        </>
      ) : (
        <button type="button" class="plain" onClick={() => setOpen(true)}>
          Show key figures, charts, the withdrawal queue and activity
        </button>
      )}
    </div>
  );
}

function Figures() {
  const answer = useAnswer(pathOf('/metrics'));
  const { body } = answer;
  return (
    <Card
      id="figures"
      title="Key figures"
      answers={[answer]}
      lines={13}
      about={body && `At block ${body.block.number}, ${moment(body.block.timestamp)}`}
      csv={pathOf('/minipools')}
    >
      {body && <MetricFacts metrics={body} />}
    </Card>
  );
}

function Queue() {
  const path = pathOf('/withdrawals');
  const answer = useAnswer(withQuery(path, { limit: 5 }));
  const { withdrawQueue, service, requests = [], total = 0 } = answer.body ?? {};
  const { pendingAVAX, pendingRequests, allocatedAVAX, fulfilledRequests, unstakeDelay } = withdrawQueue ?? {};
  return (
    <Card
      id="queue"
      title="Withdrawal queue"
      about="Requests to turn ggAVAX into AVAX. Payment is not guaranteed."
      answers={[answer]}
      csv={path}
    >
      <Facts
        facts={[
          ['Pending', <Quantity amount={pendingAVAX} unit="AVAX" />, counted(pendingRequests, 'request')],
          ['Claimable', <Quantity amount={allocatedAVAX} unit="AVAX" />, counted(fulfilledRequests, 'request')],
          [
            'Last paid',
            <When time={service?.lastFulfilledTime} />,
            counted(service?.overdueRequests, 'overdue request'),
          ],
          ['Planned waiting time', unstakeDelay === undefined ? '–' : duration(unstakeDelay)],
        ]}
      />
      <Table
        caption="Open withdrawals"
        rows={requests}
        empty="No open withdrawals."
        columns={[
          ['No.', ({ requestId }) => requestId],
          ['Requested by', ({ requester }) => <Identifier id={requester} kind="address" />],
          ['Amount', ({ expectedAssets }) => <Quantity amount={expectedAssets} unit="AVAX" />, 'number'],
          ['Status', ({ status }) => <Status status={status} />],
          ['Claimable from', ({ claimableTime }) => <When time={claimableTime} />],
          ['Expires', ({ expirationTime }) => <When time={expirationTime} />],
        ]}
      />
      {total > requests.length && <p class="quiet">{`${total - requests.length} more in the CSV.`}</p>}
    </Card>
  );
}

function Holders() {
  const path = pathOf('/holders');
  const answer = useAnswer(withQuery(path, { limit: 8 }));
  const { holders = [], total, coverage } = answer.body ?? {};
  return (
    <Card
      id="holders"
      title="Largest holders of ggAVAX"
      half
      about={(coverage && gapIn(coverage)) ?? `${counted(total, 'address', 'addresses')}, all in the CSV`}
      answers={[answer]}
      csv={coverage?.complete ? path : undefined}
    >
      <Table
        caption="Largest holders of ggAVAX"
        rows={holders}
        empty="No holders of ggAVAX were found."
        columns={[
          ['Address', ({ address }) => <Identifier id={address} kind="address" />],
          ['Balance', ({ ggAvax }) => <Quantity amount={ggAvax} unit="ggAVAX" />, 'number'],
          ['Share', ({ sharePercent }) => (sharePercent === undefined ? '–' : percent(sharePercent)), 'number'],
        ]}
      />
    </Card>
  );
}
