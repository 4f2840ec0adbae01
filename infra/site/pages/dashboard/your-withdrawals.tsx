import type { Estimate, Flags, Withdrawal, Withdrawals } from './bodies.ts';
import { Call } from './call.tsx';
import { Card } from './card.tsx';
import { Status } from './facts.tsx';
import { counted, day, fromNow } from './format.ts';
import { endOfWithdrawals, LATE } from './notice.tsx';
import { pathOf } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { Reliability, statusAt } from './queue.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** The withdrawals of an address: when each can be claimed, what its status means, and what taking it back returns. */
export function YourWithdrawals({ address, withdrawals }: { address: string; withdrawals: Loaded<Withdrawals> }) {
  const { requests = [], block, service } = withdrawals.body ?? {};
  const { body: flags } = useAnswer(pathOf('/flags'));
  const [now, end] = [block?.timestamp ?? 0, announcedEnd(flags)];
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
        of={requests}
        keyOf={({ requestId }) => requestId}
        columns={[
          ['No.', ({ requestId }) => requestId],
          ['Amount', ({ expectedAssets }) => <Quantity of={expectedAssets} unit="AVAX" />, 'number'],
          ['Status', (request) => <Status of={statusAt(request, now)} />],
          ['Claimable from', ({ claimableTime }) => <When at={claimableTime} />],
          ['Claim by', ({ expirationTime }) => <ClaimBy at={expirationTime} end={end} now={now} />],
          ['What it means', (request) => [meaningOf(request, now, end), <TakenBack request={request} />], 'wide'],
        ]}
      />
      {service && requests.some(({ status }) => status === 'pending') && <Reliability of={service} />}
    </Card>
  );
}

/** When withdrawals end by the announcement, Unix seconds; never without one. */
function announcedEnd(flags: Flags | undefined): number {
  return endOfWithdrawals(flags) ?? Number.POSITIVE_INFINITY;
}

/** Until when the contract pays, and the announced end beside it if that is earlier and still to come. */
function ClaimBy({ at, end, now }: { at: number; end: number; now: number }) {
  return (
    <>
      <When at={at} />
      {at >= end && now < end && <span class="quiet block">announced end: {day(end - 1)}</span>}
    </>
  );
}

/**
 * Explains a request. A funded one can be claimed before its claimableTime (`canClaimRequest`), but not after it has
 * expired. On an expired one, anyone can call `reclaimExpiredRequest`: it deposits the AVAX again and returns the new
 * shares, or returns the old ones if there is no AVAX.
 */
function meaningOf(
  { status, claimableTime, allocatedFunds, expirationTime }: Withdrawal,
  now: number,
  end: number,
): string {
  if (status === 'fulfilled') return `Can be claimed now, until ${day(expirationTime)}.`;
  if (status === 'pending') {
    const due = claimableTime > now ? `due ${fromNow(claimableTime)}` : 'overdue';
    const late = claimableTime >= end && now < end ? `, ${LATE}` : '';
    return `Waiting for AVAX, ${due}${late}. If none arrives by ${day(expirationTime)}, the ggAVAX can be returned in full.`;
  }
  return Number(allocatedFunds) > 0
    ? 'Not claimed in time. The AVAX is returned as ggAVAX of that value once someone closes the request, which anyone can do.'
    : 'No AVAX arrived in time. The ggAVAX is returned in full once someone closes the request, which anyone can do.';
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

/** What a request for all of the amount would be promised now, and until when one would be due before the announced end. */
export function AskedNow({ estimate }: { estimate: Estimate }) {
  const { body: flags } = useAnswer(pathOf('/flags'));
  const { claimableTime, expirationTime, ahead, block } = estimate;
  if (claimableTime === undefined || expirationTime === undefined) return null;
  const end = announcedEnd(flags);
  const isOver = block.timestamp >= end;
  const isLate = claimableTime >= end;
  return (
    <p class="ask">
      {flags?.flags.withdrawQueue?.enabled === false && 'Hypha has announced that the queue is closed. '}
      {isLate && `${isOver ? STILL_ACCEPTED : `A request made now would be due only ${LATE}.`} `}
      {'Claimable from '}
      <When at={claimableTime} />
      {' to '}
      <When at={expirationTime} />
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
          {` later requests would be due ${LATE}, ${day(end - 1)}.`}
        </>
      )}
    </p>
  );
}

const STILL_ACCEPTED =
  'The announced end has passed. The contract still accepts requests, but AVAX may not arrive for them.';
