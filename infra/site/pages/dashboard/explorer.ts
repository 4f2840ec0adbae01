import { createContext } from 'preact';

/** Links to Ava Labs' explorer of the C-Chain and the P-Chain. Networks without one, such as the devnet, have none. */

const HOSTS: Record<string, string> = {
  avalanche: 'https://subnets.avax.network',
  fuji: 'https://subnets-test.avax.network',
};

const PATHS = { address: 'c-chain/address', tx: 'c-chain/tx', pTx: 'p-chain/tx', node: 'validators' };

export type ExplorerLink = (kind: keyof typeof PATHS, id: string) => string;

/** Builds explorer links for the network that the service reads. */
export function explorerOf(network: string | undefined): ExplorerLink | undefined {
  const host = HOSTS[network ?? ''];
  return host === undefined ? undefined : (kind, id) => `${host}/${PATHS[kind]}/${id}`;
}

/** The explorer of the service's network, undefined until that is known. */
export const Explorer = createContext<ExplorerLink | undefined>(undefined);
