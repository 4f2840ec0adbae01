import type { DevnetValidator } from '../devnet.ts';

/** All that is staked with the validators, delegations included, nAVAX. */
export function totalStake(validators: readonly DevnetValidator[]): bigint {
  return validators.reduce((total, { stake, delegated }) => total + stake + delegated, 0n);
}

/** Something that looks like a proof of possession: twice as long as its key. Nobody checks it here. */
export function proofOfPossession(blsPublicKey: string): string {
  return blsPublicKey + blsPublicKey.slice(2);
}
