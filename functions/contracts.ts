import { markMissing, partialFields } from '../lib/api/bodies/partial-body.ts';
import { createHandler } from '../lib/api/endpoint.ts';
import { choice, fields, object } from '../lib/api/fields.ts';
import { entries, type Listed, pageFields } from '../lib/api/lists.ts';
import { listEndpoint } from '../lib/api/shapes/list.ts';
import { address, block, integer, text, unixTime } from '../lib/api/units.ts';
import {
  CONTRACT_SOURCES,
  type Contracts,
  contractsDataset,
  type ListedContract,
} from '../lib/protocol/contracts-dataset.ts';

const contract = object(
  'Contract',
  fields<ListedContract>()({
    name: text("Name in the protocol's registry, or this service's name for it.", ({ name }) => name),
    address: address('Address.', ({ address }) => address),
    implementation: address.optional(
      'Code behind an ERC-1967 proxy, whose admin can replace it. Omitted without such a proxy.',
      ({ implementation }) => implementation,
    ),
    upgradedAt: unixTime.optional(
      'Time of the last upgrade, from indexed events (`contractUpgraded` of `/activity`).',
      ({ upgradedAt }) => upgradedAt,
    ),
    source: choice('ContractSource', CONTRACT_SOURCES)(
      "`registry`: in the protocol's registry (`Storage`) at this block. `ledger`: in the registry at an earlier block, and replaced since. `network`: from this service's configuration of the network.",
      ({ source }) => source,
    ),
  }),
);

const BODY = fields<Listed<ListedContract, Contracts & { chainId: number }>>()({
  chainId: integer('Chain ID of the C-Chain.', ({ chainId }) => chainId),
  contracts: entries(
    contract,
    'Registered contracts by name, then all others. In `partial` if those that only the ledger knows are missing.',
  ),
  ...pageFields('Number of contracts.'),
  ...partialFields(
    ['contracts', 'implementation', 'upgradedAt'],
    'ContractField',
    ({ hasImplementations, hasLedger }: Contracts) => ({
      ...(!hasImplementations && { implementation: 'SOURCE_UNAVAILABLE' }),
      ...(!hasLedger && markMissing(['contracts', 'upgradedAt'], 'SOURCE_UNAVAILABLE')),
    }),
  ),
  block: block(),
});

export const contracts = listEndpoint(
  {
    path: '/contracts',
    tag: 'Service',
    summary: 'Contract addresses',
    description:
      'Contracts that this service reads, to verify its numbers. Exchange pools, found through the factories, are in `/prices/{dex}`.',
    exampleRequest: '/contracts',
  },
  {
    freshSeconds: 3_600,
    reads: ['ledger'],
    params: {},
    async read(_input, context) {
      const known = await context.dataset(contractsDataset);
      return { ...known, items: known.contracts, chainId: context.config.network.chainId };
    },
    key: ({ address }) => address,
    body: BODY,
    rows: 'contracts',
  },
);

export const handler = createHandler(contracts);
