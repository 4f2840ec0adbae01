import type { Estimate, Flags, Withdrawal, Withdrawals } from './bodies.ts';
import { Call } from './call.tsx';
import { Card } from './card.tsx';
import { Status } from './facts.tsx';
import { counted, day, fromNow } from './format.ts';
import { endOfWithdrawals, LATE } from './notice.tsx';
import { pathOf } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { Reliability } from './queue.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** The withdrawals of an address: when each can be claimed, what its status means, and what taking it back returns. */
export function YourWithdrawals({ address, withdrawals }: { address: string; withdrawals: Loaded<Withdrawals> }) {
  const { requests = [], block, service } = withdrawals.body ?? {};
  const { body: flags } = useAnswer(pathOf('/flags'));
  const state = stateAt(block?.timestamp ?? 0, flags);
  return (
    <Card
      id="your-withdrawals"
      title="Withdrawals"
      about="Requests to turn ggAVAX into AVAX"
      from={[withdrawals]}
      lines={8}
      csv={pathOf('/withdrawals/{address}', address)}
    >
      <Table
        caption="Withdrawals of this address"
        columns={['No.', { number: 'Amount' }, 'Status', 'Claimable from', 'Claim by', { wide: 'What it means' }]}
        rows={requests.map((request) => ({
          key: request.requestId,
          cells: [
            request.requestId,
            <Quantity of={request.expectedAssets} unit="AVAX" />,
            <Status of={request.status} />,
            <When at={request.claimableTime} />,
            <When at={lastMoment(request, state)} />,
            <>
              {meaningOf(request, state)}
              <TakenBack request={request} />
            </>,
          ],
        }))}
      />
      {service && requests.some(({ status }) => status === 'pending') && <Reliability of={service} />}
    </Card>
  );
}

/** After the last day for withdrawals, only the contract counts: the flag may be closed for good, which it does not know. */
function stateAt(now: number, flags: Flags | undefined): State {
  const end = endOfWithdrawals(flags) ?? Number.POSITIVE_INFINITY;
  const isOver = now >= end;
  return { now, end, isOver, isOpen: isOver || flags?.flags.withdrawQueue?.enabled !== false };
}

/**
 * The last moment to claim: when the request expires, or the end of the last day for withdrawals if that is earlier.
 * After that day only the expiration counts, because the contract does not know the last day; also for a request that is
 * due only then.
 */
function lastMoment({ status, claimableTime, expirationTime }: Withdrawal, { end, isOver }: State): number {
  const isLate = isOver || (status === 'pending' && claimableTime >= end);
  return isLate ? expirationTime : Math.min(expirationTime, end - 1);
}

/**
 * Explains a request. A funded one can be claimed before its claimableTime (`canClaimRequest`), but not after it has
 * expired. On an expired one, anyone can call `reclaimExpiredRequest`: it deposits the AVAX again and returns the new
 * shares, or returns the old ones if there is no AVAX.
 */
function meaningOf(request: Withdrawal, state: State): string {
  const { status, claimableTime, allocatedFunds, expirationTime } = request;
  const { now, end, isOver, isOpen } = state;
  if (status === 'fulfilled') {
    if (!isOpen) return 'The AVAX is set aside, but withdrawals are closed for now.';
    const until = day(lastMoment(request, state));
    return isOver
      ? `${PASSED}, but the contract allows claiming until ${until}.`
      : `Can be claimed now, until ${until}.`;
  }
  if (status === 'pending' && isOver)
    return `Still waiting for AVAX. If none arrives by ${day(expirationTime)}, the ggAVAX can be returned in full.`;
  if (status === 'pending') {
    const late = claimableTime >= end ? ` That is ${LATE}.` : '';
    return claimableTime > now
      ? `Waiting for AVAX, due ${fromNow(claimableTime)}.${late}`
      : 'Waiting for AVAX, overdue.';
  }
  return Number(allocatedFunds) > 0
    ? 'Not claimed in time. The AVAX is returned as ggAVAX of that value once someone closes the request, which anyone can do.'
    : 'No AVAX arrived in time. The ggAVAX is returned in full once someone closes the request, which anyone can do.';
}

const PASSED = 'The last day for withdrawals has passed';
const STILL_ACCEPTED = `${PASSED}. The contract still accepts requests, but AVAX may not arrive for them.`;

interface State {
  /** Unix seconds: the block's time, and when withdrawals end. */
  now: number;
  end: number;
  isOver: boolean;
  isOpen: boolean;
}

/** What taking a request back returns now, what waiting for its expiration returns, and how that is done. */
function TakenBack({
  request: { requestId, cancelGgAvax, expiryGgAvax, status, expirationTime },
}: {
  request: Withdrawal;
}) {
  const { body: contracts } = useAnswer(pathOf('/contracts'));
  const queue = contracts?.contracts.find(({ name }) => name === 'WithdrawQueue')?.address;
  if (status === 'expired') {
    return expiryGgAvax === undefined ? null : (
      <span class="remark block">
        Returns <Quantity of={expiryGgAvax} unit="ggAVAX" />: <a href="#your-available">the call to make</a>
      </span>
    );
  }
  if (cancelGgAvax === undefined) return null;
  return (
    <span class="remark block">
      Canceling it returns <Quantity of={cancelGgAvax} unit="ggAVAX" /> now
      {expiryGgAvax !== undefined && (
        <>
          ; waiting until <When at={expirationTime} /> returns <Quantity of={expiryGgAvax} unit="ggAVAX" />
        </>
      )}
      : {queue && <Call contract={queue} function="cancelRequest(uint256)" arguments={[String(requestId)]} />}
    </span>
  );
}

/** What a request for all of the amount would be promised now, and until when one would be due in time. */
export function AskedNow({ estimate }: { estimate: Estimate }) {
  const { body: flags } = useAnswer(pathOf('/flags'));
  const { claimableTime, expirationTime, ahead, block } = estimate;
  const { end, isOver, isOpen } = stateAt(block.timestamp, flags);
  if (claimableTime === undefined || expirationTime === undefined) return null;
  // Also if the last day is over.
  const isLate = claimableTime >= end;
  return (
    <p class="ask">
      {!isOpen && 'The protocol has announced that withdrawals are closed for now. '}
      {isLate && `${isOver ? STILL_ACCEPTED : `A request made now would be due only ${LATE}.`} `}
      {'Claimable from '}
      <When at={claimableTime} />
      {' to '}
      <When at={isLate ? expirationTime : Math.min(expirationTime, end - 1)} />
      {ahead.requests > 0 && (
        <>
          {`, behind ${counted(ahead.requests, 'request')} for `}
          <Quantity of={ahead.avax} unit="AVAX" />
        </>
      )}
      .
      {Number.isFinite(end) && !isLate && (
        <>
          {' '}
          <strong>{`Request by ${day(end - 1 - (claimableTime - block.timestamp))}:`}</strong>
          {` later requests would be due ${LATE}.`}
        </>
      )}
    </p>
  );
}
