import { getAddress } from 'ethers';

/** A page of a large list holds thousands of addresses, and the next page many of them again. */
const MAX_KNOWN = 20_000;

const known = new Map<string, string>();

/** The EIP-55 form of an address. Remembered, because each one costs a keccak256: 40 µs. */
export function checksumAddress(address: string): string {
  const remembered = known.get(address);
  if (remembered) return remembered;
  if (known.size === MAX_KNOWN) known.clear();
  const checksummed = getAddress(address);
  known.set(address, checksummed);
  return checksummed;
}
