import { keccak256 } from 'ethers';
import hashes from './hashes.json' with { type: 'json' };
import { remember } from './remember.ts';

/** Longer ones do not come again. */
const MAX_BYTES = 64;
const MAX_KNOWN = 1_000;
/** What the service's own code hashes: signatures of events, and keys of the registry. `npm run generate` makes the list. */
const WRITTEN = new Map(Object.entries(hashes));

const hash = keccak256._;
const known = remember(MAX_KNOWN, (latin1) => WRITTEN.get(latin1) ?? hash(Buffer.from(latin1, 'latin1')));

/**
 * ethers hashes an address whenever it meets it, and the signature of an event for each log. Cold, a hash takes up to half a
 * millisecond.
 */
keccak256.register((data) => (data.length > MAX_BYTES ? hash(data) : known(Buffer.from(data).toString('latin1'))));
