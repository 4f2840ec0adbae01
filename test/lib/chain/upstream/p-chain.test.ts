import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { PChain } from '../../../../lib/chain/upstream/p-chain.ts';
import { testClock } from '../../../support/clock.ts';
import { startServer, stoppedAfterEach } from '../../../support/servers.ts';

const keep = stoppedAfterEach();

let attempts: string[];
beforeEach(() => {
  attempts = [];
});

/** A provider that gives this answer to every method, and records what it was asked. */
async function provider(answer: object) {
  const asked: unknown[] = [];
  const server = await startServer(async (request, response) => {
    asked.push(JSON.parse(await text(request)));
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, ...answer }));
  });
  return { ...keep(server), asked };
}

const pChain = (...providers: { url: string }[]) =>
  new PChain(
    providers.map(({ url }) => url),
    {
      attemptMs: 60_000,
      budgetMs: 180_000,
      onAttempt: ({ provider: name, outcome }) => attempts.push(`${name} ${outcome}`),
      clock: testClock(),
    },
  );

describe('the supply', () => {
  test('is read exactly, to the nAVAX', async () => {
    const one = await provider({ result: { supply: '457738302123456789', height: '1' } });
    expect(await pChain(one).currentSupply()).toBe(457_738_302_123_456_789n);
    expect(one.asked).toEqual([{ jsonrpc: '2.0', id: 0, method: 'platform.getCurrentSupply', params: {} }]);
    expect(attempts).toEqual(['p-chain-1 ok']);
  });

  test.each<[string, object]>([
    ['an empty text', { supply: '' }],
    ['zero', { supply: '0' }],
    ['a number with leading zeros', { supply: '0457' }],
    ['negative', { supply: '-457' }],
    ['a number with a unit', { supply: '457 nAVAX' }],
    ['a number with a trailing space', { supply: '457 ' }],
    ['hexadecimal', { supply: '0x457' }],
    ['more than the maximum', { supply: '720000000000000001' }],
    ['missing', {}],
  ])('that is %s is malformed, and the next provider is asked', async (_, result) => {
    const good = await provider({ result: { supply: '7' } });
    expect(await pChain(await provider({ result }), good).currentSupply()).toBe(7n);
    expect(attempts).toEqual(['p-chain-1 malformed', 'p-chain-2 ok']);
  });
});

test.each<[string, object, string]>([
  ['because it lacks the method', { error: { code: -32_601, message: 'no such method' } }, 'no_method'],
  ['with what looks like a revert', { error: { code: 3, message: 'execution reverted' } }, 'reverted'],
  ['with what looks like a size limit', { error: { code: -32_000, message: 'response is too large' } }, 'refused'],
])('a provider that refuses a call %s is skipped for the next one', async (_, answer, outcome) => {
  const good = await provider({ result: 'answer' });
  const answered = await pChain(await provider(answer), good).call('platform.x', (result) => result);
  expect(answered).toBe('answer');
  expect(attempts).toEqual([`p-chain-1 ${outcome}`, 'p-chain-2 ok']);
});
