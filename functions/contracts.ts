import { getAddress, ZeroAddress } from 'ethers';
import { partialFields, type Reason } from '../lib/api/bodies/partial-body.ts';
import { createHandler } from '../lib/api/endpoint.ts';
import { choice, fields, object } from '../lib/api/fields.ts';
import { entries, type Listed, pageFields } from '../lib/api/lists.ts';
import { listEndpoint } from '../lib/api/shapes/list.ts';
import { address, block, integer, text, unixTime } from '../lib/api/units.ts';
import { PARTIAL_FRESH_SECONDS } from '../lib/cache/cache-entry.ts';
import type { Dataset } from '../lib/cache/dataset.ts';
import { chainOf } from '../lib/chain/chain.ts';
import { readImplementations } from '../lib/chain/proxies.ts';
import { addressKey, readAddresses, readStoredAddress } from '../lib/chain/storage.ts';
import { subjectOf } from '../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../lib/ledger/ledger-store.ts';
import { EXCHANGES } from '../lib/prices/exchanges.ts';
import type { Context } from '../lib/runtime/context.ts';
import { ifAvailable } from '../lib/runtime/if-known.ts';
import type { Network } from '../lib/runtime/networks.ts';
import type { BlockRef } from '../lib/values/block.ts';

/** Registered contracts that are not read by name. They get a part of each cycle's GGP, as the cycle's events show. */
const CLAIMANTS = ['ClaimProtocolDAO', 'MultisigManager'] as const;

interface Contract {
  name: string;
  address: string;
  implementation: string | undefined;
  upgradedAt: number | undefined;
  source: 'registry' | 'network';
}

const contract = object(
  'Contract',
  fields<Contract>()({
    name: text("Name of the contract in the protocol's registry, or as this service calls it.", ({ name }) => name),
    address: address('Address of the contract.', ({ address }) => address),
    implementation: address.optional(
      'Code behind a proxy (ERC-1967). Whoever controls the proxy can replace it. Omitted for contracts that are not such proxies.',
      ({ implementation }) => implementation,
    ),
    upgradedAt: unixTime.optional(
      'When that code was put there last, as far as events have been searched (`contractUpgraded` of `/activity`).',
      ({ upgradedAt }) => upgradedAt,
    ),
    source: choice('ContractSource', ['registry', 'network'])(
      "`registry`: read from the protocol's registry (`Storage`) at this block. `network`: from this service's configuration of the network.",
      ({ source }) => source,
    ),
  }),
);

/** Reasons for unknown fields of contracts. */
type Missing = { implementation?: Reason; upgradedAt?: Reason };

interface Contracts {
  contracts: Contract[];
  missing: Missing;
  block: BlockRef;
}

const BODY = fields<Listed<Contract, Contracts & { chainId: number }>>()({
  chainId: integer('C-Chain ID of the network.', ({ chainId }) => chainId),
  contracts: entries(contract, 'The registered contracts of the protocol by name, then all others.'),
  ...pageFields('Number of contracts, on all pages.'),
  ...partialFields(['implementation', 'upgradedAt'], 'ContractField', ({ missing }: Contracts) => missing),
  block: block(),
});

/** All contracts at one block. Pages of any size are made from one reading. */
const contractsDataset: Dataset<Contracts> = {
  name: 'contracts',
  freshSeconds: 3_600,
  inTable: true,
  freshFor: ({ missing }) => (Object.keys(missing).length === 0 ? undefined : PARTIAL_FRESH_SECONDS),
  async read(context) {
    const state = await chainOf(context).latest();
    const { runner, network, addresses: known } = state;
    const [addresses, claimants, proxies, upgrades, block] = await Promise.all([
      readAddresses(runner, network.storage),
      Promise.all(
        CLAIMANTS.map(
          async (name) => [name, await readStoredAddress(runner, network.storage, addressKey(name))] as const,
        ),
      ),
      ifAvailable(context.telemetry, 'storage of proxies', () =>
        readImplementations(state, [...Object.values(known), ...proxiesOf(network)]),
      ),
      ifAvailable(context.telemetry, 'upgrades in the ledger', () => readUpgrades(context)),
      state.block(),
    ]);
    const registered = [...Object.entries(addresses), ...claimants]
      .filter(([, address]) => address !== ZeroAddress)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const listed = (entries: (readonly [string, string])[], source: Contract['source']) =>
      entries.map(([name, address]) => ({
        name,
        address: getAddress(address),
        implementation: proxies?.get(address),
        upgradedAt: upgrades?.get(address.toLowerCase()),
        source,
      }));
    const contracts = [...listed(registered, 'registry'), ...listed(addressesOf(network), 'network')];
    const missing: Missing = {
      ...(!proxies && { implementation: 'SOURCE_UNAVAILABLE' }),
      ...(!upgrades && { upgradedAt: 'SOURCE_UNAVAILABLE' }),
    };
    return { contracts, missing, block };
  },
};

export const contracts = listEndpoint(
  {
    path: '/contracts',
    tag: 'Service',
    summary: 'Contract addresses',
    description:
      "Contracts that this service reads, so that anyone can verify its numbers. The protocol's contracts are those in its registry at this block. Exchange pools are found through the factories listed here; see `/prices/{dex}` for their addresses.",
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

/** Maximum number of upgrades in a page: more than there will ever be. */
const MOST_UPGRADES = 1_000;

/** Time of each contract's last upgrade, unix seconds, by lower-case address. Throws UPSTREAM_UNAVAILABLE. */
async function readUpgrades(context: Context): Promise<ReadonlyMap<string, number>> {
  const { entries } = await ledgerOf(context).page(subjectOf.type('contractUpgraded'), { limit: MOST_UPGRADES });
  // The newest upgrades come first. After the reversal, the newest of each contract stays in the map.
  return new Map(
    entries
      .toReversed()
      .flatMap((entry) => (entry.type === 'contractUpgraded' ? [[entry.address, entry.timestamp]] : [])),
  );
}

/** The contracts outside of the registry that may be proxies. */
function proxiesOf({ withdrawQueue, pstAvax, xGgp, xAvax, assetLocker }: Network): string[] {
  return [withdrawQueue, pstAvax, xGgp, xAvax, assetLocker].filter((address) => address !== undefined);
}

/** Names and addresses of contracts that are not in the registry. */
function addressesOf(network: Network): [string, string][] {
  return [
    ['Storage', network.storage],
    ['WithdrawQueue', network.withdrawQueue],
    ...Object.entries(network.former).flatMap(([name, addresses]) =>
      addresses.map((address, index): [string, string] => [`${name}, replaced (${index + 1})`, address]),
    ),
    ['WAVAX', network.wavax],
    ...network.usdc.map((token): [string, string] => ['USDC', token]),
    ['Chainlink AVAX/USD', network.avaxUsdFeed],
    ...Object.entries({
      sAVAX: network.sAvax,
      'Chainlink EUR/USD': network.eurUsdFeed,
      TokenpstAVAX: network.pstAvax,
      xGGP: network.xGgp,
      xAVAX: network.xAvax,
      AssetLocker: network.assetLocker,
      Timelock: network.timelock,
    }).flatMap(([name, address]): [string, string][] => (address ? [[name, address]] : [])),
    ['Multicall3', network.multicall3],
    ...EXCHANGES.flatMap(({ name, factories }) =>
      (factories[network.name] ?? []).flatMap((factory): [string, string][] => [
        [`${name} ${factory.kind} factory`, factory.address],
        ...(factory.kind === 'v3' ? [[`${name} quoter`, factory.quoter] as [string, string]] : []),
      ]),
    ),
  ];
}

export const handler = createHandler(contracts);
