import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { openApiDocument } from '../../../infra/site/openapi.ts';

/** String and number figures in the guide and the OpenAPI document, compared with the schema of every field. */

interface Schema {
  $ref?: string;
  type?: string;
  pattern?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
}

interface Field {
  path: string;
  name: string;
  type: string;
  kind: 'tokens' | 'USD' | 'percent';
}

interface Document {
  info: { description: string };
  paths: Record<string, { get: { responses: { 200: { content: { 'application/json': { schema: Schema } } } } } }>;
  components: { schemas: Record<string, Schema> };
}

const document = openApiDocument() as unknown as Document;
const DECIMAL = '^-?[0-9]+([.][0-9]+)?$';

/** The figures in the response of a path, at any depth. */
function figuresOf(path: string, schema: Schema, name = ''): Field[] {
  const { $ref, type = '', pattern, description = '', properties = {}, items, oneOf = [] } = schema;
  if ($ref) return figuresOf(path, { ...document.components.schemas[$ref.split('/').at(-1) as string] }, name);
  const parts = [...Object.entries(properties), ...[items, ...oneOf].flatMap((part) => (part ? [[name, part]] : []))];
  const inner = parts.flatMap(([key, part]) => figuresOf(path, part as Schema, key as string));
  const isFigure = pattern === DECIMAL || (type === 'number' && !description.includes('milliseconds'));
  if (!isFigure) return inner;
  const kind = description.includes('In percent') ? 'percent' : /In (USD|EUR)/.test(description) ? 'USD' : 'tokens';
  return [...inner, { path, name, type, kind }];
}

let figures: Field[];
/** The names in the sentence of the OpenAPI document about figures that are numbers. */
let documented: string[];
/** The paths whose figures are numbers, and the names of the strings among those figures, from the guide. */
let [paths, strings]: [string[], string[]] = [[], []];

beforeAll(async () => {
  figures = Object.entries(document.paths).flatMap(([path, { get }]) =>
    figuresOf(path, get.responses[200].content['application/json'].schema),
  );
  const guide = await readFile('infra/site/pages/guide/guide.md', 'utf8');
  const [rule = ''] = /^- Under [^.]*numbers instead[^.]*\./m.exec(guide) ?? [];
  const words = [...rule.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string);
  paths = words.filter((word) => word.startsWith('/'));
  strings = words.filter((word) => !word.startsWith('/'));
  documented = [
    ...(/Under [^.]*numbers instead[^.]*\./.exec(document.info.description)?.[0] ?? '').matchAll(/`([^`]+)`/g),
  ].map(([, word]) => word as string);
});

const isUnder = (path: string) => paths.some((parent) => `${path}/`.startsWith(`${parent}/`));

test('amounts, rates and prices in tokens are strings, except where the guide says that they are numbers', () => {
  const tokens = figures.filter(({ kind }) => kind === 'tokens');
  expect(tokens.length).toBeGreaterThan(150);
  const wrong = tokens.filter(({ path, name, type }) => {
    return type !== (isUnder(path) && !strings.includes(name) ? 'number' : 'string');
  });
  expect(wrong).toEqual([]);
  // Nothing is named in vain.
  const used = [paths.filter((path) => tokens.some((figure) => `${figure.path}/`.startsWith(`${path}/`)))];
  used.push(strings.filter((name) => tokens.some((figure) => isUnder(figure.path) && figure.name === name)));
  expect(used).toEqual([paths, strings]);
  expect(paths.length).toBeGreaterThan(0);
});

test('values in USD and percentages are numbers', () => {
  const others = figures.filter(({ kind }) => kind !== 'tokens');
  expect(new Set(others.map(({ kind, type }) => `${kind}: ${type}`))).toEqual(
    new Set(['USD: number', 'percent: number']),
  );
});

test('the OpenAPI document says the same as the guide', () => {
  expect(documented).toEqual([...paths, ...strings]);
});
