import { useEffect, useReducer } from 'preact/hooks';

/** What is looked at stands in the page's URL, so that it can be shared, and that back and forward work. */

const REMEMBERED = 'lookUp';
const FOLLOWED = 'followed';
const readers = new Set<() => void>();

addEventListener('popstate', tellAll);

function tellAll(): void {
  for (const tell of readers) tell();
}

/** One parameter of the page's URL. */
export function useParam(name: string): string | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const tell = () => redraw(undefined);
    readers.add(tell);
    return () => void readers.delete(tell);
  }, []);
  return new URLSearchParams(location.search).get(name) ?? undefined;
}

/** The page's URL with other parameters; `undefined` takes one away. */
export function hrefWith(params: Record<string, string | undefined>): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return query.size > 0 ? `?${query}` : location.pathname;
}

/** How the page shows something else: a range in its place, another address or node as a step that Back takes back. */
export function setParams(params: Record<string, string | undefined>, step: 'replace' | 'push' = 'replace'): void {
  history[`${step}State`](step === 'push' ? FOLLOWED : history.state, '', hrefWith(params));
  tellAll();
}

/** Whether the visitor went to what the page shows now from within the page. */
export function isFollowed(): boolean {
  return history.state === FOLLOWED;
}

/** An address or a node. */
export type Subject = { address: string; node?: never } | { node: string; address?: never };

/** What a typed text names, or undefined if it is neither. */
export function subjectOf(text: string): Subject | undefined {
  const typed = text.trim();
  if (/^0x[0-9a-f]{40}$/i.test(typed)) return { address: typed };
  if (/^NodeID-[1-9A-HJ-NP-Za-km-z]{20,40}$/.test(typed)) return { node: typed };
  return undefined;
}

/**
 * What the page's URL names, or undefined if that is neither an address nor a node: whatever else a link says goes into no path of
 * the API. A node may be named in hex.
 */
export function subjectIn({
  address,
  node,
}: {
  address: string | undefined;
  node: string | undefined;
}): Subject | undefined {
  const named = subjectOf(address || node || '');
  return named?.address && !address ? { node: named.address } : named;
}

/** The parameters of the page for an address or a node. */
export function paramsOf(subject?: Subject): { address: string | undefined; node: string | undefined } {
  return { address: subject?.address, node: subject?.node };
}

/** What this device remembers, and nobody else; undefined where the visitor's browser lets pages keep nothing. */
export const memory = ((): Storage | undefined => {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
})();

/** Remembers what to show next time; forgets it without one. */
export function remember(subject?: Subject): void {
  if (subject) memory?.setItem(REMEMBERED, subject.address ?? subject.node);
  else memory?.removeItem(REMEMBERED);
}

/** What the visitor asked this device to remember. */
export function remembered(): Subject | undefined {
  return subjectOf(memory?.getItem(REMEMBERED) ?? '');
}
