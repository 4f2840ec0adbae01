import { expect, test } from '@jest/globals';
import { AbiCoder, makeError } from 'ethers';
import {
  ApiError,
  badParameter,
  contractUnavailable,
  internalError,
  isRefusal,
  levelOf,
  sourceUnavailable,
} from '../../../lib/runtime/errors.ts';

const named = (name: string) => Object.assign(new Error('any'), { name });

/** Returns the error that ethers throws when it reads an ABI word that is not an address. */
function undecodable(): unknown {
  try {
    return AbiCoder.defaultAbiCoder().decode(['address'], `0x${'f'.repeat(64)}`)[0];
  } catch (error) {
    return error;
  }
}

test.each<[string, unknown, 'warn' | 'error', boolean]>([
  ['an error that clients may see', sourceUnavailable(), 'warn', false],
  ['a call that reverted', makeError('any', 'CALL_EXCEPTION', {} as never), 'warn', true],
  ['an answer of another length', makeError('any', 'BAD_DATA', {} as never), 'warn', true],
  ['a word that is no address', undecodable(), 'warn', true],
  ['a table that is late', named('TimeoutError'), 'warn', false],
  ['a table that refuses', named('ValidationException'), 'error', false],
  ['a bug with details', Object.assign(new Error('any'), { error: 'any' }), 'error', false],
  ['a bug', new TypeError('deferred error during ABI decoding'), 'error', false],
  ['what is no error', 'TimeoutError', 'error', false],
])('%s is logged at the level of what it is', (_, error, level, isOfChain) => {
  expect([levelOf(error), isRefusal(error)]).toEqual([level, isOfChain]);
});

test('an error says what clients need, and keeps its cause for the log', () => {
  const cause = new Error('of http://provider.example/key');
  for (const error of [sourceUnavailable({ cause }), contractUnavailable(cause)]) {
    expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', status: 503, cause, headers: { 'Retry-After': '5' } });
    expect(error.message).toMatch(/^[A-Z].+ again (?:shortly|later)\.$/);
  }
  const errors = [{ parameter: 'limit', message: 'must be a number' }];
  const code = 'INVALID_REQUEST';
  expect(badParameter('limit', 'must be a number')).toMatchObject({ code, message: 'limit must be a number.', errors });
  expect(internalError()).toMatchObject({ status: 500, message: expect.stringMatching('report the requestId') });
  expect(new ApiError('METHOD_NOT_ALLOWED', 'No.', { headers: { Allow: 'GET' } }).headers).toEqual({ Allow: 'GET' });
});
