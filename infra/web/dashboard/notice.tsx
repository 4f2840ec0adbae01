import type { Flags, GgAvax, Metrics } from './bodies.ts';
import { duration } from './format.ts';
import { useAnswer } from './sources.ts';

/**
 * What is closed, and until when things can still be done, as the service's flags say it; what the flags have open may be paused
 * by its contract. It stands above everything else.
 */

const DAY = 86_400;

/** What the parts that flags switch are called. */
const PARTS: Record<string, string> = {
  withdrawQueue: 'Withdrawals',
  ggpRewardsClaims: 'Reward claims',
  ggAvaxDeposits: 'Deposits',
  minipoolCreation: 'New minipools',
};

/** What their contracts refuse while they are paused. */
const REFUSED: Record<string, string> = {
  withdrawQueue: 'new requests for withdrawal',
  ggAvaxDeposits: 'deposits',
  minipoolCreation: 'new minipools',
};

export function Notice() {
  const { body, failure } = useAnswer<Flags>('flags');
  const paused = usePaused();
  const windDown = body?.flags.windDown;
  const isWindingDown = windDown?.enabled === true;
  const refused = Object.keys(REFUSED).flatMap((key) => (paused.get(key) === 'paused' ? (REFUSED[key] ?? []) : []));
  return (
    <section
      id="notice"
      class="notice"
      aria-label="State of the protocol"
      data-state={paused.size > 0 || isWindingDown ? 'ending' : body ? 'open' : 'waiting'}
    >
      <div>
        {body && windDown?.enabled && <WindDown of={windDown} end={endOfWithdrawals(body)} />}
        {body && !isWindingDown && (
          <p class="line">
            <strong>
              {isAnyClosed(body)
                ? 'Parts of the protocol are closed.'
                : paused.size === 0 && 'All parts of the protocol are open.'}
            </strong>
          </p>
        )}
        {paused.size > 0 && (
          <p class="line">
            <strong>Some of the protocol’s contracts are paused.</strong>
            {refused.length > 0 && ` Until that ends there are no ${refused.join(' and no ')}.`}
          </p>
        )}
        {!body && failure && (
          <p class="line problem">
            Whether parts of the protocol are closed is not known at the moment. {failure.message}
          </p>
        )}
      </div>
      {body && (
        <ul class="chips">
          {Object.entries(PARTS).flatMap(([key, name]) => {
            const flag = body.flags[key];
            if (!flag) return [];
            const state = !flag.enabled ? 'closed' : (paused.get(key) ?? 'open');
            return (
              <li key={key} data-flag={key} class={state === 'open' ? 'open' : 'shut'}>
                {name} <b>{state}</b>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

/** The parts whose contracts are paused, as far as the API tells. */
function usePaused(): ReadonlyMap<string, 'paused' | 'perhaps paused'> {
  const { body: metrics } = useAnswer<Metrics>('metrics');
  const { body: pool } = useAnswer<GgAvax>('ggAvax');
  // The protocol is paused by its token, which deposits need, or by that of minipools, or by both.
  const isPaused = metrics?.status === 'paused';
  const perhaps = isPaused && 'perhaps paused';
  const parts = {
    withdrawQueue: pool?.withdrawQueue?.paused && 'paused',
    ggAvaxDeposits: pool?.paused === undefined ? perhaps : pool.paused && 'paused',
    minipoolCreation: pool?.paused === false ? isPaused && 'paused' : perhaps,
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
        {typeof operationsEnded === 'string' && ` Its operations ended on ${dateText(operationsEnded)}.`}
      </p>
      {typeof withdrawalsUntil === 'string' && (
        <p class="line">{lastDayText(withdrawalsUntil, end, Date.now() / 1_000)}</p>
      )}
    </>
  );
}

/** `31 December 2026` for `2026-12-31`; what is no date stays as it is. */
function dateText(iso: string): string {
  const date = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(date.valueOf())) return iso;
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** When withdrawals end, unix seconds; undefined if nothing says that they do. The last day counts whole. */
export function endOfWithdrawals({ flags }: Flags): number | undefined {
  const { windDown } = flags;
  const end = Date.parse(`${windDown?.withdrawalsUntil}T00:00:00Z`) / 1_000 + DAY;
  return windDown?.enabled && !Number.isNaN(end) ? end : undefined;
}

function lastDayText(lastDay: string, end: number | undefined, now: number): string {
  if (end === undefined) return `The last day of withdrawals is ${lastDay}.`;
  if (now >= end) return `The last day of withdrawals was ${dateText(lastDay)}.`;
  return `The last day of withdrawals is ${dateText(lastDay)}: ${now > end - DAY ? 'today' : `${duration(end - now)} are left`}.`;
}
