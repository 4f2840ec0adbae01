/** The view of the page in its URL: it can be shared, and the browser's Back and Forward buttons work. */

import { useEffect, useReducer } from 'preact/hooks';
import { type Subject, subjectIn } from './subject.ts';

const CHANGED = 'subject-changed';

/** The text in the page's URL that names addresses or a node, and these if it is valid; kept up to date. */
export function useSubject(): { text: string; subject: Subject | undefined } {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const changed = () => redraw(undefined);
    for (const event of ['popstate', CHANGED]) addEventListener(event, changed);
  }, []);
  const params = new URLSearchParams(location.search);
  const text = params.get('address') || params.get('node') || '';
  return { text, subject: subjectIn(text) };
}

/** Shows addresses or a node. */
export function show({ address, addresses, node }: Subject): void {
  const list = address ?? [...(addresses?.valid ?? []), ...(addresses?.wrong ?? [])].join();
  follow(`?${new URLSearchParams(node ? { node } : { address: list })}`);
}

/** Goes to a view of this page, without loading the page again; `?` is the view without addresses. */
export function follow(href: string): void {
  if (href === location.search) return;
  history.pushState(null, '', href === '?' ? location.pathname : href);
  dispatchEvent(new Event(CHANGED));
  // When the view is drawn.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('#subject')?.focus());
}
