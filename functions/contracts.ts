import { getAddress, ZeroAddress } from 'ethers';
import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { address, blockRef, integer, model, text } from '../lib/api/schemas.ts';
import { chainOf } from '../lib/chain/chain.ts';
import { readAddresses } from '../lib/chain/storage.ts';
import { EXCHANGES } from '../lib/prices/exchanges.ts';
import type { Network } from '../lib/runtime/networks.ts';

const response = () =>
  z.object({
    chainId: integer('C-Chain ID of the network.'),
    contracts: z
      .array(
        model(
          'Contract',
          z.object({
            name: text("Name of the contract in the protocol's registry, or as this service calls it."),
            address: address('Address of the contract.'),
            source: model('ContractSource', z.enum(['registry', 'network'])).check(
              z.describe(
                "`registry`: read from the protocol's registry (`Storage`) at this block. `network`: from this service's configuration of the network.",
              ),
            ),
          }),
        ),
      )
      .check(z.describe('The registered contracts of the protocol by name, then all others.')),
    block: blockRef(),
  });

export const contracts = defineEndpoint({
  path: '/contracts',
  tag: 'Service',
  summary: 'Contract addresses',
  description:
    "Contracts that this service reads, so that anyone can verify its numbers. The protocol's contracts are those in its registry at this block. Exchange pools are found through the factories listed here; see `/prices/{dex}` for their addresses.",
  freshSeconds: 3_600,
  input: z.object({}),
  response,
  rows: 'contracts',
  exampleRequest: '/contracts',
  example: {
    chainId: 43_114,
    contracts: [
      { name: 'TokenggAVAX', address: '0xA25EaF2906FA1a3a13EdAc9B9657108Af7B703e3', source: 'registry' },
      { name: 'Storage', address: '0x1cEa17F9dE4De28FeB6A102988E12D4B90DfF1a9', source: 'network' },
    ],
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle(_input, context) {
    const { runner, network, block } = await chainOf(context).latest();
    const [addresses, readAt] = await Promise.all([readAddresses(runner, network.storage), block()]);
    const registered = Object.entries(addresses).filter(([, address]) => address !== ZeroAddress);
    const listed = (entries: [string, string][], source: 'registry' | 'network') =>
      entries.map(([name, address]) => ({ name, address: getAddress(address), source }));
    return {
      chainId: network.chainId,
      contracts: [...listed(registered, 'registry'), ...listed(addressesOf(network), 'network')],
      block: readAt,
    };
  },
});

/** Names and addresses of contracts that are not in the registry. */
function addressesOf(network: Network): [string, string][] {
  return [
    ['Storage', network.storage],
    ['WithdrawQueue', network.withdrawQueue],
    ['WAVAX', network.wavax],
    ...network.usdc.map((token): [string, string] => ['USDC', token]),
    ['Chainlink AVAX/USD', network.avaxUsdFeed],
    ['Multicall3', network.multicall3],
    ...EXCHANGES.flatMap(({ name, factories }) =>
      (factories[network.name] ?? []).map(({ kind, address }): [string, string] => [
        `${name} ${kind} factory`,
        address,
      ]),
    ),
  ];
}

export const handler = createHandler(contracts);
