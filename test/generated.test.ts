import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../functions/index.ts';
import { licencesDocument } from '../infra/licences.ts';
import { EXAMPLE_REQUESTS } from '../infra/local/example-requests.ts';
import type { Endpoint } from '../lib/endpoint.ts';

/** What is generated stays true. `npm run generate` renews it. */

const README = readFileSync('README.md', 'utf8');
const SCRIPTS = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts);

const examples = new Map(
  [...README.matchAll(/\$ curl 'http:\/\/localhost:3000(.*)'\n([\s\S]*?)\n```/g)].map(([, request, output]) => [
    request,
    output as string,
  ]),
);

test('the list that / answers is the list of endpoints', () => {
  const list = Object.values(ENDPOINTS).map(({ path, tag, summary }) => ({ path, tag, summary }));
  expect(JSON.parse(readFileSync('functions/endpoints.json', 'utf8'))).toEqual(list);
});

test('there is an example for each endpoint, in the order of the table of contents', () => {
  expect([...examples.keys()]).toEqual(Object.keys(ENDPOINTS).map((file) => EXAMPLE_REQUESTS[file]));
});

describe.each(Object.entries(ENDPOINTS))('the example of %s', (file, endpoint: Endpoint) => {
  test('is a response of today', () => {
    const output = examples.get(EXAMPLE_REQUESTS[file] as string) as string;
    const body = JSON.parse(output.replace(/, … \d+ more\]/g, ']'));
    expect(endpoint.response().parse(body)).toEqual(body);
  });
});

test('each command and each file that it names is there', () => {
  const commands = [...README.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name as string);
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter((name) => !SCRIPTS.includes(name))).toEqual([]);
  const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path as string);
  expect(links.length).toBeGreaterThan(1);
  for (const path of links) expect(() => readFileSync(path)).not.toThrow();
});

test('each variable that is read is in the table of settings', () => {
  const read = [...readFileSync('lib/config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(5);
  expect(read.filter((name) => !README.includes(`\`${name}\``))).toEqual([]);
});

describe('licences', () => {
  test("of others' code that goes out are listed", async () => {
    expect(readFileSync('docs/licences.md', 'utf8')).toBe(await licencesDocument());
  }, 30_000);

  /** Its package.json names none; its README says MIT. */
  const UNNAMED = 'node_modules/memorystream';

  /** Nothing that asks more of users than to keep a notice, or that binds more than its own file. */
  const ACCEPTED =
    /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|MPL-2\.0|CC0-1\.0|CC-BY-4\.0|Zlib)$/;

  test('of all that is installed are permissive', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const others = Object.entries<{ license?: string; dev?: boolean; optional?: boolean }>(packages).filter(
      // The binaries of other platforms say nothing; their package does.
      ([path, { license, optional }]) => path !== '' && path !== UNNAMED && !(optional && !license),
    );
    expect(others.length).toBeGreaterThan(500);
    const refused = others.filter(([, { license = '' }]) => {
      const choices = license.replace(/[()]/g, '').split(' OR ');
      return !choices.some((choice) => choice.split(' AND ').every((part) => ACCEPTED.test(part)));
    });
    expect(refused).toEqual([]);
  });
});
