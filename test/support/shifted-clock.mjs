/** Preloaded into a program (`--import`): its wall clock is as many seconds ahead as the file CLOCK_FILE says. */
import { readFileSync } from 'node:fs';

const Real = Date;
const now = () => Real.now() + 1_000 * Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));

globalThis.Date = class extends Real {
  constructor(...values) {
    super(...(values.length === 0 ? [now()] : values));
  }

  static now() {
    return now();
  }
};
