/** The integers from `from` up to, but not including, `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Splits a list into chunks of `size` items; the last one may be shorter. */
export function chunked<Item>(items: readonly Item[], size: number): Item[][] {
  return range(0, Math.ceil(items.length / size)).map((chunk) => items.slice(chunk * size, (chunk + 1) * size));
}

/** Packs items into batches, in order: each within `most.items` and a total of `most.size`. A larger item is alone. */
export function packed<Item>(
  items: readonly Item[],
  most: { items: number; size: number },
  sizeOf: (item: Item) => number,
): Item[][] {
  const batches: Item[][] = [];
  let size = 0;
  for (const item of items) {
    const last = batches.at(-1);
    const fits = last && last.length < most.items && size + sizeOf(item) <= most.size;
    if (fits) last.push(item);
    else batches.push([item]);
    size = (fits ? size : 0) + sizeOf(item);
  }
  return batches;
}
