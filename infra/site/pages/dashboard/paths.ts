/** Paths of the API, relative to the page, each with the type of its responses. */

import type { Bodies } from '../../../../functions/index.ts';

/** The type of the response is known to the compiler only. */
export type Path<Body> = string & { readonly body: Body };

/** The path of an endpoint; `id` is the address or node ID in it, if it has one. */
export function pathOf<Template extends keyof Bodies>(
  template: Template,
  ...[id = '']: Template extends `${string}{${string}` ? [id: string] : []
): Path<Bodies[Template]> {
  return template.slice(1).replace(/\{\w+\}/, encodeURIComponent(id)) as Path<Bodies[Template]>;
}

export function withQuery<Body>(path: Path<Body>, params: Record<string, string | number>): Path<Body> {
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return `${path}${path.includes('?') ? '&' : '?'}${query}` as Path<Body>;
}
