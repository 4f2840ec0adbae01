import { keccak256 } from 'ethers';
import hashes from './hashes.json' with { type: 'json' };
import { remember } from './remember.ts';

/** Longer inputs hardly ever come again. */
const MAX_BYTES = 64;
const MAX_KNOWN = 1_000;
/** Hashes of what the service's own code hashes, event signatures and registry keys, written by `npm run generate`. */
const PRECOMPUTED = new Map(Object.entries(hashes));

const hash = keccak256._;
const known = remember(MAX_KNOWN, (latin1) => PRECOMPUTED.get(latin1) ?? hash(Buffer.from(latin1, 'latin1')));

/**
 * Remembered, because ethers hashes every address it meets, and an event's signature for every log. Cold, a hash takes
 * up to half a millisecond.
 */
keccak256.register((data) => (data.length > MAX_BYTES ? hash(data) : known(Buffer.from(data).toString('latin1'))));
