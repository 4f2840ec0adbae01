import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** The lock file: everything that `npm ci` may install, on any platform, has a hash that it is checked against. */

interface Package {
  version: string;
  integrity?: string;
  resolved?: string;
  /** True if the package is inside of another package, whose hash covers it. */
  inBundle?: boolean;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Package> };
const { '': root, ...packages } = lock.packages;

const nameIn = (path: string) => path.split('node_modules/').at(-1) as string;

test('every package has a hash, and none a registry of its own', () => {
  const unsafe = Object.entries(packages).filter(
    ([, { integrity = '', resolved, inBundle }]) =>
      resolved !== undefined || (!inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity)),
  );
  // A missing one: npm view NAME@VERSION dist.integrity
  expect(unsafe.map(([path, { version }]) => `${path}@${version}`)).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(500);
});

test('a release comes with a list of its packages and their hashes', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { bomFormat, components } = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8' }));
  expect(bomFormat).toBe('CycloneDX');
  const listed = components.map(({ name, version }: { name: string; version: string }) => [name, version]);
  expect(listed).toEqual(expect.arrayContaining(Object.entries(dependencies)));
  const bundled = new Set(Object.entries(packages).flatMap(([path, { inBundle }]) => (inBundle ? nameIn(path) : [])));
  const unhashed = components.filter(({ hashes }: { hashes?: unknown[] }) => !hashes?.length);
  expect(unhashed.filter(({ name }: { name: string }) => !bundled.has(name))).toEqual([]);
});
