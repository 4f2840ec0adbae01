import { announce } from './announcement.ts';
import { day, fromNow, inFull, moment, withUnit } from './format.ts';

/** Numbers and times. Short forms are for looking; the exact text is beside them, to point at or to copy. */

const UNKNOWN = '–';

interface QuantityProps {
  /** What the API said: a decimal text or a number. An unknown one is a dash, never a zero. */
  of: string | number | undefined;
  unit?: string;
}

/** A quantity to look at, whose full value is there to point at. */
export function Quantity({ of, unit = '' }: QuantityProps) {
  if (of === undefined) return <span title="Unknown at the moment">{UNKNOWN}</span>;
  return <span title={inFull(of, unit)}>{withUnit(Number(of), unit)}</span>;
}

/** A quantity that is copied in full with a click. */
export function Amount({ of, unit = '' }: QuantityProps) {
  if (of === undefined) return <Quantity of={of} />;
  const full = inFull(of, unit);
  return (
    <button type="button" class="amount" title={`${full} (click to copy)`} onClick={() => copy(String(of), full)}>
      {withUnit(Number(of), unit)}
    </button>
  );
}

/** A unix time: its day, the minute to point at. */
export function When({ at, relative }: { at: number; relative?: boolean }) {
  const iso = new Date(at * 1_000).toISOString();
  return (
    <time dateTime={iso} title={moment(at)}>
      {relative ? fromNow(at) : day(at)}
    </time>
  );
}

/** Puts a text on the clipboard, and says so; pages that do not come over HTTPS have none. */
export async function copy(text: string, full = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${full}`);
  } catch {
    announce(`Could not copy ${full}: the browser does not allow it`);
  }
}
