/** A block, as every chain-derived answer names it. */
export interface BlockRef {
  number: number;
  /** Unix seconds. */
  timestamp: number;
}
