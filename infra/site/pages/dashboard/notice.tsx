/**
 * The protocol's status, above everything else on the page: what the flags say is closed, until when withdrawals are
 * possible, which contracts are paused, and when the code of ggAVAX changed.
 */

import { isoDay } from '../../../../lib/values/iso-time.ts';
import type { Flags, PoolRedemption } from './bodies.ts';
import { DAY, day, duration, short } from './format.ts';
import { pathOf } from './paths.ts';
import { QUEUE } from './queue.tsx';
import { useAnswer } from './sources.ts';

/** The parts of the protocol that flags control, and their names. */
const PARTS: Record<string, string> = {
  withdrawQueue: 'Withdrawal queue',
  ggpRewardsClaims: 'Reward claims',
  ggAvaxDeposits: 'Deposits',
  minipoolCreation: 'New minipools',
};

/** What is not possible while the contract of a part is paused. No pause stops claims: they are not among these. */
const REFUSED: Record<string, string> = {
  redemption: 'redemptions of ggAVAX',
  withdrawQueue: 'new withdrawal requests',
  ggAvaxDeposits: 'deposits',
  minipoolCreation: 'new minipools',
  rewardsCycles: 'new rewards cycles',
};

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function Notice() {
  const flags = useAnswer(pathOf('/flags'));
  const pool = useAnswer(pathOf('/ggAvax'));
  const paused = usePaused();
  const queue = useAnswer(QUEUE);
  const contracts = useAnswer(pathOf('/contracts'));
  const upgradedAt = contracts.body?.contracts.find(({ name }) => name === 'TokenggAVAX')?.upgradedAt;
  const isOverdue = Number(queue.body?.service.overdueRequests) > 0;
  const frozen = useAnswer(pathOf('/health')).body?.frozen;
  // All at once: lines that appear one after another would shift the page.
  const isKnown = [flags, pool, queue, contracts].every(({ body, failure }) => body ?? failure);
  const body = isKnown ? flags.body : undefined;
  const redemption = pool.body?.redemption;
  const isEnding = paused.size > 0 || body?.flags.windDown?.enabled === true;
  return (
    <section
      id="notice"
      class="notice"
      aria-label="Protocol status"
      data-state={!isKnown ? 'waiting' : isEnding ? 'ending' : body ? 'open' : 'waiting'}
    >
      <div>
        {frozen && <Frozen at={frozen} />}
        {body && <State of={body} isPaused={paused.size > 0} />}
        {isKnown && paused.size > 0 && <PausedContracts of={paused} />}
        {isKnown && redemption?.open && <Redeemable of={redemption} />}
        {isKnown && upgradedAt !== undefined && (
          <p class="line" id="upgraded">
            ggAVAX got new code on {day(upgradedAt)}.
          </p>
        )}
        {isKnown && !body && flags.failure && (
          <p class="line problem">The protocol’s status is unknown at the moment. {flags.failure.message}</p>
        )}
      </div>
      {body && <Chips of={body} paused={paused} isOverdue={isOverdue} redemption={redemption} />}
    </section>
  );
}

/** That nothing on the page changes any more. */
function Frozen({ at: { number, timestamp } }: { at: { number: number; timestamp: number } }) {
  return (
    <p class="line" id="frozen">
      <strong>This service is frozen.</strong> Everything is as it was on {dayText(timestamp)}, at block {number}: it is
      read from an archive, and not from the chain.
    </p>
  );
}

/** What the flags say about the protocol as a whole. */
function State({ of, isPaused }: { of: Flags; isPaused: boolean }) {
  const { windDown } = of.flags;
  if (windDown?.enabled) return <WindDown of={windDown} end={endOfWithdrawals(of)} />;
  const state = isAnyClosed(of)
    ? 'Some parts of the protocol are closed.'
    : !isPaused && 'All parts of the protocol are open.';
  return (
    <p class="line">
      <strong>{state}</strong>
    </p>
  );
}

function PausedContracts({ of: paused }: { of: Paused }) {
  const refused = Object.entries(REFUSED).flatMap(([key, name]) => (paused.get(key) === 'paused' ? name : []));
  return (
    <p class="line">
      <strong>{`Some contracts are paused${refused.length > 0 ? ':' : '.'}`}</strong>
      {refused.length > 0 && ` no ${EITHER.format(refused)}.`}
      {' Look up an address to see what it is still paid.'}
    </p>
  );
}

/** The way out that no announcement tells of: only the chain does. */
function Redeemable({ of: { availableAVAX } }: { of: PoolRedemption }) {
  return (
    <p class="line">
      <strong>ggAVAX can be redeemed for AVAX now, in one transaction.</strong>
      {availableAVAX !== undefined && ` The pool has ${short(Number(availableAVAX))} AVAX at hand.`} Look up an address,
      or read <a href="docs/guide#get-avax-back">how</a>.
    </p>
  );
}

