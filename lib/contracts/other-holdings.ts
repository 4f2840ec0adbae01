/** Contracts around the protocol in which people have funds. Their amounts are parts of totals that are counted elsewhere. */

import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { Contract } from '../chain/contract.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { LAST_TIME } from '../values/iso-time.ts';

const PST_AVAX_ABI = [
  'function balanceOf(address owner) view returns (uint256)',
  'function getExcessShares() view returns (uint256 feeShares, uint256 burnShares)',
] as const;

/** xGGP, a vault of GGP, and xAVAX, one of WAVAX (ERC-4626): most of it is staked, and what is there bounds what can be had. */
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

/** The tokens around the protocol, by what they are worth. */
export const TOKENS = ['AVAX', 'WAVAX', 'ggAVAX', 'pstAVAX', 'xAVAX', 'GGP', 'xGGP'] as const;

export type TokenName = (typeof TOKENS)[number];

export interface Lock {
  token: TokenName;
  /** The token's address, which identifies the lock: those of one token are merged. */
  address: string;
  /** Wei of the token. */
  amount: bigint;
  /** What the shares of a vault are worth in its asset, and else the amount; undefined if the vault does not say. */
  assets: bigint | undefined;
  /** From then on it can be withdrawn, unix seconds: the later of its own time and the locker's date for everybody; undefined for never. */
  until: number | undefined;
}

export interface PstAvax {
  /** Wei. */
  balance: bigint;
  /** ggAVAX wei that are burned, for the benefit of all, before anything is withdrawn; undefined if it does not say. */
  burnShares: bigint | undefined;
}

/** Shares of a vault, in wei, and AVAX or GGP wei. */
export interface VaultShares {
  shares: bigint;
  /** What they are worth. */
  assets: bigint;
  /** The most that `withdraw` pays now. */
  maxWithdraw: bigint;
  /** The most shares that `redeem` takes now, and what it pays for them. */
  maxRedeem: bigint;
  redeemed: bigint;
}

/** The pstAVAX of an address; undefined where there is no such token. */
export async function readPstAvax({ runner, network }: ProtocolState, owner: string): Promise<PstAvax | undefined> {
  if (!network.pstAvax) return undefined;
  const token = new Contract(network.pstAvax, PST_AVAX_ABI, runner);
  const [balance, excess] = await Promise.all([
    ifAnswered(token.balanceOf(owner)),
    ifAnswered(token.getExcessShares()),
  ]);
  return balance === undefined ? undefined : { balance, burnShares: excess?.[1] };
}

/** A vault's shares of an address; undefined where there is no vault. What they are worth takes second calls, if there are any. */
export async function readVaultShares(
  { runner }: ProtocolState,
  address: string | undefined,
  owner: string,
): Promise<VaultShares | undefined> {
  if (!address) return undefined;
  const vault = new Contract(address, VAULT_ABI, runner);
  const [shares, maxWithdraw, maxRedeem] = await Promise.all([
    ifAnswered(vault.balanceOf(owner)),
    ifAnswered(vault.maxWithdraw(owner)),
    ifAnswered(vault.maxRedeem(owner)),
  ]);
  if (shares === 0n) return { shares, assets: 0n, maxWithdraw: 0n, maxRedeem: 0n, redeemed: 0n };
  if (shares === undefined || maxWithdraw === undefined || maxRedeem === undefined) return undefined;
  const [assets, redeemed] = await Promise.all([
    ifAnswered(vault.convertToAssets(shares)),
    ifAnswered(vault.previewRedeem(maxRedeem)),
  ]);
  return ifKnown(
    (worth, paid) => ({ shares, assets: worth, maxWithdraw, maxRedeem, redeemed: paid }),
    assets,
    redeemed,
  );
}

/** What an address has locked, without empty locks; undefined where there is no AssetLocker. */
export async function readLocks(state: ProtocolState, owner: string): Promise<Lock[] | undefined> {
  const { runner, network } = state;
  if (!network.assetLocker) return undefined;
  const locker = new Contract(network.assetLocker, ASSET_LOCKER_ABI, runner);
  const [date, ...found] = await Promise.all([
    ifAnswered(locker.getWithdrawDate()),
    ...lockable(state).map(async ({ token, address, vault }) => {
      const lock = await ifAnswered(locker.getUserLock(owner, address));
      if (!lock) return undefined;
      const [amount, unlockTime] = lock;
      const assets = vault && amount > 0n ? await ifAnswered(vault.convertToAssets(amount)) : amount;
      return { token, address, amount, assets, unlockTime };
    }),
  ]);
  const locks = found.filter((lock) => lock !== undefined);
  if (date === undefined || locks.length < found.length) return undefined;
  return locks
    .filter(({ amount }) => amount > 0n)
    .map(({ unlockTime, ...lock }) => ({ ...lock, until: dateOf(Math.max(Number(unlockTime), Number(date))) }));
}

function dateOf(seconds: number): number | undefined {
  return seconds <= LAST_TIME ? seconds : undefined;
}

/**
 * Tokens that may be locked. The AssetLocker has no view that lists what it accepts, only `isTokenAllowed(token)`; its admin
 * adds tokens with `AllowedTokenAdded`, which the ledger does not record. So locks of any other token are not seen.
 * Source: `AssetLocker` of the published contracts (docs/events.md).
 */
function lockable({ runner, addresses, network }: ProtocolState) {
  const { pstAvax, xGgp, xAvax, wavax } = network;
  const tokens: [TokenName, string | undefined, boolean][] = [
    ['GGP', addresses.TokenGGP, false],
    ['ggAVAX', addresses.TokenggAVAX, false],
    ['pstAVAX', pstAvax, false],
    ['WAVAX', wavax, false],
    ['xGGP', xGgp, true],
    ['xAVAX', xAvax, true],
  ];
  return tokens.flatMap(([token, address, isVault]) =>
    address ? [{ token, address, vault: isVault && new Contract(address, VAULT_ABI, runner) }] : [],
  );
}
