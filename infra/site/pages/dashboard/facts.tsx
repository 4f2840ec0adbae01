import type { ComponentChildren } from 'preact';
import { short } from './format.ts';

/** A name, its value and an optional note. */
export type Fact = readonly [string, ComponentChildren, ComponentChildren?] | false | undefined;

/** A list of names and values. */
export function Facts({ of, big }: { of: readonly Fact[]; big?: boolean }) {
  return (
    <dl class={big ? 'facts big' : 'facts'}>
      {of.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
              {fact[2] !== undefined && <dd class="aside">{fact[2]}</dd>}
            </div>
          ),
      )}
    </dl>
  );
}

/** Horizontal bars, each with its name and its value as text. */
export function Bars({ of }: { of: readonly { label: string; meaning: string; value: number }[] }) {
  const most = Math.max(...of.map(({ value }) => value), 0);
  return (
    <ul class="bars">
      {of.map(({ label, meaning, value }) => (
        <li key={label}>
          <span>
            {label}
            <small>{meaning}</small>
          </span>
          <span class="bar" aria-hidden="true" style={{ '--part': most > 0 ? Math.min(1, value / most) : 0 }} />
          <span class="number">{short(value)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A status as a coloured word. */
export function Status({ of }: { of: string }) {
  return <span class={`status ${of}`}>{of}</span>;
}
