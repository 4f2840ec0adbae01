import { connect } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { startGateway } from '../../../infra/local/gateway.ts';
import { reportFailures, warnOnce } from '../../../infra/local/recorders.ts';
import { explainFailures, terminalTelemetry } from '../../../infra/local/terminal.ts';
import { UpstreamFailure } from '../../../lib/chain/upstream/failures.ts';
import { TooFewSources } from '../../../lib/ledger/sources.ts';
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

test.each<[outcomes: string[], line: RegExp, env?: Record<string, string>]>([
  [['http_401'], /^rpc-1 answered 401: is the key right\?$/],
  [['http_403', 'not_json'], /^rpc-1 answered 403: .*; rpc-2 did not answer in JSON: is the URL that of an RPC end/],
  [['http_403', 'http_403'], /^rpc-1, rpc-2 answered 403: .* All say the same: look for a proxy, firewall or login/],
  [['wrong_chain'], /^rpc-1 is of chain 1 instead of 43114: are its URL and NETWORK right\?$/],
  [['malformed'], /^rpc-1 gave no valid answer about the protocol: is it synced, and of NETWORK\?$/],
  [[''], /^rpc-1 gave no valid answer about the protocol: is it synced, and of NETWORK\?$/],
  [['timeout', 'timeout'], /^rpc-1, rpc-2 did not answer in time\. Check the network connection/],
  [['network'], /\. https_proxy is used only with NODE_USE_ENV_PROXY=1\.$/, { https_proxy: 'http://a' }],
  [['network'], /Check https_proxy, or name other/, { https_proxy: 'http://a', NODE_USE_ENV_PROXY: '1' }],
  [['rpc_-32000'], /^rpc-1 failed \(rpc_-32000\): its status page may say why$/],
  [['http_308', 'http_204'], /^rpc-1 answered 308: is the URL complete\?; rpc-2 answered 204: is the URL complete\?$/],
  [['http_429', 'http_429'], /^rpc-1, rpc-2 answered 429: too many requests; a key allows more$/],
  [
    ['network CERT_HAS_EXPIRED'],
    /^rpc-1 is not trusted \(CERT_HAS_EXPIRED\): a wrong clock, or a proxy whose CA NODE_EXTRA_CA_CERTS lacks\?$/,
  ],
  [['network EPROTO'], /^rpc-1 does not speak the protocol of its URL \(EPROTO\): is it http or https\?$/],
])('a start without a provider (%p) says what to do', (outcomes, line, env = {}) => {
  const providers = outcomes.map((_, index) => ({ name: `rpc-${index + 1}` }));
  const failures = outcomes.flatMap((text, index) => {
    const [outcome = '', reason = 'chain 1 instead of 43114'] = text.split(' ');
    const failure = new UpstreamFailure(outcome, { cause: new Error(reason) });
    return outcome ? [Object.assign(failure, { provider: `rpc-${index + 1}` })] : [];
  });
  const error = sourceUnavailable({ cause: new AggregateError(failures) });
  expect(explainFailures(error, providers, env)).toMatch(line);
});

test('a recorder tells each kind of warning and each reason once, every bug, and nothing of a stop', () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => {});
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const stopping = new AbortController();
  const failed = reportFailures(warnOnce(terminalTelemetry), stopping.signal);
  const bug = new TypeError('x is undefined');
  const late = Object.assign(new Error('no response'), { name: 'TimeoutError' });
  const few = ['x', 'x', 'y'].map((reason, block) => new TooFewSources(reason, { from: block, to: 9 }));
  for (const error of [late, sourceUnavailable(), bug, bug, ...few]) failed('validators')(error);
  stopping.abort();
  failed('distributions')(bug);
  const message = 'validators could not be recorded; retrying';
  const reasons = ['no response', 'blocks 0 to 9: x', 'blocks 2 to 9: y'];
  expect(warned.mock.calls).toEqual(reasons.map((reason) => [`warning: ${message} error=${reason}`]));
  expect(printed.mock.calls).toEqual(Array(2).fill([`error: ${message} error=x is undefined`, bug]));
});

/** The URL of an expensive endpoint with this answer. */
async function serving(answer: () => Promise<APIGatewayProxyResult>): Promise<string> {
  const { url } = keep(await startGateway({ port: 0, routes: [{ template: '/activity', answer }] }));
  return `${url}/activity`;
}

test('a function that throws is answered with a 503, and the reason is printed', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const error = new TypeError('x is undefined');
  const answer = () => Promise.reject(error);
  const url = await serving(answer);
  expect((await fetch(url)).status).toBe(503);
  expect(printed.mock.calls).toEqual([['error: a request could not be answered error=x is undefined', error]]);
});

test('two expensive requests run at once, fifty wait, and more are throttled', async () => {
  const release = Promise.withResolvers<void>();
  const runs = { now: 0, most: 0 };
  const answer = async () => {
    runs.now += 1;
    runs.most = Math.max(runs.most, runs.now);
    await release.promise;
    runs.now -= 1;
    return { statusCode: 200, body: '' };
  };
  const url = await serving(answer);
  const throttled = Promise.withResolvers<void>();
  let refused = 0;
  const requests = Array.from({ length: 60 }, async () => {
    const { status, headers } = await fetch(url);
    if (status === 503 && headers.get('Retry-After') === '1' && ++refused === 8) throttled.resolve();
    return status;
  });
  await throttled.promise;
  release.resolve();
  const statuses = await Promise.all(requests);
  expect([statuses.filter((status) => status === 200).length, refused, runs.most]).toEqual([52, 8, 2]);
});

test('waiting requests leave with their clients, and another path does not stand behind them', async () => {
  const release = Promise.withResolvers<void>();
  const started: string[] = [];
  const routes = ['/activity', '/holders'].map((template) => ({
    template,
    answer: async () => {
      started.push(template);
      await release.promise;
      return { statusCode: 200, body: '' };
    },
  }));
  const { url } = keep(await startGateway({ port: 0, routes }));
  // A client that is gone before its request is read starts nothing.
  const hasty = connect(Number(new URL(url).port), '127.0.0.1');
  hasty.write('GET /activity HTTP/1.1\r\nHost: a\r\n\r\n', () => hasty.destroy());
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(started).toEqual([]);
  const going = new AbortController();
  const dear = Array.from({ length: 40 }, () =>
    fetch(`${url}/activity`, { signal: going.signal }).catch(() => undefined),
  );
  while (started.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  going.abort();
  await Promise.all(dear);
  const rest = ['/activity', '/activity', '/holders'].map((path) => fetch(`${url}${path}`));
  while (started.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  release.resolve();
  expect((await Promise.all(rest)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(started.slice(2)).toEqual(['/holders', '/activity', '/activity']);
});

test('a query with more parameters than any endpoint takes is a 400 without a run', async () => {
  const url = await serving(() => Promise.reject(new Error('not reached')));
  expect((await fetch(`${url}?${'p=1&'.repeat(100)}p=1`)).status).toBe(400);
});
