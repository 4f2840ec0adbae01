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

const [LOWER, MIXED] = [`0x${'ab'.repeat(20)}`, `0x${'aB'.repeat(20)}`];
test.each([
  ['/metrics', '/api/metrics.json'],
  ['/prices/', '/api/prices.json'],
  [`/accounts/${MIXED}/income`, `/api/accounts/${LOWER}/income.json`],
  ['/', '/'],
  ['/docs/guide/', '/docs/guide/index.html'],
  ['/api/metrics.json', '/api/metrics.json'],
  ['/lists/holders.csv', '/lists/holders.csv'],
  [`/address/${MIXED}.html`, `/address/${LOWER}.html`],
])('its rule for old paths answers %s with %s', (uri, target) => {
  const request = { uri };
  const answer = runInNewContext(`${blocks('js')[0]}; handler`)({ request });
  expect(answer === request ? request.uri : answer.headers.location.value).toBe(target);
  expect(answer === request || answer.statusCode === 301).toBe(true);
});
