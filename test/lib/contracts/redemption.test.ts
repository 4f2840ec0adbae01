import { expect, test } from '@jest/globals';
import { getAddress, Interface, makeError } from 'ethers';
import type { ProtocolState } from '../../../lib/chain/chain.ts';
import type { Runner } from '../../../lib/chain/contract.ts';
import { readPoolRedemption, readRedemption } from '../../../lib/contracts/redemption.ts';
import { addresses, network } from '../../support/contracts.ts';

/** The meaning of a token's responses, for all of its versions and libraries. */

const ERRORS = new Interface([
  'error AccessControlUnauthorizedAccount(address account, bytes32 role)',
  'error ContractPaused()',
  'error EnforcedPause()',
  'error ZeroAssets()',
  'error InsufficientLiquidity()',
  'error InsufficientShares()',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error Error(string)',
  'error Panic(uint256)',
  'error SomethingElse()',
]);
const CALLS = new Interface([
  'function redeemAVAX(uint256)',
  'function balanceOf(address)',
  'function totalReleasedAssets()',
  'function totalAssets()',
  'function totalSupply()',
  'function stakingTotalAssets()',
]);
const HOLDER = getAddress(`0x${'a'.repeat(40)}`);
const ROLE = `0x${'5'.repeat(64)}`;

const error = (name: string, args: unknown[] = []) => ERRORS.encodeErrorResult(name, args);
const SHORT = error('Panic', [0x11n]);
const CLOSED = error('AccessControlUnauthorizedAccount', [HOLDER, ROLE]);

interface Chain {
  /** Returns the amount that redeeming pays, or the data of a revert. Without `from`, the caller is Multicall3. */
  redeem: (shares: bigint, from: string | undefined) => bigint | string;
  balance?: bigint;
  /** WAVAX of the pool; undefined if it cannot be read. */
  held?: bigint | undefined;
}

/** The least wei that are worth a transaction. */
const LEAST = 10n ** 9n;
const [SUPPLY, ASSETS] = [100n * LEAST, 120n * LEAST];

/** A pool whose AVAX is all released. One ggAVAX is worth 1.2 AVAX. */
function protocolOf({
  redeem,
  balance = SUPPLY,
  ...pool
}: Chain): ProtocolState & { asked: [bigint, string | undefined][] } {
  const held = 'held' in pool ? pool.held : ASSETS;
  const asked: [bigint, string | undefined][] = [];
  const answer = (to: string, name: string, args: readonly bigint[], from: string | undefined) => {
    if (name === 'redeemAVAX') {
      asked.push([args[0] as bigint, from]);
      return redeem(args[0] as bigint, from);
    }
    if (name === 'balanceOf') return to === network.wavax ? held : balance;
    return { totalReleasedAssets: ASSETS, totalAssets: ASSETS, totalSupply: SUPPLY, stakingTotalAssets: 0n }[name];
  };
  const runner: Runner = {
    provider: null,
    async call({ to, data, from }) {
      const { name, args } = CALLS.parseTransaction({ data: String(data) }) ?? {};
      const answered = answer(String(to), String(name), [...(args ?? [])], from ? String(from) : undefined);
      if (typeof answered === 'bigint') return `0x${answered.toString(16).padStart(64, '0')}`;
      const unknown = { reason: null, invocation: null, revert: null, transaction: { to: String(to), data: '0x' } };
      throw makeError('execution reverted', 'CALL_EXCEPTION', { action: 'call', data: answered ?? '0x', ...unknown });
    },
  };
  return { runner, addresses, network, asked } as unknown as ReturnType<typeof protocolOf>;
}

const OPEN = [SHORT, ...['ZeroAssets', 'InsufficientLiquidity', 'InsufficientShares'].map((name) => error(name))];

