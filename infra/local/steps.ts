import { ERASE_LINE } from '../tools/progress.ts';

/** What `npm start` says while it starts: on a terminal one line that moves, elsewhere a line for each step. */
export function startSteps(stream: NodeJS.WriteStream = process.stdout) {
  const started = performance.now();
  let moves = stream.isTTY;
  const write = (text: string) => {
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const line = `${seconds.padStart(5)} s  ${text}`;
    // A line that wraps could not be erased.
    stream.write(moves ? `${ERASE_LINE}${line.slice(0, stream.columns - 1)}` : `${line}\n`);
  };
  return {
    /** A step. Once everything has started, a line of its own. */
    step: write,
    /** The last one. */
    finish(text: string) {
      if (moves) stream.write(ERASE_LINE);
      moves = false;
      write(text);
    },
  };
}
