/** The protocol's status: whether its chain and contracts work, what can be redeemed, and what was announced. */

import type { ComponentChildren } from 'preact';
import { endOfWithdrawals } from './announced-end.tsx';
import type { Flags, PoolRedemption } from './bodies.ts';
import { useFreshKey } from './data.tsx';
import { DAY, day, duration, fullDay, moment, short } from './format.ts';
import { hrefWith } from './location.ts';
import { pathOf } from './paths.ts';
import { QUEUE } from './queue.tsx';
import { useAnswer } from './sources.ts';

/** Parts of the protocol that flags control. */
const PARTS: Record<string, string> = {
  withdrawQueue: 'Withdrawal queue',
  ggpRewardsClaims: 'Reward claims',
  ggAvaxDeposits: 'Deposits',
  minipoolCreation: 'New minipools',
};

/** The actions that each pause refuses. No pause stops claims. */
const REFUSED: Record<string, string> = {
  redemption: 'redemptions of ggAVAX',
  withdrawQueue: 'new withdrawal requests',
  ggAvaxDeposits: 'deposits',
  minipoolCreation: 'new minipools',
  rewardsCycles: 'new rewards cycles',
};

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Avalanche has a block every few seconds: after an hour without one, the chain or its provider stands still. */
const STANDSTILL_SECONDS = 3_600;

export function Notice() {
  const flags = useAnswer(pathOf('/flags'));
  const pool = useAnswer(pathOf('/ggAvax'));
  const paused = usePaused();
  const queue = useAnswer(QUEUE);
  const contracts = useAnswer(pathOf('/contracts'));
  const health = useAnswer(pathOf('/health'));
  const key = useFreshKey();
  const upgradedAt = contracts.body?.contracts.find(({ name }) => name === 'TokenggAVAX')?.upgradedAt;
  const isOverdue = Number(queue.body?.service.overdueRequests) > 0;
  // All at once: lines that appear one after another would shift the page.
  const isKnown = [flags, pool, queue, contracts, health].every(({ body, failure }) => body ?? failure);
  const body = isKnown ? flags.body : undefined;
  const redemption = pool.body?.redemption;
  const isEnding = paused.size > 0 || body?.flags.windDown?.enabled === true;
  const state = !isKnown || !(body || isEnding) ? 'waiting' : isEnding ? 'ending' : 'open';
  return (
    <section key={key} id="notice" class="notice" aria-label="Protocol status" data-state={state}>
      {isKnown && (
        <>
          <Standstill seconds={health.body?.headAgeSeconds} />
          {body && <State of={body} isPaused={paused.size > 0} />}
          {!body && flags.failure && (
            <p class="problem">The protocol’s status is not available at the moment. {flags.failure.message}</p>
          )}
          {paused.size > 0 && <PausedContracts of={paused} />}
          {redemption?.open && (
            <p>
              <strong>ggAVAX can be redeemed for AVAX now, in one transaction.</strong>{' '}
              <a href="docs/guide#get-avax-back">How to do it</a>
            </p>
          )}
        </>
      )}
      {body && (
        <details>
          <summary>More</summary>
          <Announced of={body} />
          {redemption?.open && redemption.availableAVAX !== undefined && (
            <p>{`The ggAVAX pool can pay out ${short(Number(redemption.availableAVAX))} AVAX.`}</p>
          )}
          {upgradedAt !== undefined && (
            <p>
              {`The ggAVAX contract was upgraded on ${day(upgradedAt)}. `}
              <a href={`${hrefWith({ activity: 'rules' })}#activity`}>See what changed</a>
            </p>
          )}
          <Chips of={body} paused={paused} isOverdue={isOverdue} redemption={redemption} />
        </details>
      )}
    </section>
  );
}

function Standstill({ seconds = 0 }: { seconds: number | undefined }) {
  if (seconds < STANDSTILL_SECONDS) return null;
  return (
    <p class="problem">
      <strong>{`This page is ${duration(seconds)} behind the chain.`}</strong>
      {` The latest block known here is of ${moment(Date.now() / 1_000 - seconds)}. Amounts may have changed since.`}
    </p>
  );
}

/** The state of the protocol as a whole, from the flags. */
function State({ of, isPaused }: { of: Flags; isPaused: boolean }) {
  const { windDown } = of.flags;
  if (windDown?.enabled) {
    return (
      <p>
        <strong>The protocol is being wound down.</strong>
        {lastDayText(windDown.withdrawalsUntil, endOfWithdrawals(of), Date.now() / 1_000)}
      </p>
    );
  }
  const isAnyClosed = Object.keys(PARTS).some((key) => of.flags[key]?.enabled === false);
  if (isPaused && !isAnyClosed) return null;
  return (
    <p>
      <strong>{isAnyClosed ? 'Some parts of the protocol are closed.' : 'All parts of the protocol are open.'}</strong>
    </p>
  );
}

/** The announced end, and the time left until then. */
function lastDayText(lastDay: unknown, end: number | undefined, now: number): string {
  if (typeof lastDay !== 'string') return '';
  const what = ' Hypha’s website, and announced withdrawals,';
  if (end === undefined) return `${what} end on ${lastDay}.`;
  if (now >= end) return `${what} were to end on ${fullDay(end - 1)}.`;
  return `${what} end on ${fullDay(end - 1)} (${now > end - DAY ? 'today' : `${duration(end - now)} left`}).`;
}

function Announced({ of }: { of: Flags }): ComponentChildren {
  const { windDown } = of.flags;
  if (!windDown?.enabled) return null;
  const { operationsEnded, withdrawalsUntil } = windDown;
  const ended = Date.parse(`${operationsEnded}T00:00:00Z`) / 1_000;
  return (
    <p>
      {!Number.isNaN(ended) && `Operations ended on ${fullDay(ended)}. `}
      {withdrawalsUntil !== undefined &&
        'The contracts do not enforce the announced end of withdrawals: they keep paying after it.'}
    </p>
  );
}

function PausedContracts({ of: paused }: { of: Paused }) {
  const refused = Object.entries(REFUSED).flatMap(([key, name]) => (paused.get(key) === 'paused' ? name : []));
  return (
    <p>
      <strong>{`Some contracts are paused${refused.length > 0 ? ':' : '.'}`}</strong>
      {refused.length > 0 && ` no ${EITHER.format(refused)}.`}
      {' Look up an address to see what it can still withdraw.'}
    </p>
  );
}

interface ChipsProps {
  of: Flags;
  paused: Paused;
  /** True if the withdrawal queue has overdue requests. */
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
