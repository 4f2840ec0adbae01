/**
 * Redemption of ggAVAX without the withdrawal queue. Versions of TokenggAVAX allow different accounts to redeem, and the
 * source of the live version is not published. So `redeemAVAX` is simulated, and nothing is inferred from a version.
 */

import { isError, ZeroAddress } from 'ethers';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt, ifAnswered } from '../chain/contract.ts';
import { MIN_SHARES, sharesWithin } from '../rewards/gg-avax-shares.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { min } from '../values/wad.ts';
import { readTotals } from './gg-avax.ts';

/** Views, and the errors with which versions of TokenggAVAX and their libraries revert. */
const REDEMPTION_ABI = [
  'function redeemAVAX(uint256 shares) returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function totalReleasedAssets() view returns (uint256)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 role)',
  'error ContractPaused()',
  'error EnforcedPause()',
  'error ZeroAssets()',
  'error InsufficientLiquidity()',
  'error InsufficientShares()',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
] as const;
/** Panic code of an arithmetic overflow: a subtraction below 0. */
const ARITHMETIC = 0x11;
/** An amount of ggAVAX wei above any possible balance. Its product with all AVAX stays below 2^256. */
const MORE_THAN_ALL = 2n ** 128n;

/** CLOSED: only some accounts may redeem. PAUSED: no account may for now. SHORT: the caller or the pool has too little. */
type Outcome = 'CLOSED' | 'PAUSED' | 'SHORT' | 'UNKNOWN' | { assets: bigint };

const MEANINGS: Readonly<Record<string, Outcome>> = {
  AccessControlUnauthorizedAccount: 'CLOSED',
  ContractPaused: 'PAUSED',
  EnforcedPause: 'PAUSED',
  ZeroAssets: 'SHORT',
  InsufficientLiquidity: 'SHORT',
  InsufficientShares: 'SHORT',
  ERC20InsufficientBalance: 'SHORT',
};

export const REDEMPTION_REFUSALS = {
  CLOSED: 'Its contract lets only certain accounts redeem, such as the withdrawal queue.',
  PAUSED: 'Its contract is paused, which stops redemptions.',
  NO_LIQUIDITY: 'The pool has no AVAX, or next to none: it is staked.',
  NO_BALANCE: 'The address has none.',
} as const;

export type RedemptionRefusal = keyof typeof REDEMPTION_REFUSALS;

export interface PoolRedemption {
  /** True if every holder of ggAVAX may redeem it; undefined if the chain's answer is not understood. */
  open?: boolean | undefined;
  /** AVAX wei that the pool could pay to accounts that may redeem. */
  liquid?: bigint | undefined;
  refusal?: RedemptionRefusal | undefined;
}

export interface Redemption extends Pick<PoolRedemption, 'refusal'> {
  /** True if the address may redeem at all; undefined if only liquidity is known to be missing. */
  open?: boolean | undefined;
  /** ggAVAX wei: the most that can be redeemed at once. */
  shares: bigint;
  /** AVAX wei that the shares pay. */
  assets: bigint;
}

/**
 * Simulates a redemption by Multicall3, which has no role, of more than it can have: if redemption is open to all, that
 * fails for lack of shares or assets, otherwise for lack of a role. 1 wei would not do: anyone may have sent it there.
 */
export async function readPoolRedemption(state: ProtocolState): Promise<PoolRedemption> {
  const { runner, addresses } = state;
  const [outcome, liquid] = await Promise.all([
    readOutcome(contractAt(addresses.TokenggAVAX, REDEMPTION_ABI, runner).redeemAVAX.staticCall(MORE_THAN_ALL)),
    readLiquidity(state),
  ]);
  if (outcome === 'CLOSED' || outcome === 'PAUSED') return { open: false, liquid, refusal: outcome };
  // Anyone can send a few wei to the pool: they are not worth a transaction.
  const refusal = liquid !== undefined && liquid < MIN_SHARES ? 'NO_LIQUIDITY' : undefined;
  return { open: outcome !== 'UNKNOWN' || undefined, liquid, refusal };
}

/** AVAX wei that redemptions can take out: `redeemAVAX` requires as much WAVAX, and as much in `totalReleasedAssets`. */
async function readLiquidity({ runner, addresses, network }: ProtocolState): Promise<bigint | undefined> {
  const [released, held] = await Promise.all([
    ifAnswered(contractAt(addresses.TokenggAVAX, REDEMPTION_ABI, runner).totalReleasedAssets()),
    ifAnswered(contractAt(network.wavax, REDEMPTION_ABI, runner).balanceOf(addresses.TokenggAVAX)),
  ]);
  return ifKnown(min, released, held);
}

/**
 * The largest redemption that succeeds for `holder` at the state's block, and the exact amount that it pays. Undefined if
 * the chain's answer is not understood, or the provider does not simulate calls of other senders. Throws if there is no
 * pool at that block, or the provider cannot be reached.
 */
export async function readRedemption(state: ProtocolState, holder: string): Promise<Redemption | undefined> {
  // The zero address cannot send transactions.
  if (holder === ZeroAddress) return undefined;
  const token = contractAt(state.addresses.TokenggAVAX, REDEMPTION_ABI, state.runner);
  const [pool, balance, totals] = await Promise.all([
    readPoolRedemption(state),
    token.balanceOf(holder),
    readTotals(state),
  ]);
  if (balance === 0n) return { open: pool.open, shares: 0n, assets: 0n, refusal: pool.refusal ?? 'NO_BALANCE' };
  const shares = min(balance, ifKnown(sharesWithin, pool.liquid, totals) ?? balance);
  const outcome = await readOutcome(token.redeemAVAX.staticCall(shares || balance, { from: holder }));
  const nothing = { shares: 0n, assets: 0n };
  if (outcome === 'CLOSED' || outcome === 'PAUSED') return { open: false, ...nothing, refusal: outcome };
  if (shares === 0n) return { open: outcome === 'UNKNOWN' ? undefined : true, ...nothing, refusal: 'NO_LIQUIDITY' };
  if (typeof outcome !== 'object') return undefined;
  return { open: true, shares, assets: outcome.assets, refusal: pool.open === false ? undefined : pool.refusal };
}

async function readOutcome(redemption: Promise<bigint>): Promise<Outcome> {
  try {
    return { assets: await redemption };
  } catch (error) {
    const revert = isError(error, 'CALL_EXCEPTION') ? error.revert : undefined;
    if (revert?.name === 'Panic') return revert.args[0] === ARITHMETIC ? 'SHORT' : 'UNKNOWN';
    return revert?.name === 'Error'
      ? meaningOfText(String(revert.args[0]))
      : (MEANINGS[revert?.name ?? ''] ?? 'UNKNOWN');
  }
}

/** Maps the error texts of OpenZeppelin's contracts before version 5 to outcomes. */
function meaningOfText(text: string): Outcome {
  if (text.startsWith('AccessControl: ')) return 'CLOSED';
  if (text.startsWith('Pausable: ')) return 'PAUSED';
  return text.startsWith('ERC20: ') && text.endsWith('exceeds balance') ? 'SHORT' : 'UNKNOWN';
}
