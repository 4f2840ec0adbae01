/** Runs `work` on many things, with a concurrency of at most `most`. The results are in the order of the things. */
export async function inParallel<T, R>(
  things: readonly T[],
  most: number,
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = things.entries();
  const worker = async () => {
    for (const [index, thing] of left) results[index] = await work(thing);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
