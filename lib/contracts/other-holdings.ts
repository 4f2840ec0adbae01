/** Contracts around the protocol in which people have funds. Their amounts are parts of totals counted elsewhere. */

import type { ProtocolState } from '../chain/chain.ts';
import { answered, contractAt, ifAnswered } from '../chain/contract.ts';
import { allKnown } from '../runtime/if-known.ts';
import { LAST_TIME } from '../values/iso-time.ts';

const PST_AVAX_ABI = ['function balanceOf(address owner) view returns (uint256)'] as const;

/**
 * xGGP, a vault of GGP, and xAVAX, a vault of WAVAX (ERC-4626). Most of their assets are staked; the rest limits
 * withdrawals.
 */
const VAULT_ABI = [
  'function balanceOf(address owner) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function maxWithdraw(address owner) view returns (uint256)',
  'function maxRedeem(address owner) view returns (uint256)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
] as const;

const ASSET_LOCKER_ABI = [
  'function getUserLock(address user, address token) view returns (uint256 amount, uint256 unlockTime)',
  'function getWithdrawDate() view returns (uint256)',
] as const;

export const TOKENS = ['AVAX', 'WAVAX', 'ggAVAX', 'pstAVAX', 'xAVAX', 'GGP', 'xGGP'] as const;

export type TokenName = (typeof TOKENS)[number];

export type Lock = NonNullable<Awaited<ReturnType<typeof readLocks>>>[number];

/** The pstAVAX wei of an address. Undefined if the network has no such token, or it does not answer. */
export async function readPstAvax({ runner, network }: ProtocolState, owner: string): Promise<bigint | undefined> {
  const { pstAvax } = network;
  return pstAvax ? ifAnswered(contractAt(pstAvax, PST_AVAX_ABI, runner).balanceOf(owner)) : undefined;
}

export type VaultShares = NonNullable<Awaited<ReturnType<typeof readVaultShares>>>;

/**
 * The vault shares of an address, and amounts of the vault's asset, AVAX or GGP, in wei: `assets` is the value of the shares,
 * and `redeemed` what `redeem` pays for `maxRedeem` shares. Undefined if there is no vault, or it does not answer.
 */
export async function readVaultShares({ runner }: ProtocolState, address: string | undefined, owner: string) {
  if (!address) return undefined;
  const vault = contractAt(address, VAULT_ABI, runner);
  const [shares, maxWithdraw, maxRedeem] = await Promise.all([
    ifAnswered(vault.balanceOf(owner)),
    ifAnswered(vault.maxWithdraw(owner)),
    ifAnswered(vault.maxRedeem(owner)),
  ]);
  if (shares === 0n) return { shares, assets: 0n, maxWithdraw: 0n, maxRedeem: 0n, redeemed: 0n };
  if (shares === undefined || maxWithdraw === undefined || maxRedeem === undefined) return undefined;
  const reads = { assets: vault.convertToAssets(shares), redeemed: vault.previewRedeem(maxRedeem) };
  const { assets, redeemed } = await answered(reads);
  return allKnown({ shares, assets, maxWithdraw, maxRedeem, redeemed });
}

/**
 * The locks of an address, without empty locks; amounts in wei. Each is identified by its token's `address`: locks of the same
 * token are merged. Undefined if there is no AssetLocker, or it does not answer all calls.
 */
export async function readLocks(state: ProtocolState, owner: string) {
  const { runner, network } = state;
  if (!network.assetLocker) return undefined;
  const locker = contractAt(network.assetLocker, ASSET_LOCKER_ABI, runner);
  const [date, ...found] = await Promise.all([
    ifAnswered(locker.getWithdrawDate()),
    ...lockable(state).map(async ({ token, address, vault }) => {
      const lock = await ifAnswered(locker.getUserLock(owner, address));
      if (!lock) return undefined;
      const [amount, unlockTime] = lock;
      // Value of a vault's shares in its asset, if the vault answers.
      const assets = vault && amount > 0n ? await ifAnswered(vault.convertToAssets(amount)) : amount;
      return { token, address, amount, assets, unlockTime };
    }),
  ]);
  const locks = found.filter((lock) => lock !== undefined);
  if (date === undefined || locks.length < found.length) return undefined;
  return locks
    .filter(({ amount }) => amount > 0n)
    .map(({ unlockTime, ...lock }) => {
      const until = Math.max(Number(unlockTime), Number(date));
      // The earliest withdrawal, unix seconds; undefined for never.
      return { ...lock, until: until <= LAST_TIME ? until : undefined };
    });
}

/**
 * Tokens that may be locked. The AssetLocker has no view that lists the accepted tokens, only `isTokenAllowed(token)`. Its
 * admin adds tokens with `AllowedTokenAdded`; the ledger does not record that event. So locks of any other token are not
 * found. Source: `AssetLocker` of the published contracts (docs/events.md).
 */
function lockable({ runner, addresses, network }: ProtocolState) {
  const { TokenGGP: GGP, TokenggAVAX: ggAVAX } = addresses;
  const { pstAvax: pstAVAX, wavax: WAVAX, xGgp: xGGP, xAvax: xAVAX } = network;
  const tokens = Object.entries({ GGP, ggAVAX, pstAVAX, WAVAX, xGGP, xAVAX }) as [TokenName, string | undefined][];
  return tokens.flatMap(([token, address]) => {
    const isVault = token === 'xGGP' || token === 'xAVAX';
    return address ? { token, address, vault: isVault && contractAt(address, VAULT_ABI, runner) } : [];
  });
}
