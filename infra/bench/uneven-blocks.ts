/**
 * Block times of a chain as long and uneven as the C-Chain: a block every two seconds until 2025, every second at the
 * end, faster under load; several blocks in one second; and one pause of hours.
 */

/** Approximate head of mainnet in autumn 2026. */
export const HEAD_BLOCK = 100_000_000;
/** Unix seconds. */
const GENESIS = 1_600_000_000;
/** Number of consecutive blocks that share one pace. */
const STRETCH = 1_000;
const PAUSE = { stretch: 52_000, seconds: 5 * 3_600 };

const starts = (() => {
  const times = new Float64Array(HEAD_BLOCK / STRETCH + 1);
  let [time, mood] = [GENESIS, 0];
  for (let stretch = 0; stretch < times.length; stretch++) {
    times[stretch] = time;
    mood = 0.95 * mood + 0.1 * (random(stretch) - 0.5);
    const day = 0.1 * Math.sin((2 * Math.PI * time) / 86_400);
    time += STRETCH * usualPace(stretch / times.length) * (1 + mood + day);
    if (stretch === PAUSE.stretch) time += PAUSE.seconds;
  }
  return times;
})();

/** Unix seconds. */
export function timeOf(block: number): number {
  const stretch = Math.min(Math.floor(block / STRETCH), starts.length - 2);
  const [from, to] = [starts[stretch] as number, starts[stretch + 1] as number];
  return Math.floor(from + ((to - from) * (block - stretch * STRETCH + random(block))) / STRETCH);
}

/** Usual seconds per block at a position in the chain, as a fraction of its length. */
function usualPace(part: number): number {
  return part < 0.6 ? 2 : 2 - 2.5 * (part - 0.6);
}

/** From 0 up to 1, always the same for a seed. */
function random(seed: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c_1b_3c_6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) / 2 ** 32;
}
