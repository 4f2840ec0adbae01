import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../functions/index.ts';
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
