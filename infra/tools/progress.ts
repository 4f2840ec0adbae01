/** Progress on standard output: on a terminal a bar that is redrawn, otherwise a line every few seconds. */

const BAR_WIDTH = 24;
const REDRAW_MS = 100;
const LINE_MS = 5_000;
/** Erases the current line. */
export const ERASE_LINE = '\r\x1b[2K';

export interface Progress {
  /** Reports `count` more items as done, by default one. `note` is shown after the bar. */
  step(count?: number, note?: string): void;
  /** Removes the bar, so that other lines can be written. */
  end(): void;
}

export function startProgress(total: number, stream: NodeJS.WriteStream = process.stdout): Progress {
  const started = performance.now();
  const pauseMs = stream.isTTY ? REDRAW_MS : LINE_MS;
  let done = 0;
  let reported = started;
  return {
    step(count = 1, note = '') {
      if (total === 0) return;
      done = Math.min(done + count, total);
      const now = performance.now();
      if (now - reported < pauseMs && done < total) return;
      reported = now;
      const text = `${describeProgress(done, total, (now - started) / 1_000)}${note && `  ${note}`}`;
      stream.write(stream.isTTY ? `${ERASE_LINE}${text}` : `${text}\n`);
    },
    end() {
      if (stream.isTTY) stream.write(ERASE_LINE);
    },
  };
}

/** `[######------]  120/480  25 %  12.5/s  0:28 left` */
export function describeProgress(done: number, total: number, seconds: number): string {
  const filled = Math.round((BAR_WIDTH * done) / total);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH - filled);
  const rate = done / seconds;
  const count = `${String(done).padStart(String(total).length)}/${total}`;
  const percent = `${Math.floor((100 * done) / total)} %`.padStart(5);
  return `[${bar}]  ${count}  ${percent}  ${rate.toFixed(1)}/s  ${clock((total - done) / rate)} left`;
}

/** Seconds as `m:ss` or `h:mm:ss`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const tail = `${String(whole % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
