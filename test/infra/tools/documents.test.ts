import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

/** Documents match the code. Those that are generated from it as a whole are in test/integration/generated.test.ts. */

const GUIDES = [
  'README.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const SCRIPTS = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts);

describe.each(GUIDES)('%s', (guide) => {
  const text = readFileSync(guide, 'utf8');

  test('refers only to commands and files that exist', () => {
    const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name as string);
    expect(commands.filter((name) => !SCRIPTS.includes(name))).toEqual([]);
    const links = [...text.matchAll(/(?:\]\(|src=")(?!https?:)([^)"#]+)/g)].map(([, path]) => path as string);
    for (const path of links) expect(() => statSync(join(dirname(guide), path))).not.toThrow();
  });
});

test('docs/contributing.md documents each script of package.json', () => {
  const contributing = readFileSync('docs/contributing.md', 'utf8');
  // Run without "run", or described in another way.
  const exceptions = ['start', 'test', 'jest', 'format'];
  expect(SCRIPTS.filter((name) => !exceptions.includes(name) && !contributing.includes(`npm run ${name}`))).toEqual([]);
});

test('docs/settings.md documents each environment variable', () => {
  const settings = readFileSync('docs/settings.md', 'utf8');
  const read = [...readFileSync('lib/runtime/config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
    ([, name]) => name,
  );
  expect(read.length).toBeGreaterThan(5);
  expect(read.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
});

test('binaries for one C library are marked as such in the lock, or npm installs those for the other one, too', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const bound = Object.entries<{ libc?: string[] }>(packages).filter(([path]) => /-linux-.*(musl|gnu)/.test(path));
  expect(bound.length).toBeGreaterThan(10);
  expect(bound.filter(([, { libc }]) => !libc).map(([path]) => path)).toEqual([]);
});

describe('licences', () => {
  /** A package whose package.json names no licence. Its README names MIT. */
  const UNNAMED = 'node_modules/memorystream';

  /** Licences that only require that notices are kept, or apply only to the files they are in. */
  const ACCEPTED =
    /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|MPL-2\.0|CC0-1\.0|CC-BY-4\.0|Zlib)$/;

  test('of all installed packages are permissive', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const others = Object.entries<{ license?: string; optional?: boolean }>(packages).filter(
      // Binaries for other platforms name no licence, but the package that needs them does.
      ([path, { license, optional }]) => path !== '' && path !== UNNAMED && !(optional && !license),
    );
    expect(others.length).toBeGreaterThan(500);
    const rejected = others.filter(([, { license = '' }]) => {
      const choices = license.replace(/[()]/g, '').split(' OR ');
      return !choices.some((choice) => choice.split(' AND ').every((part) => ACCEPTED.test(part)));
    });
    expect(rejected).toEqual([]);
  });
});
