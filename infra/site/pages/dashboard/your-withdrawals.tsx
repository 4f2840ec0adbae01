import type { Flags, Withdrawal, Withdrawals } from './bodies.ts';
import { Card } from './card.tsx';
import { Status } from './facts.tsx';
import { counted, day, fromNow } from './format.ts';
import { endOfWithdrawals, LATE } from './notice.tsx';
import { pathOf, withQuery } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** The withdrawals of an address: when each can be claimed, and what its status means. */
export function YourWithdrawals({
  address,
  withdrawals,
  held,
}: {
  address: string;
  withdrawals: Loaded<Withdrawals>;
  /** The ggAVAX outside the queue, if there is any. */
  held: string | undefined;
}) {
  const { requests = [], block } = withdrawals.body ?? {};
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
      {requests.length === 0 ? (
        <p class="empty">No open withdrawals.</p>
      ) : (
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
              meaningOf(request, state),
            ],
          }))}
        />
      )}
      {held !== undefined && (
        <IfAskedNow ggAvax={held} what={requests.length > 0 ? 'the rest' : 'all of it'} {...state} />
      )}
    </Card>
  );
}

/** After the last day for withdrawals, only the contract counts: the flag may be closed for good, which it does not know. */
function stateAt(now: number, flags: Flags | undefined): State {
  const end = endOfWithdrawals(flags) ?? Number.POSITIVE_INFINITY;
  const isOver = now >= end;
  return { now, end, isOver, isOpen: isOver || flags?.flags.withdrawQueue?.enabled !== false };
}

/** The AVAX that can be claimed now, and until when; undefined if there is none. */
export function claimableOf(
  { requests, block }: Withdrawals,
  flags: Flags,
): { avax: number; until: number } | undefined {
  const state = stateAt(block.timestamp, flags);
  const funded = requests.filter(({ status }) => status === 'fulfilled');
  if (!state.isOpen || funded.length === 0) return undefined;
  const avax = funded.reduce((sum, { expectedAssets }) => sum + Number(expectedAssets), 0);
  return { avax, until: Math.min(...funded.map((request) => lastMoment(request, state))) };
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

/** What withdrawing all ggAVAX outside the queue would bring now, or why that is not possible. */
function IfAskedNow({ ggAvax, what, end, isOver, isOpen }: State & { ggAvax: string; what: string }) {
  const { body } = useAnswer(isOpen ? withQuery(pathOf('/withdrawals/estimate'), { ggAvax }) : undefined);
  if (!isOpen) return <p class="quiet">Withdrawals are closed for now.</p>;
  const { claimableTime, expirationTime } = body ?? {};
  if (!body || claimableTime === undefined || expirationTime === undefined) return null;
  if (body.paused && isOver)
    return <p class="quiet">{`${PASSED}, and the queue accepts no requests: it is paused.`}</p>;
  if (body.paused) return <p class="quiet">The queue is paused: no new requests are possible until it resumes.</p>;
  // Also if the last day is over.
  const isLate = claimableTime >= end;
  const { requests, avax } = body.ahead;
  return (
    <p class="ask">
      {isLate
        ? `${isOver ? STILL_ACCEPTED : `A request made now would be due only ${LATE}.`} One for ${what} would be for `
        : `Withdrawing ${what} now would bring `}
      <Quantity of={body.avax} unit="AVAX" />
      {', claimable from '}
      <When at={claimableTime} />
      {' to '}
      <When at={isLate ? expirationTime : Math.min(expirationTime, end - 1)} />
      {requests > 0 && (
        <>
          {`, behind ${counted(requests, 'request')} for `}
          <Quantity of={avax} unit="AVAX" />
        </>
      )}
      .
      {Number.isFinite(end) && !isLate && (
        <>
          {' '}
          <strong>{`Request by ${day(end - 1 - (claimableTime - body.block.timestamp))}:`}</strong>
          {` later requests would be due ${LATE}.`}
        </>
      )}
    </p>
  );
}
