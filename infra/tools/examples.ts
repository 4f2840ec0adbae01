import { isDeepStrictEqual } from 'node:util';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';

/**
 * The contents of `docs/examples.md`: a request to each endpoint, and its response on the local chain. A stored example stays as it
 * is while an answer of today looks like it, so that a new endpoint changes no example but its own.
 */

const INTRODUCTION = `# Examples

A request to each endpoint, and its response on the local chain. Lists are cut after their first entry. The API reference, at \`/docs\` of
every deployment, describes each field.`;
const STORED = /\$ curl 'http:\/\/localhost:3000(.*)'\n([\s\S]*?)\n```/g;
const MORE = /, … \d+ more\]/g;

/** The document, given the stored one and the body of the answer to each request. */
export async function examplesDocument(stored: string, bodyOf: (request: string) => Promise<unknown>): Promise<string> {
  const outputs = new Map([...stored.matchAll(STORED)].map(([, request, output]) => [request, output as string]));
  const blocks = [INTRODUCTION];
  let tag = '';
  for (const endpoint of Object.values(ENDPOINTS)) {
    if (endpoint.tag !== tag) blocks.push(`## ${endpoint.tag}`);
    tag = endpoint.tag;
    const output = outputs.get(endpoint.exampleRequest);
    const body = await bodyOf(endpoint.exampleRequest);
    blocks.push(block(endpoint, output && isCurrent(endpoint, output, body) ? output : abridged(body)));
  }
  return `${blocks.join('\n\n')}\n`;
}

function block({ path, summary, exampleRequest }: Endpoint, output: string): string {
  return [
    `<details><summary><code>GET ${path}</code> ${summary}</summary>\n`,
    '```console',
    `$ curl 'http://localhost:3000${exampleRequest}'`,
    output,
    '```\n',
    '</details>',
  ].join('\n');
}

function isCurrent({ response }: Endpoint, output: string, body: unknown): boolean {
  const stored = JSON.parse(output.replace(MORE, ']'));
  const { success, data } = response().safeParse(stored);
  return success && isDeepStrictEqual(data, stored) && looksLike(stored, body);
}

/**
 * Whether two values have the same fields, with values of the same types. The first entry of a stored list may be any entry of the
 * other; if the other has none of its `type`, nothing can be said about it.
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A body with one line per field, and with only the first entry of each list. */
function abridged(body: unknown): string {
  if (!isObject(body)) return JSON.stringify(body);
  const lines = Object.entries(body).map(([name, value]) => `  ${JSON.stringify(name)}: ${inOneLine(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) {
    const more = value.length > 1 ? `, … ${value.length - 1} more` : '';
    return value.length > 0 ? `[${inOneLine(value[0])}${more}]` : '[]';
  }
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${inOneLine(field)}`);
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}';
}
