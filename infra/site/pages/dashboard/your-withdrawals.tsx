import { Deadline, LATE, useAnnouncedEnd } from './announced-end.tsx';
import type { Estimate, Withdrawal, Withdrawals } from './bodies.ts';
import { Card } from './card.tsx';
import { Status } from './facts.tsx';
import { counted, day, fromNow } from './format.ts';
import { pathOf } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { Reliability, statusAt } from './queue.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** The withdrawal requests of an address: status, dates, and the ggAVAX that canceling returns. */
export function YourWithdrawals({ address, withdrawals }: { address: string; withdrawals: Loaded<Withdrawals> }) {
  const { requests = [], block, service } = withdrawals.body ?? {};
  const end = useAnnouncedEnd() ?? Number.POSITIVE_INFINITY;
  const now = block?.timestamp ?? 0;
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
          ['Claim by', ({ expirationTime }) => <Deadline at={expirationTime} />],
          ['What it means', (request) => [describeStatus(request, now, end), <TakenBack request={request} />], 'wide'],
        ]}
      />
      {service && requests.some(({ status }) => status === 'pending') && <Reliability of={service} />}
    </Card>
  );
}

/**
 * Explains a request. A funded one can be claimed before its claimableTime (`canClaimRequest`), but not after it has
 * expired. On an expired one, anyone can call `reclaimExpiredRequest`: it deposits the AVAX again, which needs open
 * deposits, and returns the new shares, or returns the old ones if there is no AVAX.
 */
function describeStatus(
  { status, claimableTime, allocatedFunds, expirationTime }: Withdrawal,
  now: number,
  end: number,
): string {
  if (status === 'fulfilled')
    return `Can be claimed now. Claim it by ${day(expirationTime)}: after that, it cannot be paid while deposits are closed.`;
  if (status === 'pending') {
    const due = claimableTime > now ? `due ${fromNow(claimableTime)}` : 'overdue';
    const late = claimableTime >= end && now < end ? `, ${LATE}` : '';
    return `Waiting for AVAX, ${due}${late}. If none arrives by ${day(expirationTime)}, you can get all the ggAVAX back.`;
  }
  return Number(allocatedFunds) > 0
    ? 'Not claimed in time. Anyone can close it, which returns ggAVAX of that value, but not while deposits are closed.'
    : 'No AVAX arrived in time. Anyone can close it, which returns all the ggAVAX.';
}

/** The ggAVAX that canceling a request returns now, and that waiting for its expiration returns. */
function TakenBack({ request: { cancelGgAvax, expiryGgAvax, status, expirationTime } }: { request: Withdrawal }) {
  if (status === 'expired') {
    return expiryGgAvax === undefined ? null : (
      <span class="remark block">
        Returns <Quantity of={expiryGgAvax} unit="ggAVAX" />: <a href="#your-available">the transaction to send</a>
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
      : <a href="#your-available">the transaction to send</a>
    </span>
  );
}

/** The dates that the queue would give a new request, and the last day for one due before the announced end. */
export function AskedNow({ estimate }: { estimate: Estimate }) {
  const { body: flags } = useAnswer(pathOf('/flags'));
  const end = useAnnouncedEnd() ?? Number.POSITIVE_INFINITY;
  const { claimableTime, expirationTime, ahead, block } = estimate;
  if (claimableTime === undefined || expirationTime === undefined) return null;
  const isOver = block.timestamp >= end;
  const isLate = claimableTime >= end;
  return (
    <p class="ask">
      {flags?.flags.withdrawQueue?.enabled === false && 'Hypha has announced that the queue is closed. '}
      {isLate && `${isOver ? STILL_ACCEPTED : `A request made now would be due only ${LATE}.`} `}
      {'A new request would be claimable from '}
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
