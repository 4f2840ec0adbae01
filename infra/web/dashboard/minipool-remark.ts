import type { Minipool } from './bodies.ts';
import { withUnit } from './format.ts';

/** Codes as Rialto, the protocol's multisig, writes them. */
const ERRORS: Record<string, string> = {
  E1: 'The node was validating already.',
  E2: 'The status of the node could not be told.',
  E3: 'Staking the AVAX failed.',
  EC1: 'Ended early: another cycle did not fit.',
};

/** What went wrong with a minipool, in words; empty if nothing did. */
export function minipoolError({ errorCode, ggpSlashAmt }: Minipool): string {
  const slashed =
    Number(ggpSlashAmt) > 0 ? `Slashed ${withUnit(Number(ggpSlashAmt), 'GGP')} for a cycle without reward.` : '';
  const error = errorCode === undefined ? '' : (ERRORS[errorCode] ?? `Error ${errorCode}.`);
  return [error, slashed].filter(Boolean).join(' ');
}

/** What its owner can get back now, in words; empty unless it waits for that (`MinipoolManager.withdrawMinipoolFunds`). */
export function minipoolPayout({ status, avaxNodeOpAmt, avaxNodeOpRewardAmt }: Minipool): string {
  if (status !== 'withdrawable' && status !== 'error') return '';
  return `Its owner can withdraw ${withUnit(Number(avaxNodeOpAmt) + Number(avaxNodeOpRewardAmt), 'AVAX')} now.`;
}
