/** The places that identifiers link to. They differ between the dashboard and the archive's pages. */

import { createContext } from 'preact';

export interface Links {
  address: (address: string) => string;
  node: (nodeID: string) => string;
  /** A block explorer's page of a transaction or a contract; undefined on networks without an explorer. */
  explorer?: ((id: string) => string) | undefined;
  /** The names of known contracts, by their addresses. */
  names: ReadonlyMap<string, string>;
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

const SNOWTRACE: Record<string, string> = {
  avalanche: 'https://snowtrace.io',
  fuji: 'https://testnet.snowtrace.io',
};
const TRANSACTION_HASH = /^0x[0-9a-f]{64}$/i;

/** Links to Snowtrace, which also sends transactions to contracts. Other networks, such as the devnet, have no explorer. */
export function explorerOf(network: string | undefined): Links['explorer'] {
  const host = SNOWTRACE[network ?? ''];
  if (host === undefined) return undefined;
  return (id) => `${host}/${TRANSACTION_HASH.test(id) ? 'tx' : 'address'}/${id}`;
}

/** Names for people, by the API's. Others, such as the factories of exchanges, keep the API's. */
const NAMES: Record<string, string> = {
  ClaimNodeOp: 'Operator rewards',
  MinipoolManager: 'Minipool manager',
  ProtocolDAO: 'Protocol DAO',
  RewardsPool: 'Rewards pool',
  Staking: 'GGP staking',
  TokenGGP: 'GGP token',
  TokenggAVAX: 'ggAVAX pool',
  WithdrawQueue: 'Withdrawal queue',
};

export function namesOf(contracts: readonly { name: string; address: string }[] = []): ReadonlyMap<string, string> {
  return new Map(contracts.map(({ name, address }) => [address, NAMES[name] ?? name]));
}
