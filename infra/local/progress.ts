const LINE_MS = 5_000;

/**
 * Returns a function that adds `count` items to the finished ones, of `total` in all. It calls `write` with a line, which
 * ends with `note`, at most every {@link LINE_MS}, and with the last one, but not after it. `now` is in milliseconds.
 */
export function createProgress(write: (line: string) => void, now = () => performance.now()) {
  let done = 0;
  let last = now();
  return (count: number, total: number, note = '') => {
    if (done >= total) return;
    done = Math.min(done + count, total);
    if (now() - last < LINE_MS && done < total) return;
    last = now();
    write(`${Math.floor((100 * done) / total)} % (${done} of ${total})${note && `, ${note}`}`);
  };
}
