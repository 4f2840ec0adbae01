/** The next rewards cycle, projected from the settings as `RewardsPool.startRewardsCycle` would compute it. */

import type { ChainAt } from './chain.ts';
import { smaller, WAD } from './figure.ts';

/** The contracts that get GGP of each rewards cycle. */
export const CLAIMANTS = ['ClaimNodeOp', 'ClaimProtocolDAO', 'MultisigManager'];

export interface NextCycle {
  number: number;
  /** Unix seconds, like `startsAt`. */
  seconds: number;
  startsAt: number;
  overdueSeconds: number;
  /** Time since the current cycle began. */
  paysForSeconds: number;
  /** GGP wei, in total and by claimant. */
  minted: bigint;
  parts: Record<string, bigint>;
}

/** The fraction (1e18 = 100 %) of a cycle's GGP that each claimant gets. */
export async function partsAt({ read }: ChainAt): Promise<Record<string, bigint | undefined>> {
  const parts = CLAIMANTS.map(async (name) => [name, await read('ProtocolDAO', 'getClaimingContractPct', name)]);
  return Object.fromEntries(await Promise.all(parts));
}

/** The next cycle if it starts at its earliest time from `now` on. Undefined if the contract could not start it. */
export async function nextCycleAt(chain: ChainAt, now: number): Promise<NextCycle | undefined> {
  const pool = (view: string): Promise<bigint | undefined> => chain.read('RewardsPool', view);
  const dao = (view: string): Promise<bigint | undefined> => chain.read('ProtocolDAO', view);
  const token = (view: string): Promise<bigint | undefined> => chain.read('TokenGGP', view);
  const [count, start, interval, supply, most] = await Promise.all([
    pool('getRewardsCycleCount'),
    pool('getRewardsCycleStartTime'),
    pool('getInflationIntervalStartTime'),
    token('totalSupply'),
    token('MAX_SUPPLY'),
  ]);
  const [seconds, intervalSeconds, rate] = await Promise.all([
    dao('getRewardsCycleSeconds'),
    dao('getInflationIntervalSeconds'),
    dao('getInflationIntervalRate'),
  ]);
  if (count === undefined || start === undefined || seconds === undefined) return undefined;
  if (supply === undefined || most === undefined) return undefined;
  if (!interval || !intervalSeconds || rate === undefined || rate < WAD) return undefined;
  const due = Number(start + seconds);
  const startsAt = Math.max(now, due);
  let grown = supply;
  for (let left = (BigInt(startsAt) - interval) / intervalSeconds; left > 0n && grown < most; left--)
    grown = (grown * rate) / WAD;
  const minted = smaller(grown, most) - supply;
  const parts: Record<string, bigint> = {};
  for (const [name, fraction] of Object.entries(await partsAt(chain))) {
    if (fraction === undefined) return undefined;
    parts[name] = (minted * fraction) / WAD;
  }
  const promised = Object.values(parts).reduce((sum, part) => sum + part, 0n);
  if (promised > minted) return undefined;
  return {
    number: Number(count) + 1,
    seconds: Number(seconds),
    startsAt,
    overdueSeconds: startsAt - due,
    paysForSeconds: startsAt - Number(start),
    minted,
    parts,
  };
}
