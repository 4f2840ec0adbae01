import { jest } from '@jest/globals';
import type { ComponentType } from 'preact';

/** Parts of the dashboard as text, rendered without a browser from given answers of the API. */

/** The parts of a browser that modules of the dashboard use when they are loaded or rendered. */
Object.assign(globalThis, {
  addEventListener: () => {},
  location: new URL('http://localhost/dashboard'),
  document: { title: 'Dashboard', querySelector: () => null },
  matchMedia: () => ({ matches: true }),
});

const { h } = await import('preact');
const { renderToString } = await import('preact-render-to-string');
const { keep } = await import('../../infra/site/pages/dashboard/sources.ts');

/** 1 December 2026, noon. */
export const NOW = Date.UTC(2026, 11, 1, 12) / 1_000;
jest.useFakeTimers({ now: NOW * 1_000 });

export const loaded = <Body>(body: Body) => ({ body, stale: false, madeAt: NOW * 1_000 });

/** The HTML of a component, by answers to paths relative to the page. */
export function htmlOf<Props extends object>(
  component: ComponentType<Props>,
  props: Props,
  answers: Record<string, unknown> = {},
): string {
  for (const [path, body] of Object.entries(answers)) keep(path, loaded(body));
  return renderToString(h(component, props));
}

/** The text of HTML: blocks are separated by spaces. */
export function textOf(html: string): string {
  const text = html.replace(/<\/(p|li|h\d|dt|dd|td|th|summary)>/g, ' ').replace(/<[^>]+>/g, '');
  return text.replaceAll('&#39;', "'").replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();
}
