import { describe, expect, test } from '@jest/globals';
import { Interface, makeError } from 'ethers';
import { answered, contractAt, ifAnswered } from '../../../lib/chain/contract.ts';
import { type Call, runnerOf } from '../../support/contracts.ts';

/** Contracts as the readers use them, with a runner that gives the answers a test defines. */

const ADDRESS = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const ABI = [
  'function name() view returns (string)',
  'function decimals() view returns (uint8)',
  'function owner() view returns (address)',
  'function reserves(uint24 id) view returns (uint112 x, uint112 y)',
  'function pairs() view returns ((uint16 binStep, address pair)[])',
] as const;
const INTERFACE = new Interface(ABI);

function answering(answer: (request: Call) => string) {
  return contractAt(ADDRESS, ABI, runnerOf(answer));
}

const word = (digits: string) => `0x${digits.padStart(64, '0')}`;

test('calls go to the address, and results have the types of the signatures', async () => {
  const requests: Call[] = [];
  const token = answering((request) => {
    requests.push(request);
    return INTERFACE.encodeFunctionResult('reserves', [7n, 8n]);
  });
  const [x, y]: readonly [bigint, bigint] = await token.reserves(9);
  expect([x, y]).toEqual([7n, 8n]);
  expect(requests).toEqual([{ to: ADDRESS, data: INTERFACE.encodeFunctionData('reserves', [9]) }]);

  // Numbers of every width are bigints. A single result is not wrapped in a list, and structs have named fields.
  const decimals: bigint = await answering(() => word('12')).decimals();
  expect(decimals).toBe(18n);
  const pairs = await answering(() => INTERFACE.encodeFunctionResult('pairs', [[[20n, ADDRESS]]])).pairs();
  const binStep: bigint | undefined = pairs[0]?.binStep;
  const pair: string | undefined = pairs[0]?.pair;
  expect([binStep, pair]).toEqual([20n, ADDRESS]);
});

test('what contradicts the signatures does not compile', async () => {
  const token = answering(() => word('1'));
  // @ts-expect-error there is no such view
  expect(() => token.symbol()).toThrow(TypeError);
  // @ts-expect-error a number is not a string
  const decimals: string = await token.decimals();
  expect(typeof decimals).toBe('bigint');
  // @ts-expect-error its id is missing
  await expect(token.reserves()).rejects.toThrow();
});

describe('a view without a valid answer is omitted:', () => {
  const refuses = (): string => {
    throw makeError('execution reverted', 'CALL_EXCEPTION', {} as never);
  };

  test.each<[string, 'name' | 'decimals' | 'owner', () => string]>([
    ['no data, because there is no contract', 'name', () => '0x'],
    ['half a word', 'decimals', () => '0x1234'],
    ['an offset beyond the data', 'name', () => word('ff')],
    ['bytes that are not UTF-8', 'name', () => word('20') + word('2').slice(2) + 'c328'.padEnd(64, '0')],
    ['a word that is not an address', 'owner', () => word('f'.repeat(64))],
    ['a revert', 'owner', refuses],
  ])('%s', async (_, view, answer) => {
    const token = answering(answer);
    expect(await ifAnswered<unknown>(token[view]())).toBeUndefined();
    const other = answering(() => word('12')).decimals();
    expect(await answered<{ missing: unknown; other: bigint }>({ missing: token[view](), other })).toEqual({
      other: 18n,
    });
  });

  test('but a source that cannot be read is an error', async () => {
    const token = answering(() => {
      throw new Error('unreachable');
    });
    await expect(ifAnswered(token.owner())).rejects.toThrow('unreachable');
  });
});
