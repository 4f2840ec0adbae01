import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { RpcCall } from '../../../../lib/chain/upstream/json-rpc.ts';
import { Provider } from '../../../../lib/chain/upstream/provider.ts';
import { systemClock } from '../../../../lib/runtime/clock.ts';
import { startServer, stoppedAfterEach } from '../../../support/servers.ts';

const keep = stoppedAfterEach();

interface Sent {
  jsonrpc: string;
  id: number;
  method: string;
  params: unknown;
}

interface Answer {
  status?: number;
  /** Text is sent as it is, anything else as JSON. */
  body: unknown;
}

/** A provider on a real socket that answers with what `answer` returns for the JSON of a request. */
async function provider(answer: (json: Sent | Sent[]) => Answer): Promise<Provider & { received: (Sent | Sent[])[] }> {
  const received: (Sent | Sent[])[] = [];
  const server = await startServer(async (request, response) => {
    const json = JSON.parse(await text(request));
    received.push(json);
    const { status = 200, body } = answer(json);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  keep(server);
  return Object.assign(new Provider('rpc-1', server.url, systemClock), { received });
}

const result = ({ id, method }: Sent) => ({ jsonrpc: '2.0', id, result: `result of ${method}` });
/** The results of a batch, or of a single call. */
const results = (json: Sent | Sent[]) => ({ body: Array.isArray(json) ? json.map(result) : result(json) });
const sizeOf = (json: Sent | Sent[]) => (Array.isArray(json) ? json.length : 1);
const error = (code: number, message: string) => ({ jsonrpc: '2.0', id: 0, error: { code, message } });
const calls = (...methods: string[]): RpcCall[] => methods.map((method) => ({ method, params: [] }));
const send = (to: Provider, ...methods: string[]) => to.send(calls(...methods), 2_000);

describe('a batch', () => {
  test('is one HTTP request, and a single call is not sent as a batch', async () => {
    const to = await provider(results);
    expect(await send(to, 'a', 'b')).toEqual(['result of a', 'result of b']);
    expect(await send(to, 'c')).toEqual(['result of c']);
    expect(to.received).toEqual([
      [
        { jsonrpc: '2.0', id: 0, method: 'a', params: [] },
        { jsonrpc: '2.0', id: 1, method: 'b', params: [] },
      ],
      { jsonrpc: '2.0', id: 0, method: 'c', params: [] },
    ]);
  });

  test('may fail in part: an error with an id fails only its call', async () => {
    const to = await provider((json) => ({
      body: [{ ...error(3, 'execution reverted'), id: 1 }, result((json as Sent[])[0] as Sent)],
    }));
    const [a, b] = await send(to, 'a', 'b');
    expect(a).toBe('result of a');
    expect(b).toMatchObject({ outcome: 'reverted', cause: { message: 'execution reverted' } });
    expect(to.received).toHaveLength(1);
  });

  test('has at most 40 calls', async () => {
    const to = await provider(results);
    const methods = Array.from({ length: 81 }, (_, index) => `m${index}`);
    expect(await send(to, ...methods)).toEqual(methods.map((method) => `result of ${method}`));
    expect(to.received.map(sizeOf).sort()).toEqual([1, 40, 40]);
  });

  test('that is too large with HTTP 413 may be divided, and then is smaller from call to call', async () => {
    const to = await provider((json) => (sizeOf(json) > 3 ? { status: 413, body: '' } : results(json)));
    const sizes = () => to.received.splice(0).map(sizeOf);
    const refused = { outcome: 'too_large', mayDivide: true };
    expect(await send(to, 'a', 'b', 'c', 'd')).toMatchObject(Array(4).fill(refused));
    expect(sizes()).toEqual([4]);
    expect(await send(to, 'a', 'b', 'c', 'd')).toEqual(['a', 'b', 'c', 'd'].map((method) => `result of ${method}`));
    expect(sizes()).toEqual([2, 2]);
  });
});

describe('a provider that refuses batches', () => {
  const free = 'Batch of more than 3 requests are not allowed on free plan';
  test.each<[string, (calls: Sent[]) => Answer]>([
    ['with -32600', () => ({ body: error(-32_600, 'batch requests are not supported') })],
    ['with -32600 in a list, without an id', () => ({ body: [{ error: { code: -32_600, message: 'no batches' } }] })],
    ['with another code', () => ({ body: error(31, free) })],
    ['with one answer', () => ({ body: { jsonrpc: '2.0', id: 0, result: 'of the first' } })],
    ['with null', () => ({ body: null })],
    ['with HTTP 400 and JSON', () => ({ status: 400, body: { message: 'cannot unmarshal array' } })],
    // These look like errors of the calls, because they have ids.
    ['as dRPC does', (sent) => ({ status: 500, body: sent.map(({ id }) => ({ ...error(31, free), id })) })],
    ['as go-ethereum does', () => ({ body: [error(-32_600, 'batch too large')] })],
    ['with indented JSON', () => ({ body: JSON.stringify([error(-32_600, 'batch too large')], null, 2) })],
  ])('%s gets the calls one by one, from then on', async (_, refusal) => {
    const to = await provider((json) => (Array.isArray(json) ? refusal(json) : { body: result(json) }));
    expect(await send(to, 'a', 'b')).toEqual(['result of a', 'result of b']);
    expect(await send(to, 'c', 'd')).toEqual(['result of c', 'result of d']);
    expect(to.received.map((json) => Array.isArray(json))).toEqual([true, false, false, false, false]);
  });

  test.each([
    ['names how many calls it takes', 'Batch of more than 3 requests are not allowed on free plan', [5, 3, 3, 2, 2]],
    ['does not', 'batch too large', [5, 2, 2, 2, 2, 1, 1]],
  ])('as too long and %s gets shorter ones', async (_, message, sizes) => {
    const to = await provider((json) => (sizeOf(json) > 3 ? { body: error(-32_600, message) } : results(json)));
    const sent = ['a', 'b', 'c', 'd', 'e'];
    for (const _ of [1, 2]) expect(await send(to, ...sent)).toEqual(sent.map((method) => `result of ${method}`));
    expect(to.received.map(sizeOf).toSorted((x, y) => y - x)).toEqual(sizes);
  });
});

const NO_STATE = { outcome: 'no_state', penaltyMs: 0 };
const TOO_LARGE = { outcome: 'too_large', penaltyMs: 0 };

describe('an error', () => {
  const outcomeOf = async (code: number, message: string) => {
    const to = await provider(() => ({ body: error(code, message) }));
    return (await send(to, 'eth_call'))[0] as Error;
  };

  test.each<[string, number, string, object]>([
    ...[
      'cannot query unfinalized data',
      'requested to block 4501 after last accepted block 4500',
      'block range extends beyond current head block',
      'missing execution results for asynchronous block 0x1194',
      'missing trie node 31c1 (path ) state 0x31c1 is not available',
      'required historical state unavailable (reexec=128)',
      'header not found',
      'block not found: 0x1194',
      'history has been pruned for this block',
      'Unknown state. First available state is 1',
      'Archive requests require a personal token. Get one at: <url>',
      'no state to seed reconstruction: block 4500',
      'BlockOutOfRangeError: block height is 4500 but requested was 4501',
    ].map((message): [string, number, string, object] => ['lacks the state', -32_000, message, NO_STATE]),
    ...[
      'out of gas: gas required exceeds: 50000000',
      'transaction exceeds block gas limit',
      'response size exceeded',
      'requested too many blocks from 1 to 9999, maximum is set to 2048',
      'Block range is too wide',
      'eth_getLogs is limited to a 10,000 range',
      'ranges over 2,048 blocks are not supported',
      'query returned more than 10000 results',
      'range 1000000 exceeds limit of 10000',
      'query exceeds max results 20000, retry with the range 40000-40099',
      'Response is too big',
      'Max range: 800',
    ].map((message): [string, number, string, object] => ['refuses the size', -32_000, message, TOO_LARGE]),
    // Ankr's words, and those of https://github.com/foundry-rs/foundry/issues/12687
    ['refuses the size', -32_603, 'response exceeds size limit', TOO_LARGE],
    ['refuses the size', -32_005, 'Maximum allowed number of requested blocks is 1000', TOO_LARGE],
    ['refuses the size', -32_005, 'query timeout exceeded', { outcome: 'too_large', penaltyMs: 30_000 }],
    ['throttles', -32_005, 'slow down', { outcome: 'rpc_-32005', penaltyMs: 30_000, isCertain: false }],
    ['throttles', 429, 'slow down', { outcome: 'rpc_429', isCertain: true }],
    ['throttles', -32_007, '50/second request limit reached', { outcome: 'rpc_-32007', isCertain: true }],
    ['fails', -32_603, 'slow down', { outcome: 'rpc_-32603' }],
    ['fails', -32_000, 'requested to block', { outcome: 'rpc_-32000', penaltyMs: 30_000 }],
    ['fails', 3, 'execution failed', { outcome: 'reverted', penaltyMs: 30_000 }],
    ['fails', -32_015, 'VM execution error: Reverted', { outcome: 'reverted' }],
  ])('means that the provider %s: %d "%s"', async (_, code, message, expected) => {
    expect(await outcomeOf(code, message)).toMatchObject(expected);
  });

  test('may have its text in an object beside the message', async () => {
    const data = { reason: { limit: 'query returned more than 10000 results' } };
    const to = await provider(() => ({ body: { id: 0, error: { code: -32_602, message: 'invalid params', data } } }));
    expect((await send(to, 'eth_getLogs'))[0]).toMatchObject(TOO_LARGE);
  });

  test('is reported without the URL it quotes, and cut to 200 characters', async () => {
    const failure = await outcomeOf(-32_000, `POST https://node.example/key-123 failed ${'x'.repeat(500)}`);
    expect(failure.cause).toMatchObject({ message: expect.stringMatching(/^POST <url> failed x+$/) });
    expect((failure.cause as Error).message).toHaveLength(200);
  });

  test.each<[string, unknown, string]>([
    ['a long text as its code', { code: 'x'.repeat(500), message: 'no' }, 'rpc_unknown'],
    ['an unknown code', { code: 914_202_735, message: 'no' }, 'rpc_unknown'],
    ['a message that cannot be converted to text', { code: -32_000, message: { toString: 1 } }, 'rpc_-32000'],
    ['text in place of an object', 'no', 'rpc_unknown'],
  ])('with %s is a failure of the provider', async (_, thrown, outcome) => {
    const to = await provider(() => ({ body: { id: 0, error: thrown } }));
    expect(await send(to, 'a', 'b')).toEqual(Array(2).fill(expect.objectContaining({ outcome })));
  });
});

describe('an answer', () => {
  test.each<[string, Answer, object]>([
    ['null for a block', { body: { id: 0, result: null } }, { outcome: 'no_state', penaltyMs: 0 }],
    ['without a result', { body: { id: 0 } }, { outcome: 'incomplete', penaltyMs: 30_000 }],
    ['that is null', { body: 'null' }, { outcome: 'incomplete' }],
    ['that is not JSON', { body: '<html>' }, { outcome: 'not_json' }],
    ['413', { status: 413, body: '' }, { outcome: 'too_large' }],
    ['429', { status: 429, body: '{}' }, { outcome: 'http_429' }],
    ['429 with an error', { status: 429, body: error(-32_000, 'header not found') }, { outcome: 'http_429' }],
    ['500 with an error', { status: 500, body: error(-32_000, 'header not found') }, { outcome: 'http_500' }],
    ['403 with JSON', { status: 403, body: '{"message":"Forbidden"}' }, { outcome: 'http_403' }],
    ['202 with a result', { status: 202, body: { id: 0, result: '0x' } }, { outcome: 'http_202' }],
  ])('(%s) has an outcome that says what is wrong', async (_, answer, expected) => {
    expect((await send(await provider(() => answer), 'a'))[0]).toMatchObject(expected);
  });
});
