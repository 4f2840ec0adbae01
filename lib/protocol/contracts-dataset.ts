/** The contracts that this service reads: those of the registry, those it replaced, and those that are configured. */

import { getAddress, ZeroAddress } from 'ethers';
import { PARTIAL_FRESH_SECONDS } from '../cache/cache-entry.ts';
import type { Dataset } from '../cache/dataset.ts';
import { readImplementations } from '../chain/proxies.ts';
import { addressKey, readAddresses, readStoredAddress } from '../chain/storage.ts';
import { subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { fromTexts } from '../ledger/registry.ts';
import { EXCHANGES } from '../prices/exchanges.ts';
import { ifAvailable } from '../runtime/if-known.ts';
import type { Network } from '../runtime/networks.ts';
import type { BlockRef } from '../values/block.ts';

/** Registered contracts that are not read by name. They get a part of each cycle's GGP, as the cycle's events show. */
const CLAIMANTS = ['ClaimProtocolDAO', 'MultisigManager'] as const;

export const CONTRACT_SOURCES = ['registry', 'ledger', 'network'] as const;

export interface ListedContract {
  name: string;
  address: string;
  /** The code behind a proxy (ERC-1967). */
  implementation: string | undefined;
  /** Time of the last upgrade, unix seconds. */
  upgradedAt: number | undefined;
  source: (typeof CONTRACT_SOURCES)[number];
}

/** The contracts at one block; registered ones first, by name. */
export interface Contracts {
  contracts: ListedContract[];
  /** False if storage did not answer, and no implementation is known. */
  hasImplementations: boolean;
  /** False if the ledger did not answer: no time of an upgrade is known, and no manager that only the ledger has seen. */
  hasLedger: boolean;
  block: BlockRef;
}

export const contractsDataset: Dataset<Contracts, LedgerContext> = {
  name: 'contracts',
  freshSeconds: 3_600,
  shared: true,
  freshFor: ({ hasImplementations, hasLedger }) =>
    hasImplementations && hasLedger ? undefined : PARTIAL_FRESH_SECONDS,
  async read(context) {
    const state = await context.chain.latest();
    const { runner, network } = state;
    const [addresses, claimants, recorded, block] = await Promise.all([
      readAddresses(runner, network.storage),
      Promise.all(
        CLAIMANTS.map(
          async (name) => [name, await readStoredAddress(runner, network.storage, addressKey(name))] as const,
        ),
      ),
      ifAvailable(context, 'contracts in the ledger', () => readRecorded(context)),
      state.block(),
    ]);
    const registered = [...Object.entries(addresses), ...claimants]
      .filter(([, address]) => address !== ZeroAddress)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const configured = addressesOf(network);
    const listed = new Set([...registered, ...configured].map(([, address]) => address.toLowerCase()));
    const found = (recorded?.emitters ?? []).filter(([, address]) => !listed.has(address));
    const all = [
      ...registered.map((entry) => [...entry, 'registry'] as const),
      ...found.map((entry) => [...entry, 'ledger'] as const),
      ...configured.map((entry) => [...entry, 'network'] as const),
    ];
    const proxies = await ifAvailable(context, 'storage of proxies', () =>
      readImplementations(
        state,
        all.map(([, address]) => address),
      ),
    );
    const contracts = all.map(([name, address, source]) => ({
      name,
      address: getAddress(address),
      implementation: proxies?.get(address),
      upgradedAt: recorded?.upgrades.get(address.toLowerCase()),
      source,
    }));
    return { contracts, hasImplementations: proxies !== undefined, hasLedger: recorded !== undefined, block };
  },
};

/**
 * Contracts in the ledger: each one's last upgrade (unix seconds, by lower-case address), and the names and
 * addresses of all that were registered at some block. Throws UPSTREAM_UNAVAILABLE.
 */
async function readRecorded({ ledger }: LedgerContext) {
  const [{ entries }, { contracts }] = await Promise.all([
    ledger.all(subjectOf.type('contractUpgraded')),
    ledger.progress.read(),
  ]);
  // The oldest come first, so the newest upgrade of each contract stays in the map.
  const upgrades = new Map(
    entries.flatMap((entry) => (entry.type === 'contractUpgraded' ? [[entry.address, entry.timestamp]] : [])),
  );
  const emitters = [...fromTexts(contracts)].map(([address, name]) => [`${name}, replaced`, address] as const);
  return { upgrades, emitters };
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
      ]),
    ),
  ];
}
