/** A block, as every answer derived from the chain names it. */
export interface BlockRef {
  number: number;
  /** Unix seconds. */
  timestamp: number;
}
