/** Progress of long work: one line every few seconds, with the rate and the time left. */

const LINE_MS = 5_000;
/** Intervals whose median rate gives the time left: one stalled or fast interval does not change it. */
const RATE_INTERVALS = 9;

/** Adds `count` items to the finished ones, of `total` in all. A line ends with `note`. */
export type ReportProgress = (count: number, total: number, note?: string) => void;

/** Calls `write` with a line at most every {@link LINE_MS}, and with the last one. `now` is in milliseconds. */
export function createProgress(write: (line: string) => void, now = () => performance.now()): ReportProgress {
  const rates: number[] = [];
  let done = 0;
  let last = { done, at: now() };
  return (count, total, note = '') => {
    done = Math.min(done + count, total);
    const seconds = (now() - last.at) / 1_000;
    if (seconds < LINE_MS / 1_000 && done < total) return;
    rates.push((done - last.done) / seconds);
    if (rates.length > RATE_INTERVALS) rates.shift();
    last = { done, at: now() };
    // Work that is done in batches reports them at once: the first interval says nothing about the rate.
    const rate = rates.length > 1 || done === total ? median(rates) : undefined;
    write(`${describeProgress(done, total, rate)}${note && `  ${note}`}`);
  };
}

/** Progress on standard output, for a total that does not change. */
export function startProgress(total: number): (count?: number, note?: string) => void {
  const report = createProgress((line) => console.log(line));
  return (count = 1, note = '') => total > 0 && report(count, total, note);
}

/** `120/480   25 %  12.5/s  0:28 left`, at a rate of items per second; without a rate, only the count. */
export function describeProgress(done: number, total: number, rate?: number): string {
  const count = `${String(done).padStart(String(total).length)}/${total}`;
  const percent = `${Math.floor((100 * done) / total)} %`.padStart(5);
  if (rate === undefined) return `${count}  ${percent}`;
  const left = rate > 0 ? clock((total - done) / rate) : 'unknown time';
  return `${count}  ${percent}  ${rate.toFixed(1)}/s  ${left} left`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Seconds as `m:ss` or `h:mm:ss`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const tail = `${String(whole % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
