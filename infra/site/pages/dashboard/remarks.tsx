/** Sentences about a minipool or its node: faults, risks and what can be done. */

import { LATE } from './announced-end.tsx';
import type { Minipool, Validator } from './bodies.ts';
import { day, percentReached, withUnit } from './format.ts';
import { bestUptime, isReachable, isShort } from './validators.tsx';

interface Remark {
  text: string;
  isBad?: boolean;
}

/** Written by Rialto, the protocol's multisig, when another cycle does not fit: not an error of the node. */
const NO_CYCLE_LEFT = 'EC1';

/** Error codes that Rialto writes. */
const ERRORS: Record<string, string> = {
  E1: 'The node was already validating.',
  E2: 'The node’s status could not be determined.',
  E3: 'Staking the AVAX failed.',
  [NO_CYCLE_LEFT]: 'Ended early: there was no time for another cycle.',
};

/** The meanings of the contract's statuses. */
export const MEANINGS: Record<Minipool['status'], string> = {
  prelaunch: 'waiting to be launched',
  launched: 'its AVAX is on its way to the validator',
  staking: 'the node is validating',
  withdrawable: 'ended; the owner can withdraw',
  finished: 'ended; the owner has withdrawn',
  canceled: 'its AVAX was returned before launch',
  error: 'never started; the owner can withdraw',
};

/** Statuses in which the owner can withdraw funds (`MinipoolManager.withdrawMinipoolFunds`). */
const WITHDRAWABLE: readonly Minipool['status'][] = ['withdrawable', 'error'];

/** Statuses of minipools that hold AVAX. The records of others keep the amounts of the past. */
export const HOLDS_AVAX: readonly Minipool['status'][] = ['prelaunch', 'launched', 'staking'];

/** The AVAX that a minipool's owner can withdraw now. */
export function sumPayout({ status, avaxNodeOpAmt, avaxNodeOpRewardAmt }: Minipool): number {
  return WITHDRAWABLE.includes(status) ? Number(avaxNodeOpAmt) + Number(avaxNodeOpRewardAmt) : 0;
}

/**
 * Remarks on a minipool: why it failed or ended early, the AVAX that its owner can withdraw now, and if it ends too
 * late. `end` is the announced end of withdrawals, undefined if there is none.
 */
export function minipoolRemarks(minipool: Minipool, end: number | undefined): Remark[] {
  const { errorCode, ggpSlashAmt } = minipool;
  const [slashed, payout] = [Number(ggpSlashAmt), sumPayout(minipool)];
  return [
    ...(errorCode === undefined
      ? []
      : [{ text: ERRORS[errorCode] ?? `Error ${errorCode}.`, isBad: errorCode !== NO_CYCLE_LEFT }]),
    ...(slashed > 0
      ? [{ text: `${withUnit(slashed, 'GGP')} was slashed for a cycle without a reward.`, isBad: true }]
      : []),
    ...(payout > 0 ? [{ text: `The owner can withdraw ${withUnit(payout, 'AVAX')} now.` }] : []),
    ...lateRemarks(minipool, end),
  ];
}

/** A remark on a minipool that ends after the announced end of withdrawals. */
function lateRemarks({ status, expectedEndTime, duration }: Minipool, end = Number.POSITIVE_INFINITY): Remark[] {
  if (!HOLDS_AVAX.includes(status)) return [];
  if (expectedEndTime) return expectedEndTime >= end ? [{ text: `Its planned end is ${LATE}.` }] : [];
  const earliest = Date.now() / 1_000 + duration;
  return earliest >= end ? [{ text: `If it starts today, it ends on ${day(earliest)}, ${LATE}.` }] : [];
}

/** The cost of a low uptime, and whether it can still recover; nothing if it is high enough or unknown. */
export function uptimeRemarks(validator: Validator | undefined, asOf: number): Remark[] {
  if (!validator || !isShort(validator)) return [];
  const { neededUptimePercent, minipool } = validator;
  const reward = isReachable(validator, asOf)
    ? `No reward is paid unless uptime is at least ${neededUptimePercent}% by the end. ${reachText(validator, asOf)}`
    : `No reward will be paid: an uptime of ${neededUptimePercent}% can no longer be reached.`;
  return [{ text: minipool ? `${reward} Without a reward, some of the owner’s GGP is slashed.` : reward, isBad: true }];
}

/** The highest uptime that can still be reached. */
export function reachText(validator: Validator, asOf: number): string {
  return `Still reachable: up to ${percentReached(bestUptime(validator, asOf))} if it is online from now on.`;
}

export function Remarks({ of }: { of: readonly Remark[] }) {
  return (
    <>
      {of.map(({ text, isBad }) => (
        <p key={text} class={isBad ? 'remark problem' : 'remark'}>
          {text}
        </p>
      ))}
    </>
  );
}
