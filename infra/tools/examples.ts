import { isDeepStrictEqual } from 'node:util';
import { ENDPOINTS } from '../../functions/index.ts';
import { isObject, linePerField } from '../site/example.ts';

/**
 * The example of each endpoint: its response on the local chain, with lists cut after their first entry. The OpenAPI document
 * is made from them. Stored values stay as they are while responses look like them, so that a new field changes
 * no line but its own.
 */
type Examples = Record<string, unknown>;

/** The examples by path, given the stored ones and the body of the answer to each request. */
export async function renewed(stored: Examples, bodyOf: (request: string) => Promise<unknown>): Promise<Examples> {
  const examples: Examples = {};
  for (const endpoint of Object.values(ENDPOINTS)) {
    const body = await bodyOf(endpoint.exampleRequest);
    const example = stored[endpoint.path];
    const { success, data } = endpoint.response().safeParse(example);
    const isCurrent = success && isDeepStrictEqual(data, example) && looksLike(example, body);
    examples[endpoint.path] = isCurrent ? example : abridged(body);
  }
  return examples;
}

/** The file of the examples, a line for each field. */
export function examplesFile(examples: Examples): string {
  const lines = Object.entries(examples).map(([path, example]) => `${JSON.stringify(path)}: ${linePerField(example)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/**
 * True if two values have the same fields, with values of the same types. The first entry of a stored list may be any
 * entry of the other list. If the other list has no entry of its `type`, the lists count as alike.
 */
function looksLike(stored: unknown, other: unknown): boolean {
  if (Array.isArray(stored) && Array.isArray(other)) {
    const [first] = stored;
    const comparable = other.filter(({ type }) => type === first?.type);
    return comparable.length === 0 || comparable.some((entry) => looksLike(first, entry));
  }
  if (!isObject(stored) || !isObject(other)) return typeof stored === typeof other;
  const names = Object.keys(stored);
  return isDeepStrictEqual(names, Object.keys(other)) && names.every((name) => looksLike(stored[name], other[name]));
}

/**
 * A body with one entry of each list: the first of those with the most fields, because the fields of the first entry may depend
 * on the time of day.
 */
function abridged(body: unknown): unknown {
  if (Array.isArray(body)) {
    const fieldsOf = (entry: unknown) => (isObject(entry) ? Object.keys(entry).length : 0);
    return body
      .toSorted((a, b) => fieldsOf(b) - fieldsOf(a))
      .slice(0, 1)
      .map(abridged);
  }
  if (!isObject(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, abridged(value)]));
}
