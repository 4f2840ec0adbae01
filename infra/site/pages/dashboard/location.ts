/** The page's state is in its URL, so that it can be shared, and the browser's Back and Forward buttons work. */

import { useLayoutEffect, useReducer } from 'preact/hooks';
import { parseSubject, type Subject, toParams } from './subject.ts';

const REMEMBERED = 'lookUp';
const readers = new Set<() => void>();
let followed = false;

addEventListener('popstate', () => {
  followed = false;
  tellAll();
});

function tellAll(): void {
  for (const tell of readers) tell();
}

/** A parameter of the page's URL, kept up to date. */
export function useParam(name: string): string | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // Not useEffect, which runs a frame later and would miss a change until then.
  useLayoutEffect(() => {
    const tell = () => redraw(undefined);
    readers.add(tell);
    return () => void readers.delete(tell);
  }, []);
  return new URLSearchParams(location.search).get(name) ?? undefined;
}

/** The page's URL with changed parameters; `undefined` removes one. */
export function hrefWith(params: Record<string, string | undefined>): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return query.size > 0 ? `?${query}` : location.pathname;
}

/** Changes parameters of the page's URL. With `push`, the Back button undoes the change, if there is one. */
export function setParams(params: Record<string, string | undefined>, step: 'replace' | 'push' = 'replace'): void {
  // A new view begins at its top; a changed part of the same view stays where it is.
  const href = hrefWith(params) + (step === 'replace' ? location.hash : '');
  const isSame = new URL(href, location.href).href === location.href;
  history[step === 'push' && !isSame ? 'pushState' : 'replaceState'](null, '', href);
  if (step === 'push') followed = true;
  tellAll();
}

/** True if the visitor came to the current view by a link or a look-up on this page, not by the Back button. */
export function isFollowed(): boolean {
  return followed;
}

/** The browser's storage on this device; undefined if the browser blocks it. */
export const memory = ((): Storage | undefined => {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
})();

/** Remembers what to show next time; without it, forgets it. */
export function remember(subject?: Subject): void {
  const { address, node } = toParams(subject);
  if (address || node) memory?.setItem(REMEMBERED, address ?? node ?? '');
  else memory?.removeItem(REMEMBERED);
}

/** The addresses or node that are remembered on this device. */
export function remembered(): Subject | undefined {
  return parseSubject(memory?.getItem(REMEMBERED) ?? '');
}
