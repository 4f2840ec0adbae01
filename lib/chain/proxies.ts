import { dataSlice, toBeHex, ZeroAddress } from 'ethers';
import type { ProtocolState } from './chain.ts';

/** The slot of ERC-1967: keccak256('eip1967.proxy.implementation') − 1. */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

/** The implementations of the proxies (ERC-1967) among these contracts, by address. */
export async function readImplementations(
  { storageAt }: ProtocolState,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const contracts = addresses.filter((address) => address !== ZeroAddress);
  const found = await Promise.all(contracts.map((address) => storageAt(address, IMPLEMENTATION)));
  const entries = contracts.map(
    (address, place) => [address, dataSlice(toBeHex(found[place] as string, 32), 12)] as const,
  );
  return new Map(entries.filter(([, implementation]) => implementation !== ZeroAddress));
}
