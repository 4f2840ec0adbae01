/** Something that looks like a proof of possession: twice as long as its key. Nobody checks it here. */
export function proofOfPossession(blsPublicKey: string): string {
  return blsPublicKey + blsPublicKey.slice(2);
}
