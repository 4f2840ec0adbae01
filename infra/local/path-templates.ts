/** Paths of endpoints, such as `/prices/{dex}`, read as API Gateway reads them. */

/** The names of the variables in a path: `/prices/{dex}/history` has `dex`. */
export function parseVariables(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** Orders templates as API Gateway prefers them: `/prices/history` comes before `/prices/{dex}`. */
export function byPreference(a: string, b: string): number {
  return parseVariables(a).length - parseVariables(b).length;
}

/** By template: compiling one takes longer than most answers. */
const patterns = new Map<string, RegExp>();

/** The values of a path template's parameters, as sent, or undefined if the path does not match it. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const sourceOf = () => template.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const pattern = patterns.get(template) ?? new RegExp(`^${sourceOf()}/?$`);
  patterns.set(template, pattern);
  const match = pattern.exec(path);
  return match ? { ...match.groups } : undefined;
}
