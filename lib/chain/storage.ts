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
export async function readAddresses(runner: Runner, storage: string): Promise<ProtocolAddresses> {
  const entries = CONTRACT_NAMES.map(
    async (name) => [name, await readStoredAddress(runner, storage, addressKey(name))] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as ProtocolAddresses;
}

export function isRegistered({ addresses }: { addresses: ProtocolAddresses }, name: ContractName): boolean {
  return addresses[name] !== ZeroAddress;
}

/** The call for the protocol's guardian: never the zero address, since the block that created the registry. */
export function guardianCall({ storage }: Pick<Network, 'storage'>): InnerCall {
  return { to: storage, data: parseInterface(STORAGE_ABI).encodeFunctionData('getGuardian') };
}

export function addressKey(name: string): string {
  return id(`contract.address${name}`);
}

/** The storage key of a field of the record at an index. */
export function recordKey(list: 'minipool' | 'staker', index: number | bigint, field: string): string {
  return solidityPackedKeccak256(['string', 'int256', 'string'], [`${list}.item`, index, `.${field}`]);
}

export function readStoredAddress(runner: Runner, storage: string, key: string): Promise<string> {
  // ethers' contracts have a `getAddress` of their own.
  return contractAt(storage, STORAGE_ABI, runner).getFunction('getAddress')(key);
}
