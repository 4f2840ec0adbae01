/**
 * How many blocks of logs a provider is asked for at once. Providers only reveal their limits when exceeded, and some
 * limit the answer, not the range: so a window starts small, grows while all goes well, and shrinks on a refusal. So that
 * memory does not depend on a provider's limits, it also shrinks when it gives more logs than are wanted at once.
 */

const FIRST_BLOCKS = 500;
/**
 * Gentle, so that a refused window is hardly too large, and the largest answered one, the next limit, hardly too small.
 */
const GROWTH = 1.05;
/** After this many answers in a row the limit is lifted: many logs in one place may have caused it, not the range. */
const PATIENCE = 50;
/** Logs to ask for in one window: with the entries and rows of eight of them, a recorder stays below 512 MB (`npm run bench:backfill`). */
const MOST_LOGS = 1_000;

export class WindowSize {
  #blocks = FIRST_BLOCKS;
  /** The largest window that was answered, and the largest to ask for now. */
  #good = 0;
  #limit = Number.POSITIVE_INFINITY;
  #answersInARow = 0;

  get blocks(): number {
    return this.#blocks;
  }

  /** A window of this many blocks was answered, with so many logs. */
  answered(blocks: number, logs: number): void {
    this.#good = Math.max(this.#good, blocks);
    this.#answersInARow += 1;
    if (logs > MOST_LOGS) this.#blocks = Math.min(this.#blocks, Math.ceil((blocks * MOST_LOGS) / logs));
    if (logs > MOST_LOGS || blocks < this.#blocks) return;
    if (this.#answersInARow > PATIENCE) this.#limit = Number.POSITIVE_INFINITY;
    this.#blocks = Math.min(Math.ceil(blocks * GROWTH), this.#limit);
  }

  /** A window was refused, in these words, or nobody answered it. The next one is smaller, unless it was one block. */
  refused(from: number, to: number, words = ''): void {
    const blocks = to - from + 1;
    const hint = parseHint(words);
    this.#blocks = Math.max(1, hint && hint < blocks ? hint : Math.floor(blocks / 2));
    this.#limit = Math.max(this.#good, this.#blocks);
    this.#answersInARow = 0;
  }
}

/** A range that the provider says would work: `[0x10, 0x1f]`, `[16, 31]` or `16-31`. */
const RANGE = /(?:range\D*?|work: )\[?(0x[\da-f]+|\d{4,})(?:, |-)(0x[\da-f]+|\d{4,})/i;
const BLOCKS = [
  /maximum is set to ([\d,]+)/i,
  /up to an? ([\d,]+) block/i,
  /requested blocks is ([\d,]+)/i,
  /limited to an? ([\d,]+) range/i,
  /limited to 0 - ([\d,]+) block/i,
  /ranges over ([\d,]+) blocks/i,
  /range \d+ exceeds limit of ([\d,]+)/i,
  /(?:block|max) range: ([\d,]+)/i,
];

/** How many blocks would work, according to the refusal, if it says so. */
export function parseHint(words: string): number | undefined {
  const [, first, last] = RANGE.exec(words) ?? [];
  if (first !== undefined) return Number(last) - Number(first) + 1;
  const blocks = BLOCKS.map((pattern) => pattern.exec(words)?.[1]).find((digits) => digits !== undefined);
  return blocks === undefined ? undefined : Number(blocks.replaceAll(',', ''));
}
