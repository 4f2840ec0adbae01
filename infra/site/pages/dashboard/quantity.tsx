/** Numbers and times in short form, with the exact value as a tooltip or for copying. */

import { announce } from './announcement.ts';
import { Data } from './data.tsx';
import { DAY, day, fromNow, inFull, moment, withUnit } from './format.ts';

const UNKNOWN = '–';

interface QuantityProps {
  /** The API's value: a decimal string or a number. An unknown value is shown as a dash, never as zero. */
  of: string | number | undefined;
  unit?: string;
}

/** A quantity, with its full value as a tooltip. */
export function Quantity({ of, unit = '' }: QuantityProps) {
  if (of === undefined) return <Data title="Unknown at the moment">{UNKNOWN}</Data>;
  return <Data title={inFull(of, unit)}>{withUnit(Number(of), unit)}</Data>;
}

/** A worth in USD and in EUR; in USD only if the price of the euro is unknown. */
export function Worth({ usd, eur }: { usd: number | undefined; eur: number | undefined }) {
  return (
    <>
      <Quantity of={usd} unit="USD" />
      {eur !== undefined && (
        <>
          {' / '}
          <Quantity of={eur} unit="EUR" />
        </>
      )}
    </>
  );
}

/** A quantity whose full value is copied with a click. */
export function Amount({ of, unit = '' }: QuantityProps) {
  if (of === undefined) return <Quantity of={of} />;
  const full = inFull(of, unit);
  return (
    <button type="button" class="amount" title={`${full} (click to copy)`} onClick={() => copy(String(of), full)}>
      <Data>{withUnit(Number(of), unit)}</Data>
    </button>
  );
}

/** A Unix time as a date, with the minute in a tooltip. */
export function When({ at, relative }: { at: number; relative?: boolean }) {
  const iso = new Date(at * 1_000).toISOString();
  return (
    <time dateTime={iso} title={moment(at)}>
      <Data>{relative ? fromNow(at) : day(at)}</Data>
    </time>
  );
}

/** A Unix time in the past: how long ago within a day; before that its minute, as phones and keyboards show no tooltip. */
export function Ago({ at }: { at: number }) {
  if (at > Date.now() / 1_000 - DAY) return <When at={at} relative />;
  return (
    <time class="minute" dateTime={new Date(at * 1_000).toISOString()}>
      <Data>{moment(at).replace(/(?<!,) /g, '\u00a0')}</Data>
    </time>
  );
}

/** Copies a text to the clipboard, and announces it. Only pages served over HTTPS or from localhost can do that. */
export async function copy(text: string, full = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${full}`);
  } catch {
    announce(`Could not copy ${full}: the browser does not allow it`);
  }
}
