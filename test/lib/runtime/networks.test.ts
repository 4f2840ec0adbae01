import { expect, test } from '@jest/globals';
import { getAddress } from 'ethers';
import { createLabels } from '../../../lib/runtime/labels.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';

const textsIn = (value: unknown): string[] =>
  typeof value === 'object' ? Object.values(value as object).flatMap(textsIn) : [String(value)];

test.each(Object.values(NETWORKS))('$name: each address is one, with its checksum, and has one role', (network) => {
  const { name, chainId, explorer, firstBlock, heliconTime, ...others } = network;
  const { rpcUrls, pChainUrls, dataApiUrl, dataApiNetwork, ...contracts } = others;
  expect(NETWORKS[name]).toBe(network);
  const addresses = textsIn(contracts);
  expect(addresses.map((address) => getAddress(address.toLowerCase()))).toEqual(addresses);
  expect(new Set(addresses).size).toBe(addresses.length);
  const urls = [...rpcUrls, ...pChainUrls, dataApiUrl, explorer ?? []].flat();
  // Those of the devnet are known only when it runs.
  expect(urls.filter((url) => url.startsWith('https://'))).toHaveLength(name === 'devnet' ? 0 : urls.length);
  expect([rpcUrls.length > 1, pChainUrls.length > 0, urls.some(Boolean)]).toEqual(Array(3).fill(name !== 'devnet'));
  expect(dataApiNetwork).toBe(name === 'fuji' ? 'fuji' : 'mainnet');
});

test('a label is found by its address in lower case, on the network that it belongs to', () => {
  const [mainnet, fuji] = [NETWORKS.avalanche, NETWORKS.fuji].map(createLabels);
  expect(mainnet?.get('0xba1333333333a1ba1108e8412f11850a5c319ba9')).toBe('Balancer vault');
  expect(mainnet?.get('0xd7c8f6a6b4f2389464aaabdf57bd864f9dcbd07b')).toBe('Locked tokens');
  expect(mainnet?.get('0x61f908d4992a790a2792d3c36850b4b9eb5849a3')).toBe('Withdrawal queue');
  expect([...(mainnet ?? [])].filter(([address, label]) => !/^0x[\da-f]{40}$/.test(address) || !label)).toEqual([]);
  expect([mainnet?.size, [...(fuji ?? [])]]).toEqual([
    13,
    [['0x2978377d8714975985353673cfa32543fe48c903', 'Withdrawal queue']],
  ]);
});
