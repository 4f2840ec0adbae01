/**
 * Number of blocks whose logs one call requests from a provider (the log range). A refusal halves it, and is remembered for
 * {@link REMEMBERED} answers; each success raises it by one step. Ranges with many logs shrink as well, so that memory does
 * not depend on a provider's limits.
 */

const FIRST_BLOCKS = 500;
const STEP = 1.05;
/** Part of a refused size that is requested while the refusal is remembered. */
const SAFE = 0.9;
/** Number of answers before a size that was refused is tried again. */
const REMEMBERED = 500;
/** With the entries and rows of eight such ranges, a recorder stays below 512 MB (measured in November 2026). */
const MOST_LOGS = 1_000;

export class LogRangeSize {
  #blocks = FIRST_BLOCKS;
  /** The last size that was refused, and the number of answers for which it is remembered. */
  #refused = Number.POSITIVE_INFINITY;
  #remembered = 0;

  get blocks(): number {
    return this.#blocks;
  }

  /** Adapts the size after a range of this many blocks was answered, with this many logs. */
  answered(blocks: number, logs: number): void {
    if (logs > MOST_LOGS) this.#blocks = Math.min(this.#blocks, Math.ceil((blocks * MOST_LOGS) / logs));
    else if (blocks >= this.#blocks) {
      const most = this.#remembered > 0 ? Math.max(blocks, Math.floor(SAFE * this.#refused)) : Number.POSITIVE_INFINITY;
      this.#blocks = Math.min(Math.ceil(blocks * STEP), most);
    }
    this.#remembered -= 1;
  }

  /** Adapts the size after a range of this many blocks was refused, or failed. */
  refused(blocks: number): void {
    [this.#refused, this.#remembered] = [blocks, REMEMBERED];
    this.#blocks = Math.max(1, Math.floor(blocks / 2));
  }
}
