import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * The architecture of `lib`: a folder imports, types included, only from lower layers, or from folders of its layer.
 */

const LAYERS = [
  // Endpoints and their responses; all data of the service as files.
  ['api', 'archive'],
  // The data of responses.
  ['flags', 'history', 'ledger', 'prices', 'protocol', 'validators'],
  // The chain, the tables, and pure maths.
  ['cache', 'chain', 'contracts', 'rewards', 'tables'],
  // Shared by all layers.
  ['runtime', 'values'],
];

interface Import {
  from: string;
  to: string;
}

const imports = globSync('{lib,functions}/**/*.ts').flatMap((from): Import[] =>
  [...readFileSync(from, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path]) => ({
    from,
    to: join(dirname(from), String(path)),
  })),
);

const folderOf = (file: string) => String(file.split('/')[1]);
const layerOf = (file: string) => LAYERS.findIndex((folders) => folders.includes(folderOf(file)));
const listed = (found: readonly Import[]) => found.map(({ from, to }) => `${from} imports ${to}`);
const between = imports.filter(
  ({ from, to }) => from.startsWith('lib/') && to.startsWith('lib/') && folderOf(from) !== folderOf(to),
);

test('every file of lib is in a folder, and every folder on a layer', () => {
  const folders = new Set(globSync('lib/*'));
  expect([...folders].map(folderOf).sort()).toEqual(LAYERS.flat().sort());
});

test('lib imports nothing from a higher layer', () => {
  expect(between.length).toBeGreaterThan(100);
  expect(listed(between.filter(({ from, to }) => layerOf(to) < layerOf(from)))).toEqual([]);
});

test('folders on the same layer do not import each other in a circle', () => {
  const importsOf = (folder: string) =>
    new Set(between.filter(({ from }) => folderOf(from) === folder).map(({ to }) => folderOf(to)));
  const circles = (path: readonly string[]): string[] =>
    [...importsOf(path.at(-1) as string)].flatMap((next) =>
      path.includes(next) ? [[...path.slice(path.indexOf(next)), next].join(' → ')] : circles([...path, next]),
    );
  expect([...new Set(LAYERS.flat().flatMap((folder) => circles([folder])))]).toEqual([]);
});

test('lib imports nothing from functions, and neither of them imports from infra', () => {
  const allowed = ({ from, to }: Import) =>
    to.startsWith('lib/') || (from.startsWith('functions/') && to.startsWith('functions/'));
  expect(listed(imports.filter((found) => !allowed(found)))).toEqual([]);
});

test('no function imports another: each bundle holds only its own code', () => {
  const others = imports.filter(({ from, to }) => to.startsWith('functions/') && from !== 'functions/index.ts');
  expect(listed(others)).toEqual([]);
});

test('every exported function of lib is used by the product, not only by tests', () => {
  const words = new Map<string, number>();
  for (const file of globSync('{lib,functions,infra}/**/*.{ts,tsx}'))
    for (const [word] of readFileSync(file, 'utf8').matchAll(/\w+/g)) words.set(word, (words.get(word) ?? 0) + 1);
  const functions = globSync('lib/**/*.ts').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/^export (?:async )?function (\w+)/gm),
  ]);
  const names = functions.map(([, name]) => String(name));
  expect(names.length).toBeGreaterThan(100);
  // Once where it is declared, and at least once where it is used.
  expect(names.filter((name) => (words.get(name) ?? 0) < 2)).toEqual([]);
});
