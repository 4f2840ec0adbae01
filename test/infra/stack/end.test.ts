import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';

/** The rule in docs/operations.md by which a host of the exported files answers old paths. */
const [, RULE = ''] = /^ *```js\n(.*?)^ *```/ms.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];

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
])('it answers %s with %s', (uri, target) => {
  const request = { uri };
  const answer = runInNewContext(`${RULE}; handler`)({ request });
  expect(answer === request ? request.uri : answer.headers.location.value).toBe(target);
  expect(answer === request || answer.statusCode === 301).toBe(true);
});
