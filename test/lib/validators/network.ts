import { createHash } from 'node:crypto';
import type { DevnetValidator } from '../../../infra/devnet/devnet.ts';
import { formatNodeID, formatTxID } from '../../../lib/values/cb58.ts';
import { DAY } from '../../../lib/values/durations.ts';

const AVAX = 10n ** 9n;
const NOW = Math.floor(Date.now() / 1_000);

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** The 20 bytes of validator number `index`, in hex. */
export const nodeHex = (index: number) => `0x${hash(`node ${index}`).slice(0, 40)}`;

/** Validator number `index` of a test network, typical except for `differences`. */
export function validatorOf(index: number, differences: Partial<DevnetValidator> = {}): DevnetValidator {
  return {
    nodeID: formatNodeID(nodeHex(index)),
    txID: formatTxID(`0x${hash(`transaction ${index}`)}`),
    startTime: NOW - 10 * DAY - index,
    endTime: NOW + 5 * DAY + index,
    stake: 2_000n * AVAX,
    delegated: BigInt(index) * 25n * AVAX,
    delegatorCount: index,
    delegationFeePercent: 2,
    uptimePercent: 99.98,
    potentialReward: 4_683_805_592n,
    blsPublicKey: `0x${hash(`key ${index}`)}${hash(`more ${index}`).slice(0, 32)}`,
    version: 'avalanchego/1.15.0',
    ...differences,
  };
}

/** A network of `size` validators. */
export function network(size: number): DevnetValidator[] {
  return Array.from({ length: size }, (_, index) => validatorOf(index));
}
