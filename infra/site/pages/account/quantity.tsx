/** Numbers, times and identifiers in short form, with the exact value as a tooltip and for copying. */

import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { day, inFull, moment, withUnit } from '../dashboard/format.ts';
import { Links } from './links.ts';

/**
 * A quantity, with its full value as a tooltip. `amount` is the API's value: a decimal string or a number. An unknown one is shown
 * as a dash, never as zero. Data is never translated.
 */
export function Quantity({ amount, unit = '' }: { amount: string | number | undefined; unit?: string }) {
  return (
    <span translate={false} title={amount === undefined ? 'Unknown at the moment' : inFull(amount, unit)}>
      {amount === undefined ? '–' : withUnit(Number(amount), unit)}
    </span>
  );
}

/** A worth in USD and in EUR; in USD only if the price of the euro is unknown. */
export function Worth({ usd, eur }: { usd: number | undefined; eur: number | undefined }) {
  return (
    <>
      <Quantity amount={usd} unit="USD" />
      {eur !== undefined && [' / ', <Quantity key="eur" amount={eur} unit="EUR" />]}
    </>
  );
}

/** A Unix time as a date, with the minute in a tooltip. */
export function When({ time }: { time: number | undefined }) {
  if (time === undefined) return <>–</>;
  return (
    <time dateTime={new Date(time * 1_000).toISOString()} title={moment(time)} translate={false}>
      {day(time)}
    </time>
  );
}

/** `0xBcd4…54096`, `NodeID-L5iZG…oetTU`. */
export function shortened(id: string): string {
  return `${id.slice(0, id.startsWith('NodeID') ? 12 : 6)}…${id.slice(-5)}`;
}

/** An identifier: shortened, or a known contract's name, with a copy button, and a link to its view if its kind has one. */
export function Identifier({ id, kind }: { id: string; kind?: 'address' | 'node' | 'tx' }) {
  const links = useContext(Links);
  const name = links.names.get(id);
  const href = kind && (kind === 'tx' ? links.explorer?.(id) : links[kind](id));
  // In full where nothing copies it, unless a link has it.
  const isWhole = !links.canCopy && (kind === 'node' || !kind);
  const shown = isWhole ? id : <abbr title={id}>{name ?? shortened(id)}</abbr>;
  return (
    <span class="identifier" translate={false}>
      <code>{href ? <a href={href}>{shown}</a> : shown}</code>
      <Copy text={id} />
    </span>
  );
}

/** A button that copies a text, where a script handles it. */
export function Copy({ text }: { text: string }) {
  if (!useContext(Links).canCopy) return null;
  return (
    <button type="button" class="icon" data-copy={text} aria-label={`Copy ${text}`} title="Copy">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M5 5V1.5h9.5V11H11M1.5 5H11v9.5H1.5z" />
      </svg>
    </button>
  );
}

/** A name, its value and an optional note. */
export type Fact = readonly [name: string, value: ComponentChildren, note?: ComponentChildren] | false | undefined;

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
              {fact[2] ? <dd class="aside">{fact[2]}</dd> : null}
            </div>
          ),
      )}
    </dl>
  );
}

/** A status as a coloured word. */
export function Status({ status }: { status: string }) {
  return <span class={`status ${status}`}>{status}</span>;
}
