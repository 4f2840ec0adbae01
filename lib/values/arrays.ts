/** The integers from `from` up to, but not including, `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Splits a list into chunks of `size` items; the last one may be shorter. */
export function chunked<Item>(items: readonly Item[], size: number): Item[][] {
  return range(0, Math.ceil(items.length / size)).map((chunk) => items.slice(chunk * size, (chunk + 1) * size));
}
