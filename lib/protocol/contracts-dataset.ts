/** The contracts that this service reads: those of the registry, those it replaced, and those that are configured. */

import { dataSlice, getAddress, toBeHex, ZeroAddress } from 'ethers';
import type { Dataset } from '../cache/cache.ts';
import { PARTIAL_FRESH_SECONDS } from '../cache/cache-entry.ts';
import { CONTRACT_NAMES, type ProtocolState, readAddresses } from '../chain/chain.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { EXCHANGES } from '../prices/exchanges.ts';
import { ifAvailable } from '../runtime/if-known.ts';
import { contractsAround, MULTICALL3, type Network } from '../runtime/networks.ts';

/** Registered contracts that are not read by name. They get a part of each cycle's GGP, as the cycle's events show. */
const CLAIMANTS = ['ClaimProtocolDAO', 'MultisigManager'] as const;

export const CONTRACT_SOURCES = ['registry', 'ledger', 'network'] as const;

/** The slot of ERC-1967: keccak256('eip1967.proxy.implementation') − 1. */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

export type Contracts = Awaited<ReturnType<typeof readContracts>>;

export const contractsDataset: Dataset<Contracts, LedgerContext> = {
  name: 'contracts',
  freshSeconds: 3_600,
  shared: true,
  freshFor: ({ hasImplementations, hasLedger }) =>
    hasImplementations && hasLedger ? undefined : PARTIAL_FRESH_SECONDS,
  read: readContracts,
};

/** Reads the contracts at one block; registered ones first, by name. */
async function readContracts(context: LedgerContext) {
  const state = await context.chain.latest();
  const { runner, network } = state;
  const [addresses, recorded, block] = await Promise.all([
    readAddresses(runner, network.storage, [...CONTRACT_NAMES, ...CLAIMANTS]),
    ifAvailable(context, 'contracts in the ledger', () => readRecorded(context)),
    state.block(),
  ]);
  const registered = Object.entries(addresses)
    .filter(([, address]) => address !== ZeroAddress)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const configured = addressesOf(network);
  const listed = new Set([...registered, ...configured].map(([, address]) => address.toLowerCase()));
  const replaced = (recorded?.emitters ?? []).filter(([, address]) => !listed.has(address));
  const all = [
    ...registered.map((entry) => [...entry, 'registry'] as const),
    ...replaced.map((entry) => [...entry, 'ledger'] as const),
    ...configured.map((entry) => [...entry, 'network'] as const),
  ];
  const implementations = await ifAvailable(context, 'storage of proxies', () =>
    Promise.all(all.map(([, address]) => readImplementation(state, address))),
  );
  const contracts = all.map(([name, address, source], place) => ({
    name,
    address: getAddress(address),
    implementation: implementations?.[place],
    /** Time of the last upgrade, unix seconds. */
    upgradedAt: recorded?.upgrades.get(address.toLowerCase()),
    source,
  }));
  return { contracts, hasImplementations: implementations !== undefined, hasLedger: recorded !== undefined, block };
}

/** The code behind a proxy (ERC-1967); undefined for other contracts. */
async function readImplementation({ storageAt }: ProtocolState, address: string): Promise<string | undefined> {
  const implementation = dataSlice(toBeHex(await storageAt(address, IMPLEMENTATION), 32), 12);
  return implementation === ZeroAddress ? undefined : implementation;
}

/**
 * Contracts in the ledger: each one's last upgrade (unix seconds, by lower-case address), and the names and
 * addresses of all that were registered at some block. Throws UPSTREAM_UNAVAILABLE.
 */
async function readRecorded({ ledger }: LedgerContext) {
  const [{ entries }, { contracts }] = await Promise.all([ledger.ofType('contractUpgraded'), ledger.progress.read()]);
  // The oldest come first, so the newest upgrade of each contract stays in the map.
  const upgrades = new Map(entries.map(({ address, timestamp }) => [address, timestamp]));
  const emitters = Object.entries(contracts).map(([address, name]) => [`${name}, replaced`, address] as const);
  return { upgrades, emitters };
}

/** Names and addresses of contracts that are not in the registry. */
function addressesOf(network: Network): [name: string, address: string][] {
  const { WithdrawQueue, ...around } = contractsAround(network);
  const former = Object.entries(network.former).flatMap(([name, addresses]) =>
    addresses.map((address, index) => [`${name}, replaced (${index + 1})`, address] as const),
  );
  const factories = EXCHANGES.flatMap(({ name, factories }) =>
    (factories[network.name] ?? []).map(({ kind, address }) => [`${name} ${kind} factory`, address] as const),
  );
  const named = [
    ['Storage', network.storage],
    ['WithdrawQueue', WithdrawQueue],
    ...former,
    ['WAVAX', network.wavax],
    ...network.usdc.map((token) => ['USDC', token] as const),
    ['Chainlink AVAX/USD', network.avaxUsdFeed],
    ['sAVAX', network.sAvax],
    ['Chainlink EUR/USD', network.eurUsdFeed],
    ...Object.entries(around),
    ['Timelock', network.timelock],
    ['Multicall3', MULTICALL3],
    ...factories,
  ] as const;
  return named.flatMap(([name, address]) => (address ? [[name, address]] : []));
}
