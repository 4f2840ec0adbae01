import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { choice, list, object, partialObject } from '../lib/api/fields.ts';
import { cursorParams, type Page, page, pageFields } from '../lib/api/lists.ts';
import { address, block, integer, text, unixTime } from '../lib/api/units.ts';
import { CONTRACT_SOURCES, type Contracts, contractsDataset } from '../lib/protocol/contracts-dataset.ts';

/** A contract, with all contracts and which of their sources answered. */
type Contract = Contracts['contracts'][number] & { all: Contracts };

const contractSource = choice('ContractSource', CONTRACT_SOURCES);
const contract = object<Contract>('Contract')({
  name: text("Name in the protocol's registry, or this service's name for it."),
  address: address('Address.'),
  implementation: address.optional(
    'Code behind an ERC-1967 proxy, whose admin can replace it. Omitted without such a proxy.',
    ({ implementation }) => implementation,
    ({ all }) => (all.hasImplementations ? undefined : 'SOURCE_UNAVAILABLE'),
  ),
  upgradedAt: unixTime.optional(
    'Time of the last upgrade, from indexed events (`contractUpgraded` of `/activity`).',
    ({ upgradedAt }) => upgradedAt,
    ({ all }) => (all.hasLedger ? undefined : 'SOURCE_UNAVAILABLE'),
  ),
  source: contractSource(
    "`registry`: in the protocol's registry (`Storage`) at this block. `ledger`: in the registry at an earlier block, and replaced since. `network`: from this service's configuration of the network.",
  ),
});

const CONTRACTS = partialObject<Page<Contract> & Contracts & { chainId: number }>('ContractField')({
  chainId: integer('Chain ID of the C-Chain.'),
  contracts: list(contract)(
    'Registered contracts by name, then all others. In `partial` if those that only the ledger knows are missing.',
    ({ items }) => items,
    ({ hasLedger }) => (hasLedger ? undefined : 'SOURCE_UNAVAILABLE'),
  ),
  ...pageFields('Number of contracts.'),
  block: block(),
});

export const contracts = defineEndpoint({
  path: '/contracts',
  tag: 'Service',
  summary: 'Contract addresses',
  description:
    'Contracts that the figures are read from, to verify them. Exchange pools, found through the factories, are in `/prices/{dex}`.',
  exampleRequest: '/contracts',
  freshSeconds: 3_600,
  reads: ['ledger'],
  params: cursorParams,
  async handle(paging, context) {
    const all = await context.dataset(contractsDataset);
    const items = all.contracts.map((contract) => ({ ...contract, all }));
    return { ...all, ...page(items, paging, ({ address }) => address), chainId: context.config.network.chainId };
  },
  body: CONTRACTS,
  rows: 'contracts',
  page: 'docs/contracts',
});

export const handler = /* @__PURE__ */ createHandler(contracts);
