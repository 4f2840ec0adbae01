import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ProtocolState } from '../../lib/chain/chain.ts';
import { WAD } from '../../lib/values/wad.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

/**
 * Runs the examples in the doc comments of `lib`. A line `expression // value` is compared; other lines are setup. In
 * scope are the exports of the module, WAD, and the devnet's `state`.
 */

const BLOCK = /@example\n((?: \* .*\n)+) \*\//g;
const COMPARED = /^(?!\/\/)(.+?) \/\/ (.+)$/;

const examples = globSync('lib/**/*.ts')
  .sort()
  .flatMap((file) => {
    const blocks = [...readFileSync(file, 'utf8').matchAll(BLOCK)];
    return blocks.map(([, block], index) => ({
      file,
      index,
      lines: String(block).replaceAll(/^ \* /gm, '').split('\n'),
    }));
  });

tablesForAllTests();
let state: ProtocolState;

beforeAll(async () => {
  state = await startOnDevnet().opened.chain.latest();
});

test('every example is found, and has an expected value', () => {
  expect(examples.length).toBeGreaterThan(10);
  const all = globSync('lib/**/*.ts').flatMap((file) => readFileSync(file, 'utf8').match(/@example/g) ?? []);
  expect(examples).toHaveLength(all.length);
  for (const { lines } of examples) expect(lines.some((line) => COMPARED.test(line))).toBe(true);
});

describe.each(examples)('$file, example $index', ({ file, lines }) => {
  test('gives the values it states', async () => {
    const scope = { WAD, state, ...(await import(`../../${file}`)), expect };
    const code = lines.map((line) => line.replace(COMPARED, 'expect($1).toEqual($2);')).join('\n');
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    await new AsyncFunction(...Object.keys(scope), code)(...Object.values(scope));
  });
});