interface ChipsProps {
  of: Flags;
  paused: Paused;
  /** Whether the withdrawal queue has requests that nobody has paid in time. */
  isOverdue: boolean;
  redemption: PoolRedemption | undefined;
}

/** The status of each part. */
function Chips({ of: { flags }, paused, isOverdue, redemption }: ChipsProps) {
  const known = Object.entries(PARTS).filter(([key]) => flags[key]);
  const stateOf = (key: string) => {
    if (!flags[key]?.enabled) return 'closed';
    return paused.get(key) ?? (key === 'withdrawQueue' && isOverdue ? 'overdue' : 'open');
  };
  return (
    <ul class="chips">
      {redemption?.open !== undefined && (
        <li class={redemption.open ? 'open' : 'shut'}>
          Redemption <b>{redemption.open ? 'open' : redemption.reason === 'PAUSED' ? 'paused' : 'closed'}</b>
        </li>
      )}
      {known.map(([key, name]) => (
        <li key={key} class={stateOf(key) === 'open' ? 'open' : 'shut'}>
          {name} <b>{stateOf(key)}</b>
        </li>
      ))}
    </ul>
  );
}

type Paused = ReadonlyMap<string, 'paused' | 'possibly paused'>;

/** The parts whose contracts are paused, as far as the API shows. */
function usePaused(): Paused {
  const { body: metrics } = useAnswer(pathOf('/metrics'));
  const { body: pool } = useAnswer(pathOf('/ggAvax'));
  const { body: cycle } = useAnswer(pathOf('/rewards/cycle'));
  // `paused` means that the ggAVAX token, which deposits need, or MinipoolManager is paused, or both.
  const isPaused = metrics?.status === 'paused';
  const perhaps = isPaused && 'possibly paused';
  const parts = {
    redemption: pool?.redemption?.reason === 'PAUSED' && 'paused',
    withdrawQueue: pool?.withdrawQueue?.paused && 'paused',
    ggAvaxDeposits: pool?.paused === undefined ? perhaps : pool.paused && 'paused',
    minipoolCreation: pool?.paused === false ? isPaused && 'paused' : perhaps,
    rewardsCycles: cycle?.paused && 'paused',
  } as const;
  return new Map(Object.entries(parts).flatMap(([key, state]) => (state ? [[key, state]] : [])));
}

function isAnyClosed({ flags }: Flags): boolean {
  return Object.keys(PARTS).some((key) => flags[key]?.enabled === false);
}

function WindDown({ of, end }: { of: Record<string, unknown>; end: number | undefined }) {
  const { operationsEnded, withdrawalsUntil } = of;
  return (
    <>
      <p class="line">
        <strong>The protocol is being wound down.</strong>
        {typeof operationsEnded === 'string' && ` Operations ended on ${dateText(operationsEnded)}.`}
      </p>
      {typeof withdrawalsUntil === 'string' && (
        <p class="line">{lastDayText(withdrawalsUntil, end, Date.now() / 1_000)}</p>
      )}
    </>
  );
}

function dayText(seconds: number): string {
  return dateText(isoDay(seconds));
}

/** `2026-12-31` as `31 December 2026`; other text is returned unchanged. */
function dateText(iso: string): string {
  const date = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(date.valueOf())) return iso;
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/**
 * When withdrawals end by the publisher's announcement, Unix seconds; undefined if none is known. Includes the whole last day.
 * No contract knows it.
 */
export function endOfWithdrawals(body: Flags | undefined): number | undefined {
  const windDown = body?.flags.windDown;
  const end = Date.parse(`${windDown?.withdrawalsUntil}T00:00:00Z`) / 1_000 + DAY;
  return windDown?.enabled && !Number.isNaN(end) ? end : undefined;
}

/** What is said of a date after the announced end of withdrawals. */
export const LATE = 'after the announced end';

/** The announced end, and that it binds no contract. */
function lastDayText(lastDay: string, end: number | undefined, now: number): string {
  const told = (isPast: boolean) =>
    `Hypha’s website ${isPast ? 'was to close' : 'closes'} on ${dateText(lastDay)}, the announced end of withdrawals`;
  const only = 'No contract knows that day.';
  if (end === undefined) return `${told(false)}. ${only}`;
  if (now >= end) return `${told(true)}. ${only}`;
  return `${told(false)}: ${now > end - DAY ? 'today' : `in ${duration(end - now)}`}. ${only}`;
}
