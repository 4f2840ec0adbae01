/**
 * The contracts that emit the protocol's events. It replaces its managers without an event, so every run reads the registry,
 * and a contract that was registered once is indexed from then on.
 */

import { ZeroAddress } from 'ethers';
import type { Chain } from '../chain/chain.ts';
import { contractsAround, type Network } from '../runtime/networks.ts';
import { type ContractName, EVENTS } from './event-abis.ts';
import type { Blocks } from './vote.ts';

/** The contracts by address (lower case). */
export type Emitters = ReadonlyMap<string, ContractName>;

const EMITTERS: ReadonlySet<string> = new Set(EVENTS.map(({ emitter }) => emitter));

/** The contracts that need no lookup: those that no registry holds, and those that have been replaced. */
export function knownEmitters(network: Network): Emitters {
  const known = { ...contractsAround(network), Timelock: network.timelock, ...network.former };
  const named = (Object.keys(known) as (keyof typeof known)[]).map((name) =>
    [known[name] ?? []].flat().map((address) => [address.toLowerCase(), name] as const),
  );
  return new Map(named.flat());
}

/**
 * Every contract that was registered at some block of a range: the registry's changes are bisected, all halves of one
 * depth in one request. It can only miss a contract that replaced another one and was replaced by it again between two
 * probes. `first` and `last` are the contracts at the ends. Throws UPSTREAM_UNAVAILABLE if no provider keeps the states.
 */
export async function findRegistered(
  chain: Chain,
  { from, to }: Blocks,
  first = readRegistry(chain, from),
  last = from === to ? first : readRegistry(chain, to),
): Promise<Emitters> {
  const [start, end] = await Promise.all([first, last]);
  if (to - from <= 1 || String([...start]) === String([...end])) return new Map([...start, ...end]);
  const middle = Math.floor((from + to) / 2);
  const between = readRegistry(chain, middle);
  const halves = await Promise.all([
    findRegistered(chain, { from, to: middle }, first, between),
    findRegistered(chain, { from: middle, to }, between, last),
  ]);
  return new Map(halves.flatMap((emitters) => [...emitters]));
}

/** The contracts that are registered after a block: none before the registry existed. */
async function readRegistry(chain: Chain, block: number): Promise<Emitters> {
  const { addresses } = await chain.at(block);
  const registered = Object.entries(addresses).filter(([, address]) => address !== ZeroAddress);
  const emitting = registered.filter(([name]) => EMITTERS.has(name));
  return new Map(emitting.map(([name, address]) => [address.toLowerCase(), name as ContractName]));
}
