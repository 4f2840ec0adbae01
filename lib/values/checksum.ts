import { getAddress } from 'ethers';
import { remember } from './remember.ts';

/** A page of a large list holds thousands of addresses, and the next page many of them again. */
const MAX_KNOWN = 20_000;

/** The EIP-55 form of an address. Remembered, because each takes a keccak256: 40 µs. */
export const checksumAddress = remember(MAX_KNOWN, getAddress);
