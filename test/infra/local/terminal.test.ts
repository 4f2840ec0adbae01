import { afterEach, expect, jest, test } from '@jest/globals';
import { startGateway } from '../../../infra/local/gateway.ts';
import { startSteps } from '../../../infra/local/steps.ts';
import { terminalTelemetry } from '../../../infra/local/terminal-telemetry.ts';
import { reportFailures, warnOnce } from '../../../infra/local/warn-once.ts';
import { ERASE_LINE } from '../../../infra/tools/progress.ts';
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

/** What is written to a stream like this. */
function writtenTo(stream: { isTTY: boolean; columns: number }): { text: string; stream: NodeJS.WriteStream } {
  const written = { text: '', stream: stream as NodeJS.WriteStream };
  Object.assign(stream, {
    write: (text: string) => {
      written.text += text;
    },
  });
  return written;
}

test.each([
  [true, /^<erased> +\d\.\d s {2}one<erased> +\d\.\d s {2}long, <erased> +\d\.\d s {2}Ready\n +\d\.\d s {2}later\n$/],
  [false, /^ +\d\.\d s {2}one\n +\d\.\d s {2}long, longer\n +\d\.\d s {2}Ready\n +\d\.\d s {2}later\n$/],
])(
  'a start is one line that moves, if this is a terminal (%s), and a line for each step elsewhere',
  (isTTY, expected) => {
    const written = writtenTo({ isTTY, columns: 16 });
    const steps = startSteps(written.stream);
    steps.step('one');
    steps.step('long, longer');
    steps.finish('Ready');
    steps.step('later');
    expect(written.text.replaceAll(ERASE_LINE, '<erased>')).toMatch(expected);
  },
);

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
  const message = 'validators could not be recorded, and will be tried again';
  expect(warned.mock.calls).toEqual([[`warning: ${message} error=no response`]]);
  expect(printed.mock.calls).toEqual(Array(2).fill([`error: ${message} error=x is undefined`, bug]));
});

test('a function that throws is answered with a 503, and the reason is printed', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const error = new TypeError('x is undefined');
  const answer = () => Promise.reject(error);
  const { url } = keep(await startGateway({ port: 0, routes: [{ template: '/broken', answer }] }));
  expect((await fetch(`${url}/broken`)).status).toBe(503);
  expect(printed.mock.calls).toEqual([['error: a function has thrown error=x is undefined', error]]);
});
