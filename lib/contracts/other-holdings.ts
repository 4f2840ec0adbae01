import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { Contract } from '../chain/contract.ts';

/** Contracts around the protocol in which people have funds. Their amounts are parts of totals that are counted elsewhere. */

/** A token whose balance is worth what the views say: pstAVAX is worth one AVAX, xGGP is an ERC-4626 vault of GGP. */
export const HOLDING_ABI = [
  'function balanceOf(address owner) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
] as const;

export const ASSET_LOCKER_ABI = [
  'function getUserLock(address user, address token) view returns (uint256 amount, uint256 unlockTime)',
] as const;

/** The tokens that the AssetLocker takes. */
export const LOCKABLE = ['TokenGGP', 'TokenggAVAX'] as const;

export interface Lock {
  token: (typeof LOCKABLE)[number];
  /** Wei of the token. */
  amount: bigint;
  /** From then on it can be withdrawn, unix seconds. */
  unlockTime: number;
}

export interface XGgp {
  /** Wei. */
  shares: bigint;
  /** GGP wei that they are worth. */
  ggp: bigint;
}

/** pstAVAX wei of an address; undefined where there is no such token. */
export async function readPstAvax({ runner, network }: ProtocolState, owner: string): Promise<bigint | undefined> {
  const { pstAvax } = network;
  return pstAvax ? ifAnswered(new Contract(pstAvax, HOLDING_ABI, runner).balanceOf(owner)) : undefined;
}

/** The vault's shares of an address; undefined where there is no vault. Their worth takes a second call, if there are any. */
export async function readXGgp({ runner, network }: ProtocolState, owner: string): Promise<XGgp | undefined> {
  const { xGgp } = network;
  if (!xGgp) return undefined;
  const vault = new Contract(xGgp, HOLDING_ABI, runner);
  const shares = await ifAnswered(vault.balanceOf(owner));
  const ggp = shares ? await ifAnswered(vault.convertToAssets(shares)) : shares;
  return shares === undefined || ggp === undefined ? undefined : { shares, ggp };
}

/** What an address has locked, without empty locks; undefined where there is no AssetLocker. */
export async function readLocks(state: ProtocolState, owner: string): Promise<Lock[] | undefined> {
  const { runner, network, addresses } = state;
  const { assetLocker } = network;
  if (!assetLocker) return undefined;
  const locker = new Contract(assetLocker, ASSET_LOCKER_ABI, runner);
  const locks = await Promise.all(
    LOCKABLE.map(async (token) => {
      const lock = await ifAnswered(locker.getUserLock(owner, addresses[token]));
      return lock && { token, amount: lock[0], unlockTime: Number(lock[1]) };
    }),
  );
  return locks.every((lock) => lock !== undefined) ? locks.filter(({ amount }) => amount > 0n) : undefined;
}
