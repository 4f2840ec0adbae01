/**
 * Browsers translate a page by replacing its text nodes, after which Preact's changes of them are not seen any more. So
 * data is never translated, and what contains changing sentences is made anew at each change of a translated page.
 */

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

/** Amounts, identifiers, calls and other data: not translated. */
export function Data({ title, children }: { title?: string; children: ComponentChildren }) {
  return (
    <span translate={false} title={title}>
      {children}
    </span>
  );
}

/** The key of an element with changing sentences: a new one at each rendering while the page is translated. */
export function useFreshKey(): number {
  const renderings = useRef(0);
  // Chrome, Edge and their extensions wrap translated text in this element, which nothing else uses.
  if (document.querySelector('main font')) renderings.current++;
  return renderings.current;
}
