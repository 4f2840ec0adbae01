import { afterEach, expect, jest, test } from '@jest/globals';
import { startGateway } from '../../../infra/local/gateway.ts';
import { terminalTelemetry } from '../../../infra/local/terminal-telemetry.ts';
import { sourceUnavailable } from '../../../lib/runtime/errors.ts';
import { stoppedAfterEach } from '../../support/servers.ts';

/** What a developer sees in the terminal of `npm start`. */

const keep = stoppedAfterEach();
afterEach(() => {
  jest.restoreAllMocks();
});

test('a warning names the causes of an error, also those without a message', () => {
  const printed = jest.spyOn(console, 'warn').mockImplementation(() => {});
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  const error = sourceUnavailable({ cause: new Error('p-chain: network', { cause: refused }) });
  terminalTelemetry.warn('request failed', { key: 7, error });
  expect(printed.mock.calls).toEqual([
    [`warning: request failed key=7 error=${error.message} (p-chain: network (ECONNREFUSED))`],
  ]);
});

test('a function that throws is answered with a 503, and the reason is printed', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const error = new TypeError('x is undefined');
  const answer = () => Promise.reject(error);
  const { url } = keep(await startGateway({ port: 0, routes: [{ template: '/broken', answer }] }));
  expect((await fetch(`${url}/broken`)).status).toBe(503);
  expect(printed.mock.calls).toEqual([['error: a function has thrown error=x is undefined', error]]);
});
