import { hash } from 'node:crypto';

export type Random = ReturnType<typeof createRandom>;

/** A reproducible source of randomness: the hashes of a seed and a counter. The same seed gives the same values forever. */
export function createRandom(seed: string) {
  let counter = 0;
  const block = () => hash('sha256', `${seed}/${counter++}`, 'buffer');
  /** Uniform in [0, 1). */
  const uniform = () => block().readUIntBE(0, 6) / 2 ** 48;
  return {
    bytes: (length: number) =>
      Uint8Array.from(Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, block)).subarray(0, length)),
    uniform,
    /** Standard normal. */
    normal: () => {
      // Box and Muller's transform; 1 − u keeps the logarithm finite.
      const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
      return radius * Math.cos(2 * Math.PI * uniform());
    },
  };
}
