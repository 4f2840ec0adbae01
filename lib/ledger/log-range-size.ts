/**
 * Number of blocks whose logs one call requests from a provider (the log range). A refusal halves it, or sets it to the
 * size that the refusal names, and is remembered for {@link REMEMBERED} answers; each success raises it by one step. Ranges with many logs shrink as well, so that memory
 * does not depend on a provider's limits.
 */

const FIRST_BLOCKS = 500;
const STEP = 1.05;
/** Number of answers before a size is tried again that was refused without a named limit. */
const REMEMBERED = 500;
/** With the entries and rows of eight such ranges, a recorder stays below 512 MB (measured in November 2026). */
const MOST_LOGS = 1_000;

export class LogRangeSize {
  #blocks = FIRST_BLOCKS;
  #limit = Number.POSITIVE_INFINITY;
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
      const most = this.#remembered > 0 ? Math.max(blocks, this.#refused - 1) : Number.POSITIVE_INFINITY;
      this.#blocks = Math.min(Math.ceil(blocks * STEP), this.#limit, most);
    }
    this.#remembered -= 1;
  }

  /** Adapts the size after a range of this many blocks was refused, or failed. The message may name a valid range. */
  refused(blocks: number, message = ''): void {
    const limit = parseLimit(message);
    if (limit !== undefined && limit < blocks) this.#limit = limit;
    [this.#refused, this.#remembered] = [blocks, REMEMBERED];
    const named = parseRange(message) ?? limit;
    this.#blocks = Math.max(1, named && named < blocks ? named : Math.floor(blocks / 2));
  }
}

/** A range that would work: `[0x10, 0x1f]`, `[16, 31]` or `16-31`. */
const RANGE = /(?:range\D*?|work: )\[?(0x[\da-f]+|\d{4,})(?:, |-)(0x[\da-f]+|\d{4,})/i;
const LIMITS = [
  /maximum is set to ([\d,]+)/i,
  /up to an? ([\d,]+) block/i,
  /requested blocks is ([\d,]+)/i,
  /limited to an? ([\d,]+) range/i,
  /limited to 0 - ([\d,]+) block/i,
  /ranges over ([\d,]+) blocks/i,
  /range \d+ exceeds limit of ([\d,]+)/i,
  /(?:block|max) range: ([\d,]+)/i,
];

/** The number of blocks in the range that a refusal names, if it names one. */
export function parseRange(message: string): number | undefined {
  const [, first, last] = RANGE.exec(message) ?? [];
  return first === undefined ? undefined : Number(last) - Number(first) + 1;
}

/** The most blocks that a provider takes, if its refusal names them. */
export function parseLimit(message: string): number | undefined {
  const digits = LIMITS.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}
