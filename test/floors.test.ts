import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

/** The architecture of `lib`: a folder or file imports from its own floor's downstairs only, types included. */

/** From the ground up. What is new gets its place here: as low as what it imports allows. */
const FLOORS = [
  ['remember'],
  ['aws', 'block', 'cb58', 'checksum', 'clock', 'keccak', 'networks', 'rewards', 'schemas', 'source-map', 'version'],
  ['amounts', 'config', 'telemetry'],
  ['http', 'params', 'per-process'],
  ['deadline', 'dynamodb', 'lists', 'secret'],
  ['durable'],
  ['cache', 'known', 'upstream'],
  ['chain'],
  ['context', 'contracts'],
  ['dataset', 'ledger', 'prices', 'runtime'],
  ['endpoint', 'flags', 'protocol'],
  ['history'],
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

/** `lib/http/errors.ts` is of `http`, `lib/amounts.ts` of `amounts`. */
const unitOf = (file: string) => String(file.split('/')[1]).replace('.ts', '');
const floorOf = (file: string) => FLOORS.findIndex((units) => units.includes(unitOf(file)));
const told = (found: readonly Import[]) => found.map(({ from, to }) => `${from} imports ${to}`);

test('everything in lib has its floor', () => {
  const units = new Set(globSync('lib/**/*.ts').map(unitOf));
  expect([...units].sort()).toEqual(FLOORS.flat().sort());
});

test('no import runs upstairs, or across its floor', () => {
  const inLib = imports.filter(({ from, to }) => from.startsWith('lib/') && to.startsWith('lib/'));
  expect(inLib.length).toBeGreaterThan(100);
  expect(told(inLib.filter(({ from, to }) => unitOf(from) !== unitOf(to) && floorOf(to) >= floorOf(from)))).toEqual([]);
});

test('lib knows nothing of functions, and neither of the two of infra', () => {
  const allowed = ({ from, to }: Import) =>
    to.startsWith('lib/') || (from.startsWith('functions/') && to.startsWith('functions/'));
  expect(told(imports.filter((found) => !allowed(found)))).toEqual([]);
});

test('a function imports no other one: each is bundled with its own code alone', () => {
  const others = imports.filter(({ from, to }) => to.startsWith('functions/') && from !== 'functions/index.ts');
  expect(told(others)).toEqual(['functions/root.ts imports functions/endpoints.json']);
});

test('no function of lib is there for its tests alone', () => {
  const words = new Map<string, number>();
  for (const file of globSync('{lib,functions,infra}/**/*.{ts,tsx}'))
    for (const [word] of readFileSync(file, 'utf8').matchAll(/\w+/g)) words.set(word, (words.get(word) ?? 0) + 1);
  const functions = globSync('lib/**/*.ts').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/^export (?:async )?function (\w+)/gm),
  ]);
  const names = functions.map(([, name]) => String(name));
  expect(names.length).toBeGreaterThan(100);
  // Where it is declared, and where it is called.
  expect(names.filter((name) => (words.get(name) ?? 0) < 2)).toEqual([]);
});
