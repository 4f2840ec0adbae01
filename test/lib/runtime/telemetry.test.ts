import { expect, test } from '@jest/globals';
import { outcomeName } from '../../../lib/runtime/telemetry.ts';

test.each([
  ['ok', 'ok'],
  ['http_429', 'http_429'],
  ['http_502', 'http_other'],
  ['rpc_-32005', 'rpc_-32005'],
  ['rpc_12345', 'rpc_other'],
  ['anything\nelse', 'other'],
])('the outcome %j is the metric of %s: providers cannot invent metrics', (outcome, name) => {
  expect(outcomeName(outcome)).toBe(name);
});