test.each([
  ...OPEN.map((data) => [data, { open: true, liquid: ASSETS }] as const),
  [error('ERC20InsufficientBalance', [HOLDER, 0n, 1n]), { open: true, liquid: ASSETS }],
  [error('Error', ['ERC20: burn amount exceeds balance']), { open: true, liquid: ASSETS }],
  [1n, { open: true, liquid: ASSETS }],
  [SHORT, { open: true, liquid: LEAST }],
  [SHORT, { open: true, liquid: LEAST - 1n, refusal: 'NO_LIQUIDITY' }],
  [CLOSED, { open: false, liquid: ASSETS, refusal: 'CLOSED' }],
  [
    error('Error', [`AccessControl: account ${HOLDER} is missing role ${ROLE}`]),
    { open: false, liquid: ASSETS, refusal: 'CLOSED' },
  ],
  [error('ContractPaused'), { open: false, liquid: ASSETS, refusal: 'PAUSED' }],
  [error('EnforcedPause'), { open: false, liquid: ASSETS, refusal: 'PAUSED' }],
  [error('Error', ['Pausable: paused']), { open: false, liquid: ASSETS, refusal: 'PAUSED' }],
  [error('Panic', [0x12n]), { liquid: ASSETS }],
  [error('Error', ['ERC20: transfer to the zero address']), { liquid: ASSETS }],
  [error('Error', ['amount exceeds balance']), { liquid: ASSETS }],
  [error('SomethingElse'), { liquid: ASSETS }],
  ['0x', { liquid: ASSETS }],
])('of a pool that answers %s to Multicall3, %j is known', async (redeemed, expected) => {
  const state = protocolOf({ redeem: () => redeemed, held: expected.liquid });
  expect(await readPoolRedemption(state)).toEqual(expected);
  expect(state.asked).toEqual([[2n ** 128n, undefined]]);
});

/** Redeems everybody's shares, as versions 1 and 2 do: 1.2 AVAX for each, rounded down. */
const paying: Chain['redeem'] = (shares, from) => (from ? (shares * 120n) / 100n : SHORT);

test.each([
  ['nothing', { balance: 0n }, { open: true, shares: 0n, assets: 0n, refusal: 'NO_BALANCE' }],
  ['more than is liquid', { held: 60n * LEAST }, { open: true, shares: 50n * LEAST, assets: 60n * LEAST }],
  // The last wei of ggAVAX is worth 1.2 wei of AVAX, rounded down to 1.
  ['a wei more', { held: 60n * LEAST + 1n }, { open: true, shares: 50n * LEAST + 1n, assets: 60n * LEAST + 1n }],
  ['more than the last wei', { held: 1n }, { open: true, shares: 1n, assets: 1n, refusal: 'NO_LIQUIDITY' }],
])('a holder of %s', async (_, state, expected) => {
  expect(await readRedemption(protocolOf({ redeem: paying, ...state }), HOLDER)).toEqual(expected);
});

test.each([
  ['is closed', CLOSED, { open: false, shares: 0n, assets: 0n, refusal: 'CLOSED' }],
  ['is paused', error('ContractPaused'), { open: false, shares: 0n, assets: 0n, refusal: 'PAUSED' }],
  ['says something else', error('SomethingElse'), undefined],
  ['is short of something, though everything is liquid', SHORT, undefined],
])('where the way %s', async (_, redeemed, expected) => {
  expect(await readRedemption(protocolOf({ redeem: () => redeemed }), HOLDER)).toEqual(expected);
});

test.each([
  ['is open', SHORT, { open: true, shares: 0n, assets: 0n, refusal: 'NO_LIQUIDITY' }],
  ['is closed', CLOSED, { open: false, shares: 0n, assets: 0n, refusal: 'CLOSED' }],
  ['gives no reason', '0x', { open: undefined, shares: 0n, assets: 0n, refusal: 'NO_LIQUIDITY' }],
])('an empty pool whose way %s', async (_, redeemed, expected) => {
  expect(await readRedemption(protocolOf({ redeem: () => redeemed, held: 0n }), HOLDER)).toEqual(expected);
});

test('if the liquidity is unknown, all of the balance is tried', async () => {
  const state = protocolOf({ redeem: paying, held: undefined });
  expect(await readPoolRedemption(state)).toEqual({ open: true, liquid: undefined, refusal: undefined });
  expect(await readRedemption(state, HOLDER)).toEqual({ open: true, shares: SUPPLY, assets: ASSETS });
});
