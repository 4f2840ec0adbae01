import { solidityPackedKeccak256, ZeroAddress } from 'ethers';
import type { Snapshot } from '../chain/snapshot.ts';
import { Abi } from './abi.ts';
import { contractAt } from './contract.ts';

/** The contracts that the protocol registers, by the names it registers them under. */
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

/** The addresses at a block before there was a registry. */
export const NOTHING_REGISTERED = Object.fromEntries(
  CONTRACT_NAMES.map((name) => [name, ZeroAddress]),
) as ProtocolAddresses;

const ABI = new Abi(['function getAddress(bytes32 key) view returns (address)']);

/**
 * Where each contract lives at the snapshot's block. Contracts are replaced over the years (MinipoolManager five times so far),
 * so an address from today must never be asked about an old block. A name that is not registered has the zero address, and a
 * call to that reads as "not answered".
 */
export async function readAddresses(runner: Snapshot, storage: string): Promise<ProtocolAddresses> {
  const registry = contractAt(runner, storage, ABI);
  const entries = CONTRACT_NAMES.map(async (name) => {
    const key = solidityPackedKeccak256(['string', 'string'], ['contract.address', name]);
    return [name, await registry<string>('getAddress', key)] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as ProtocolAddresses;
}
