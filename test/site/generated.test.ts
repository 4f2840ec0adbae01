import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { hashTable, viewTable } from '../../infra/hashes.ts';
import { licencesDocument } from '../../infra/licences.ts';
import type { Endpoint } from '../../lib/endpoint.ts';

/** What is generated stays true. `npm run generate` renews it. */

const EXAMPLES = readFileSync('docs/examples.md', 'utf8');
const GUIDES = [
  'README.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const SCRIPTS = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts);

const examples = new Map(
  [...EXAMPLES.matchAll(/\$ curl 'http:\/\/localhost:3000(.*)'\n([\s\S]*?)\n```/g)].map(([, request, output]) => [
    request,
    output as string,
  ]),
);

test('the list that / answers is the list of endpoints', () => {
  const list = Object.values(ENDPOINTS).map(({ path, tag, summary }) => ({ path, tag, summary }));
  expect(JSON.parse(readFileSync('functions/endpoints.json', 'utf8'))).toEqual(list);
});

test('the hashes that no cold start makes are those of all events and keys', () => {
  expect(JSON.parse(readFileSync('lib/hashes.json', 'utf8'))).toEqual(hashTable());
});

test('the views that no cold start parses are all that there are', async () => {
  expect(JSON.parse(readFileSync('lib/chain/views.json', 'utf8'))).toEqual(await viewTable());
});

test('there is an example for each endpoint, in the order of the table of contents', () => {
  expect([...examples.keys()]).toEqual(Object.values(ENDPOINTS).map(({ exampleRequest }) => exampleRequest));
});

describe.each(Object.entries(ENDPOINTS))('the example of %s', (_, endpoint: Endpoint) => {
  test('is a response of today', () => {
    const output = examples.get(endpoint.exampleRequest) as string;
    const body = JSON.parse(output.replace(/, … \d+ more\]/g, ']'));
    expect(endpoint.response().parse(body)).toEqual(body);
  });
});

describe.each(GUIDES)('%s', (guide) => {
  const text = readFileSync(guide, 'utf8');

  test('names commands and files that are there', () => {
    const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name as string);
    expect(commands.filter((name) => !SCRIPTS.includes(name))).toEqual([]);
    const links = [...text.matchAll(/(?:\]\(|src=")(?!https?:)([^)"#]+)/g)].map(([, path]) => path as string);
    for (const path of links) expect(() => statSync(join(dirname(guide), path))).not.toThrow();
  });
});

test('each script of package.json that people run is explained to them', () => {
  const contributing = readFileSync('docs/contributing.md', 'utf8');
  const inner = ['start', 'test', 'jest', 'format'];
  expect(SCRIPTS.filter((name) => !inner.includes(name) && !contributing.includes(`npm run ${name}`))).toEqual([]);
});

test('each variable that is read is in the table of settings', () => {
  const settings = readFileSync('docs/settings.md', 'utf8');
  const read = [...readFileSync('lib/config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(5);
  expect(read.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
});

describe('licences', () => {
  test("of others' code that goes out are listed", async () => {
    expect(readFileSync('docs/licences.md', 'utf8')).toBe(await licencesDocument());
  });

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
