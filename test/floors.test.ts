import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

/** The architecture of `lib`: a folder or file imports, types included, only from the floors below its own. */

/** From the lowest floor to the highest. Put something new on the lowest floor that its imports allow. */
const FLOORS = [
  ['cb58', 'remember'],
  ['aws', 'block', 'checksum', 'clock', 'keccak', 'networks', 'rewards', 'schemas', 'source-map', 'version'],
  ['amounts', 'config', 'telemetry'],
  ['http', 'params', 'per-process', 'scheduled'],
  ['deadline', 'dynamodb', 'lists', 'secret'],
  ['durable'],
  ['cache', 'known', 'upstream'],
  ['chain'],
  ['context', 'contracts'],
  ['dataset', 'ledger', 'runtime'],
  ['definition', 'flags', 'prices'],
  ['answer', 'protocol'],
  ['endpoint', 'history'],
  ['validators'],
  ['bodies'],
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

/** `lib/http/errors.ts` belongs to `http`, `lib/amounts.ts` to `amounts`. */
const unitOf = (file: string) => String(file.split('/')[1]).replace('.ts', '');
const floorOf = (file: string) => FLOORS.findIndex((units) => units.includes(unitOf(file)));
const listed = (found: readonly Import[]) => found.map(({ from, to }) => `${from} imports ${to}`);

test('every folder and file of lib is on a floor', () => {
  const units = new Set(globSync('lib/**/*.ts').map(unitOf));
  expect([...units].sort()).toEqual(FLOORS.flat().sort());
});

test('lib imports only from lower floors', () => {
  const inLib = imports.filter(({ from, to }) => from.startsWith('lib/') && to.startsWith('lib/'));
  expect(inLib.length).toBeGreaterThan(100);
  expect(listed(inLib.filter(({ from, to }) => unitOf(from) !== unitOf(to) && floorOf(to) >= floorOf(from)))).toEqual(
    [],
  );
});

test('lib imports nothing from functions, and neither of them imports from infra', () => {
  const allowed = ({ from, to }: Import) =>
    to.startsWith('lib/') || (from.startsWith('functions/') && to.startsWith('functions/'));
  expect(listed(imports.filter((found) => !allowed(found)))).toEqual([]);
});

test('no function imports another: each bundle holds only its own code', () => {
  const others = imports.filter(({ from, to }) => to.startsWith('functions/') && from !== 'functions/index.ts');
  expect(listed(others)).toEqual(['functions/root.ts imports functions/endpoints.json']);
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
