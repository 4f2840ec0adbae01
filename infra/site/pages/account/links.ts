/** The places that identifiers link to. They differ between the dashboard and the archive's pages. */

import { createContext } from 'preact';
import { NETWORKS, type NetworkName } from '../../../../lib/runtime/networks.ts';

export interface Links {
  /** Undefined if there is no page of the address. */
  address: (address: string) => string | undefined;
  node: (nodeID: string) => string;
  /** A block explorer's page of a transaction; undefined on networks without an explorer. */
  explorer?: ((hash: string) => string) | undefined;
  /** The names of known contracts, by their addresses. */
  names: ReadonlyMap<string, string>;
  /** The view to ask before a call is sent; on pages that do not change. */
  viewOf?: (call: { function: string; arguments: readonly string[] }) => string | undefined;
  /** True if a script handles buttons with `data-copy`. */
  canCopy: boolean;
}

/** By default, the views of the dashboard. */
export const Links = createContext<Links>({
  address: (address) => `?address=${address}`,
  node: (nodeID) => `?node=${nodeID}`,
  names: new Map(),
  canCopy: false,
});

/** Links to transactions. The devnet has no explorer. */
export function explorerOf(network: string | undefined): Links['explorer'] {
  const { explorer } = NETWORKS[network as NetworkName] ?? {};
  return explorer ? (hash) => `${explorer}/tx/${hash}` : undefined;
}

/** Names for people, by the API's. Others, such as the factories of exchanges, keep the API's. */
const NAMES: Record<string, string> = {
  AssetLocker: 'Locked tokens',
  ClaimNodeOp: 'Operator rewards',
  MinipoolManager: 'Minipool manager',
  ProtocolDAO: 'Protocol DAO',
  RewardsPool: 'Rewards pool',
  Staking: 'GGP staking',
  TokenGGP: 'GGP token',
  TokenggAVAX: 'ggAVAX pool',
  TokenpstAVAX: 'pstAVAX',
  WithdrawQueue: 'Withdrawal queue',
};

/** Both names of a contract. */
export function titleOf(name: string): string {
  return NAMES[name] ? `${NAMES[name]} (${name})` : name;
}

export function namesOf(contracts: readonly { name: string; address: string }[] = []): ReadonlyMap<string, string> {
  return new Map(contracts.map(({ name, address }) => [address, NAMES[name] ?? name]));
}
