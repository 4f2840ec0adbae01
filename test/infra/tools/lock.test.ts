import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** The lock file: everything that `npm ci` may install, on any platform, has a hash that it is checked against. */

interface Package {
  version: string;
  integrity?: string;
  resolved?: string;
  /** True if the package is inside of another package, whose hash covers it. */
  inBundle?: boolean;
  libc?: string[];
  license?: string;
  optional?: boolean;
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

test('binaries for one C library are marked as such in the lock, or npm installs those for the other one, too', () => {
  const bound = Object.entries(packages).filter(([path]) => /-linux-.*(musl|gnu)/.test(path));
  expect(bound.length).toBeGreaterThan(10);
  expect(bound.filter(([, { libc }]) => !libc).map(([path]) => path)).toEqual([]);
});

/** A package whose package.json names no licence. Its README names MIT. */
const UNNAMED = 'node_modules/memorystream';

/** Licences that only require that notices are kept, or apply only to the files they are in. */
const ACCEPTED =
  /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|MPL-2\.0|CC0-1\.0|CC-BY-4\.0|Zlib)$/;

test('the licences of all installed packages are permissive', () => {
  const others = Object.entries(packages).filter(
    // Binaries for other platforms name no licence, but the package that needs them does.
    ([path, { license, optional }]) => path !== UNNAMED && !(optional && !license),
  );
  expect(others.length).toBeGreaterThan(500);
  const rejected = others.filter(([, { license = '' }]) => {
    const choices = license.replace(/[()]/g, '').split(' OR ');
    return !choices.some((choice) => choice.split(' AND ').every((part) => ACCEPTED.test(part)));
  });
  expect(rejected).toEqual([]);
});
