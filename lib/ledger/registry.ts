/**
 * The contracts that emit the protocol's events. The protocol replaces its managers without an event. So every run also
 * reads the registry, and a contract that was registered once is indexed from then on.
 */

import { ZeroAddress } from 'ethers';
import type { Chain } from '../chain/chain.ts';
import { contractsAround, type Network } from '../runtime/networks.ts';
import type { ContractName } from './event-abis.ts';
import type { Blocks } from './vote.ts';

/** The contracts by address (lower case). */
export type Emitters = ReadonlyMap<string, ContractName>;

const REGISTERED = [
  'ClaimNodeOp',
  'MinipoolManager',
  'Oracle',
  'RewardsPool',
  'Staking',
  'TokenggAVAX',
  'Vault',
] as const;

/** The contracts that need no lookup: those that no registry holds, and those that have been replaced. */
export function knownEmitters(network: Network): Emitters {
  const known: { [Name in ContractName]?: string | undefined | readonly string[] } = {
    ...contractsAround(network),
    Timelock: network.timelock,
    ...network.former,
  };
  const named = Object.entries(known) as [ContractName, string | undefined | readonly string[]][];
  return new Map(
    named.flatMap(([name, addresses = []]) =>
      [addresses].flat().map((address) => [address.toLowerCase(), name] as const),
    ),
  );
}

/**
 * Every contract that was registered at some block of a range: the registry's changes are bisected, all halves of one
 * depth in one request. It can only miss a contract that replaced another one and was replaced by it again between two
 * probes. Throws UPSTREAM_UNAVAILABLE if no provider keeps the states.
 */
export async function findRegistered(chain: Chain, blocks: Blocks): Promise<Emitters> {
  const [first, last] = await Promise.all([readRegistry(chain, blocks.from), readRegistry(chain, blocks.to)]);
  const found = new Map([...first, ...last]);
  let spans = [{ ...blocks, first, last }];
  for (;;) {
    spans = spans.filter(({ from, to, first, last }) => to - from > 1 && `${toTexts(first)}` !== `${toTexts(last)}`);
    if (spans.length === 0) return found;
    const halves = spans.map(async (span) => {
      const middle = Math.floor((span.from + span.to) / 2);
      const registry = await readRegistry(chain, middle);
      for (const [address, emitter] of registry) found.set(address, emitter);
      return [
        { ...span, to: middle, last: registry },
        { ...span, from: middle, first: registry },
      ];
    });
    spans = (await Promise.all(halves)).flat();
  }
}

/** The contracts that are registered after a block: none before the registry existed. */
async function readRegistry(chain: Chain, block: number): Promise<Emitters> {
  const { addresses } = await chain.at(block);
  const registered = REGISTERED.map((name) => [addresses[name].toLowerCase(), name] as const);
  return new Map(registered.filter(([address]) => address !== ZeroAddress));
}

/** Formats contracts for the table: `<name>#<address>`. */
export function toTexts(emitters: Emitters): string[] {
  return [...emitters].map(([address, name]) => `${name}#${address}`);
}

/** Parses contracts that {@link toTexts} formatted. */
export function fromTexts(texts: readonly string[]): Emitters {
  return new Map(texts.map((text) => text.split('#').reverse() as [string, ContractName]));
}
