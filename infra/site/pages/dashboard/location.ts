/** The view of the page in its URL: it can be shared, and the browser's Back and Forward buttons work. */

import { useEffect, useReducer } from 'preact/hooks';
import { type Subject, subjectOfURL, toParams } from './subject.ts';

const CHANGED = 'subject-changed';

/** The text in the page's URL that names addresses or a node, and these if it is valid; kept up to date. */
export function useSubject(): { asked: string; subject: Subject | undefined } {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const changed = () => redraw(undefined);
    for (const event of ['popstate', CHANGED]) addEventListener(event, changed);
  }, []);
  const params = new URLSearchParams(location.search);
  const asked = { address: params.get('address') ?? undefined, node: params.get('node') ?? undefined };
  return { asked: asked.address || asked.node || '', subject: subjectOfURL(asked) };
}

/** Shows addresses or a node; without one, only the protocol. */
export function show(subject?: Subject): void {
  const params = Object.entries(toParams(subject)).flatMap(([name, value]) => (value ? [[name, value]] : []));
  follow(`?${new URLSearchParams(params)}`);
}

/** Goes to a view of this page, without loading the page again. */
export function follow(href: string): void {
  if (href === location.search) return;
  history.pushState(null, '', href === '?' ? location.pathname : href);
  dispatchEvent(new Event(CHANGED));
  // When the view is drawn.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('#subject')?.focus());
}
