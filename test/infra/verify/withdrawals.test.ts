import { expect, test } from '@jest/globals';
import { Interface } from 'ethers';
import type { ChainAt } from '../../../infra/verify/chain.ts';
import { redemption } from '../../../infra/verify/withdrawals.ts';

/** Reasons of refused redemptions, from the errors of OpenZeppelin 4 (used by the published V3) and 5. */

const ERRORS = new Interface([
  'error AccessControlUnauthorizedAccount(address account, bytes32 role)',
  'error EnforcedPause()',
  'error InsufficientLiquidity()',
]);
const HOLDER = `0x${'de'.repeat(20)}`;
const ROLE = `0x${'01'.repeat(32)}`;
const text = (message: string) => new Interface(['error Error(string)']).encodeErrorResult('Error', [message]);

const WAVAX = 5n * 10n ** 18n;

/** A chain whose pool has 5 AVAX, and on which a redemption reverts with this data. */
function chainWith(reverted: string): ChainAt {
  const chain = { run: async () => ({ reverted }), read: async () => 10n * WAVAX, wavaxOf: async () => WAVAX };
  return chain as unknown as ChainAt;
}

test.each<[string, boolean | undefined]>([
  [text(`AccessControl: account ${HOLDER} is missing role ${ROLE}`), false],
  [text('Pausable: paused'), false],
  [text('ERC20: burn amount exceeds balance'), true],
  [text('something else'), undefined],
  [ERRORS.encodeErrorResult('AccessControlUnauthorizedAccount', [HOLDER, ROLE]), false],
  [ERRORS.encodeErrorResult('EnforcedPause'), false],
  [ERRORS.encodeErrorResult('InsufficientLiquidity'), true],
  ['0x', undefined],
])('a redemption that reverts with %s', async (reverted, open) => {
  const availableAVAX = open === false ? '0' : '5';
  const served = { open: open ?? 'whatever', availableAVAX };
  const compared = await redemption({ redemption: served }, chainWith(reverted));
  expect(compared).toEqual([
    ...(open === undefined ? [] : [{ field: 'redemption.open', served: open, expected: open }]),
    { field: 'redemption.availableAVAX', served: availableAVAX, expected: availableAVAX },
  ]);
});
