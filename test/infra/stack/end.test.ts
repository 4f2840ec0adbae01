import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';

/** The list "End" of docs/operations.md, as far as it needs neither an account nor mainnet. */

const section = readFileSync('docs/operations.md', 'utf8').split(/^## End$/m)[1] ?? '';
const blocks = (language: string) =>
  [...section.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))].map(([, text = '']) => text);

test('its commands are scripts of this repository, and valid shell', () => {
  const text = blocks('sh').join('\n');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const called = [...text.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name);
  expect(called).toEqual(['backfill', 'export']);
  for (const name of called) expect(scripts).toHaveProperty(name);
  expect(spawnSync('bash', ['-n', '-c', text.replace(/<.+?>/g, 'x')]).stderr.toString()).toBe('');
});

test.each([
  ['/metrics', '/api/metrics.json'],
  ['/prices/', '/api/prices.json'],
  [`/accounts/0x${'aB'.repeat(20)}/income`, `/api/accounts/0x${'ab'.repeat(20)}/income.json`],
  ['/', undefined],
  ['/api/metrics.json', undefined],
  ['/lists/holders.csv', undefined],
  [`/address/0x${'ab'.repeat(20)}/`, undefined],
])('its rule for old paths sends %s to %s', (uri, location) => {
  const handler = runInNewContext(`${blocks('js')[0]}; handler`);
  const request = { uri };
  const answer = handler({ request });
  if (location) expect({ ...answer }).toMatchObject({ statusCode: 301, headers: { location: { value: location } } });
  else expect(answer).toBe(request);
});
