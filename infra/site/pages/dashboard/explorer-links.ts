/**
 * Links to Ava Labs' explorer of the C-Chain and the P-Chain and, for sending transactions to contracts, to Snowtrace.
 * Networks without an explorer, such as the devnet, have none.
 */

const NETWORKS: Record<string, { host: string; snowtrace: string; chainId: number }> = {
  avalanche: { host: 'https://subnets.avax.network', snowtrace: 'https://snowtrace.io', chainId: 43_114 },
  fuji: { host: 'https://subnets-test.avax.network', snowtrace: 'https://testnet.snowtrace.io', chainId: 43_113 },
};

const PATHS = { address: 'c-chain/address', tx: 'c-chain/tx', pTx: 'p-chain/tx', node: 'validators' };

/** With `write`, to the form that sends transactions to a contract. */
export type ExplorerLink = (kind: keyof typeof PATHS | 'write', id: string) => string;

/** Builds explorer links for the network that the service reads. */
export function explorerOf(network: string | undefined): ExplorerLink | undefined {
  const known = NETWORKS[network ?? ''];
  if (!known) return undefined;
  const { host, snowtrace, chainId } = known;
  return (kind, id) =>
    kind === 'write'
      ? `${snowtrace}/address/${id}/contract/${chainId}/writeContract?chainid=${chainId}`
      : `${host}/${PATHS[kind]}/${id}`;
}
