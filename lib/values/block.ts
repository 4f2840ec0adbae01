/** A block, as every answer derived from the chain names it. */
export interface BlockRef {
  number: number;
  /** Unix seconds. */
  timestamp: number;
}

/** The position of a log in the chain: `95044397-3`. */
export function placeOf({ block, logIndex }: { block: number; logIndex: number }): string {
  return `${block}-${logIndex}`;
}
