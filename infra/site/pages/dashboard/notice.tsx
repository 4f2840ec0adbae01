/** The protocol's status: whether its chain and contracts work, what can be redeemed, and what was announced. */

import { useAnswer } from './answers.ts';
import { DAY, day, duration, fullDay, moment, withUnit } from './format.ts';
import { pathOf } from './paths.ts';

/** Avalanche has a block every few seconds: after an hour without one, the chain or its provider stands still. */
const STANDSTILL_SECONDS = 3_600;

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function Notice() {
  const flags = useAnswer(pathOf('/flags'));
  const pool = useAnswer(pathOf('/ggAvax'));
  const cycle = useAnswer(pathOf('/rewards/cycle'));
  const contracts = useAnswer(pathOf('/contracts'));
  const health = useAnswer(pathOf('/health'));
  // All at once: lines that appear one after another would shift the page.
  const isKnown = [flags, pool, cycle, contracts, health].every(({ body, failure }) => body ?? failure);
  const { windDown } = flags.body?.flags ?? {};
  const { redemption, paused, withdrawQueue } = pool.body ?? {};
  const refused = [
    withdrawQueue?.paused && 'new withdrawal requests',
    paused && 'deposits',
    cycle.body?.paused && 'new rewards cycles',
  ].filter((name) => typeof name === 'string');
  const upgradedAt = contracts.body?.contracts.find(({ name }) => name === 'TokenggAVAX')?.upgradedAt;
  const seconds = health.body?.headAgeSeconds ?? 0;
  return (
    <section id="notice" class="notice" aria-label="Protocol status" aria-busy={!isKnown}>
      {isKnown && (
        <>
          {seconds > STANDSTILL_SECONDS && (
            <p class="problem">
              <strong>{`This page is ${duration(seconds)} behind the chain.`}</strong>
              {` The latest block known here is of ${moment(Date.now() / 1_000 - seconds)}. Amounts may have changed since.`}
            </p>
          )}
          {windDown?.enabled && (
            <p>
              <strong>The protocol is being wound down.</strong>
              {textOf(windDown.operationsEnded, (time) => ` Operations ended on ${fullDay(time)}.`)}
              {textOf(windDown.withdrawalsUntil, endText)}
            </p>
          )}
          {!flags.body && (
            <p class="problem">The protocol’s status is not available at the moment. {flags.failure?.message}</p>
          )}
          {refused.length > 0 && (
            <p>
              <strong>Some contracts are paused:</strong>
              {` no ${EITHER.format(refused)}. Look up an address to see what it can still withdraw.`}
            </p>
          )}
          {redemption?.open && !redemption.reason && Number(redemption.availableAVAX) > 0 && (
            <p>
              <strong>ggAVAX can be redeemed for AVAX now, in one transaction.</strong>
              {` The pool has ${withUnit(Number(redemption.availableAVAX), 'AVAX')}. `}
              <a href="docs/guide#get-avax-back">How to do it</a>
            </p>
          )}
          {redemption?.reason && (
            <p>
              <strong>ggAVAX cannot be redeemed for AVAX now.</strong>
              {` ${redemption.detail} Look up an address for other ways.`}
            </p>
          )}
          {upgradedAt !== undefined && <p>{`The ggAVAX contract was upgraded on ${day(upgradedAt)}.`}</p>}
        </>
      )}
    </section>
  );
}

/** The sentence about the date of a flag; nothing if it is no date. */
function textOf(date: unknown, sentenceOf: (time: number) => string): string {
  const time = Date.parse(`${date}T00:00:00Z`) / 1_000;
  return Number.isNaN(time) ? '' : sentenceOf(time);
}

/** The announced last day. */
function endText(last: number): string {
  const left = last + DAY - Date.now() / 1_000;
  const when = left < 0 ? '' : left < DAY ? ' (today)' : ` (${duration(left)} left)`;
  const verb = left < 0 ? 'was' : 'is';
  return ` ${fullDay(last)}${when} ${verb} the last day of Hypha’s website, and the announced last day for withdrawals. The contracts do not enforce it: they keep paying after it.`;
}
