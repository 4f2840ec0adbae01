import { afterEach, expect, jest, test } from '@jest/globals';
import { startGateway } from '../../../infra/local/gateway.ts';
import { terminalTelemetry } from '../../../infra/local/terminal-telemetry.ts';
import { reportFailures, warnOnce } from '../../../infra/local/warn-once.ts';
import { sourceUnavailable } from '../../../lib/runtime/errors.ts';
import { stoppedAfterEach } from '../../support/servers.ts';

/** The output of `npm start` in a developer's terminal. */

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

test('a recorder tells each kind of warning once, every bug, and nothing of a stop', () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => {});
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const stopping = new AbortController();
  const failed = reportFailures(warnOnce(terminalTelemetry), stopping.signal);
  const bug = new TypeError('x is undefined');
  const late = Object.assign(new Error('no response'), { name: 'TimeoutError' });
  for (const error of [late, sourceUnavailable(), bug, bug]) failed('validators')(error);
  stopping.abort();
  failed('distributions')(bug);
  const message = 'validators could not be recorded; retrying';
  expect(warned.mock.calls).toEqual([[`warning: ${message} error=no response`]]);
  expect(printed.mock.calls).toEqual(Array(2).fill([`error: ${message} error=x is undefined`, bug]));
});

test('a function that throws is answered with a 503, and the reason is printed', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const error = new TypeError('x is undefined');
  const answer = () => Promise.reject(error);
  const { url } = keep(await startGateway({ port: 0, routes: [{ template: '/broken', answer }] }));
  expect((await fetch(`${url}/broken`)).status).toBe(503);
  expect(printed.mock.calls).toEqual([['error: a request could not be answered error=x is undefined', error]]);
});
