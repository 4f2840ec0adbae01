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

test('every package has a hash, and none a registry of its own', () => {
  const unsafe = Object.entries(packages).filter(
    ([, { integrity = '', resolved, inBundle }]) =>
      resolved !== undefined || (!inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity)),
  );
  // A missing one: npm view NAME@VERSION dist.integrity
  expect(unsafe.map(([path, { version }]) => `${path}@${version}`)).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(500);
});
