import type { Network } from './networks.ts';

/** Contracts that hold ggAVAX for many people, whose shares `/accounts` does not show. Sources: each project's docs, as of 2026-03. */
const ON_MAINNET: Readonly<Record<string, string>> = {
  // Its vault for ggAVAX, and the market that it lends to. https://app.morpho.org
  '0x10f547614327D67d2F19A3d04c49550E4D07AD04': 'Hypha vault on Morpho',
  '0x895383274303AA19fe978AFB4Ac55C7f094f982C': 'Morpho',
  // https://silodocs2.netlify.app
  '0xf6F23b56E327f9537621046C1a365A51ED2a0d30': 'Silo',
  // https://docs.xapp.folks.finance
  '0xAdA5Be2A259096fd11D00c2b5c1181843eD008DC': 'Folks Finance pool',
  // The vault of all its pools. https://docs.balancer.fi
  '0xbA1333333333a1BA1108E8412f11850A5C319bA9': 'Balancer vault',
  // Pools in which ggAVAX was traded, by the exchanges' lists.
  '0x1b4d11Ab4658744714D1a6d6633247EFBD816BE5': 'Blackhole pool with AVAX',
  '0xa5d9a1d2270ca094891b623dedc027464Ba1BaCa': 'Pharaoh pool with sAVAX',
  '0x8a7c698Fb74e2817101f69c2f4a5Caca57617b48': 'Pharaoh pool',
  '0xDB8FA07481cab965F563b92a507dbC9e75A3D1e3': 'Pharaoh pool',
  '0xBbA43749efC1bC29eA434d88ebaf8A97DC7aEB77': 'Wombat pool',
};

/** By address (lower case). */
export function createLabels({ name, withdrawQueue, pstAvax, assetLocker }: Network): ReadonlyMap<string, string> {
  const own = { [withdrawQueue]: 'Withdrawal queue', [pstAvax ?? '']: 'pstAVAX', [assetLocker ?? '']: 'Locked tokens' };
  const all = Object.entries({ ...own, ...(name === 'avalanche' && ON_MAINNET) });
  return new Map(all.filter(([address]) => address).map(([address, label]) => [address.toLowerCase(), label]));
}
