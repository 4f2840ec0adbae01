import { id, solidityPackedKeccak256, ZeroAddress } from 'ethers';
import type { Network } from '../runtime/networks.ts';
import { contractAt, parseInterface, type Runner } from './contract.ts';
import type { InnerCall } from './multicall.ts';

export const CONTRACT_NAMES = [
  'ClaimNodeOp',
  'MinipoolManager',
  'Oracle',
  'ProtocolDAO',
  'RewardsPool',
  'Staking',
  'TokenGGP',
  'TokenggAVAX',
  'Vault',
] as const;

export type ContractName = (typeof CONTRACT_NAMES)[number];
export type ProtocolAddresses = Record<ContractName, string>;

export const NOTHING_REGISTERED = Object.fromEntries(
  CONTRACT_NAMES.map((name) => [name, ZeroAddress]),
) as ProtocolAddresses;

export const STORAGE_ABI = [
  'function getAddress(bytes32 key) view returns (address)',
  'function getGuardian() view returns (address)',
  'function getUint(bytes32 key) view returns (uint256)',
] as const;

/**
 * The address of each contract at the snapshot's block: contracts are replaced over the years. An unregistered name has the
 * zero address, and a call to that counts as "not answered".
 */
export async function readAddresses<Name extends string>(runner: Runner, storage: string, names: readonly Name[]) {
  const keys = names.map((name) => id(`contract.address${name}`));
  const addresses = await Promise.all(keys.map((key) => readStoredAddress(runner, storage, key)));
  return Object.fromEntries(names.map((name, place) => [name, addresses[place]])) as Record<Name, string>;
}

export function isRegistered({ addresses }: { addresses: ProtocolAddresses }, name: ContractName): boolean {
  return addresses[name] !== ZeroAddress;
}

/** The call for the protocol's guardian: never the zero address, since the block that created the registry. */
export function guardianCall({ storage }: Pick<Network, 'storage'>): InnerCall {
  return { to: storage, data: parseInterface(STORAGE_ABI).encodeFunctionData('getGuardian') };
}

/** The storage key of a field of the record at an index. */
export function recordKey(list: 'minipool' | 'staker', index: number | bigint, field: string): string {
  return solidityPackedKeccak256(['string', 'int256', 'string'], [`${list}.item`, index, `.${field}`]);
}

export function readStoredAddress(runner: Runner, storage: string, key: string): Promise<string> {
  // ethers' contracts have a `getAddress` of their own.
  return contractAt(storage, STORAGE_ABI, runner).getFunction('getAddress')(key);
}
