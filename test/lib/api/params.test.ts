import { describe, expect, test } from '@jest/globals';
import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import {
  addressesParam,
  addressParam,
  amountParam,
  choicesParam,
  cursorParam,
  integerParam,
  nodeIDParam,
  percentParam,
  timeCursorParam,
} from '../../../lib/api/params.ts';
import { formatNodeID } from '../../../lib/values/cb58.ts';
import { WAD } from '../../../lib/values/wad.ts';

/** The JSON Schema of a parameter. */
const schemaOf = (param: z.ZodMiniType) => z.toJSONSchema(param, { io: 'input' }) as { pattern: string };

const messageOf = (param: z.ZodMiniType, given: unknown) => param.safeParse(given).error?.issues[0]?.message;

describe('choices', () => {
  const statuses = choicesParam(['open', 'half open', 'shut'], 'States to keep.');

  test.each([
    ['shut', ['shut']],
    ['shut,open', ['open', 'shut']],
    ['open, half open', ['half open', 'open']],
    ['open,open', ['open']],
    [
      ['shut', 'open'],
      ['open', 'shut'],
    ],
    [
      ['shut', 'open,shut'],
      ['open', 'shut'],
    ],
  ])('%j is read as %j: each once, sorted, so that equal requests share a cache key', (given, expected) => {
    expect(statuses.parse(given)).toEqual(expected);
  });

  test.each([
    ['', '""'],
    ['Open', '"Open"'],
    ['open,', '""'],
    ['open;shut', '"open;shut"'],
    ['open,ajar,a', '"ajar", "a"'],
  ])('reject %j with what is accepted, and what is wrong', (text, wrong) => {
    const accepted = 'must be one or more of open, half open, shut, separated by commas';
    expect(messageOf(statuses, text)).toBe(`${accepted}. Not so: ${wrong}`);
  });
});

test('a parameter that takes one value is rejected if it is given twice', () => {
  expect(messageOf(integerParam(0, 9, ''), ['1', '2'])).toBe('must be given only once');
});

test('a missing parameter is rejected with what is accepted', () => {
  expect(messageOf(integerParam(0, 9, ''), undefined)).toBe('is required: an integer from 0 to 9');
});

describe('an amount', () => {
  test.each([
    [22_500_000n, ['0', '007', '9999999', '19999999.999999999999999999', '22499999.9', '22500000', '22500000.000']],
    [720_000_000n, ['719999999.5', '699999999', '720000000', '99999999']],
    [10_000_000n, ['9999999.999999999999999999', '10000000.0', '0010000000']],
  ])('up to %d is accepted if it matches the documented pattern', (max, texts) => {
    const param = amountParam(max * WAD, '');
    const pattern = new RegExp(schemaOf(param).pattern);
    const beyond = [`${max}.000000000000000001`, `${max + 1n}`, `1${max}`];
    const others = ['1e3', '-1', '', '.5', '5.', '1.0000000000000000000'];
    for (const [list, matches, accepted] of [
      [texts, true, true],
      [beyond, true, false],
      [others, false, false],
    ] as const)
      for (const text of list)
        expect([text, pattern.test(text), param.safeParse(text).success]).toEqual([text, matches, accepted]);
  });
});

test.each([
  ['0', 0],
  ['-0.0', 0],
  ['100', 100],
  ['99.9999999999999999', 100],
  ['1e-7', 1e-7],
  ['1E+1', 10],
])('the percentage %s is read as %d', (text, expected) => {
  expect(percentParam('').parse(text)).toBe(expected);
});

test.each(['100.0000001', '-1', '-1e-9', '1e3', '5 %', '', 'Infinity', '0x10', '.5'])(
  '%j is not a percentage',
  (text) => {
    expect(messageOf(percentParam(''), text)).toBe('must be a percentage from 0 to 100');
  },
);

describe('an address or a node ID', () => {
  const CHECKSUMMED = '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A';
  const WRONG = CHECKSUMMED.replace('F29B', 'f29B');
  const [address, nodeID] = [addressParam(''), nodeIDParam('')];
  const texts = (...zeros: number[]) =>
    zeros.map((count) => formatNodeID(`0x${'00'.repeat(count)}${'01'.repeat(20 - count)}`));

  test.each([
    [address, [CHECKSUMMED, CHECKSUMMED.toLowerCase(), `0x${CHECKSUMMED.slice(2).toUpperCase()}`]],
    // The shortest and longest node IDs have 25 and 33 digits.
    [nodeID, [CHECKSUMMED, WRONG, ...texts(0, 1, 10, 19, 20), formatNodeID(`0x${'ff'.repeat(20)}`)]],
  ])('is accepted in every form that matches the documented pattern', (param, accepted) => {
    const pattern = new RegExp(schemaOf(param).pattern);
    for (const text of accepted)
      expect([text, pattern.test(text), param.safeParse(text).success]).toEqual([text, true, true]);
    for (const text of [
      '',
      CHECKSUMMED.slice(2),
      `${CHECKSUMMED}0`,
      CHECKSUMMED.slice(0, -1),
      `0x${'g'.repeat(40)}`,
      `NodeID-${'1'.repeat(24)}`,
      `NodeID-${'1'.repeat(34)}`,
    ])
      expect([text, pattern.test(text), param.safeParse(text).success]).toEqual([text, false, false]);
  });

  test.each([
    [address, WRONG, /^must be an address: 0x followed by 40 hex digits, .*The checksum is wrong/],
    [nodeID, 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE4', /valid checksum/],
  ])('is refused with a wrong checksum, which no pattern can tell', (param, text, message) => {
    expect(schemaOf(param).pattern).toBeDefined();
    expect(new RegExp(schemaOf(param).pattern).test(text)).toBe(true);
    expect(messageOf(param, text)).toMatch(message);
  });
});

test('a cursor is documented by the pattern that it has to match, and refused with where to get one', () => {
  const cursor = cursorParam(/^p[0-9]$/, String);
  expect(schemaOf(cursor)).toMatchObject({ type: 'string', pattern: '^p[0-9]$' });
  expect(cursor.parse('p7')).toBe('p7');
  expect(messageOf(cursor, '7')).toBe('must be the nextCursor of a previous page');
  expect(timeCursorParam().parse('1789084800')).toBe(1_789_084_800);
});

test('a list of addresses takes each once, in any case, up to its maximum, and names what is none', () => {
  const addresses = addressesParam(4, '');
  const [first = '', ...others] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);
  const twice = [first, first.toUpperCase().replace('X', 'x'), ` ${first}\n`, others[0]].join();
  expect(addresses.parse(twice)).toEqual([first, others[0]].map((text = '') => getAddress(text)));
  expect(messageOf(addresses, [twice, first].join())).toMatch(/^must be 1 to 4 addresses.* checksum$/);
  expect(messageOf(addresses, `${first},`)).toMatch(/Not so: ""$/);
  expect(messageOf(addresses, 'a,b,c,d,e,f')).toMatch(/Not so: "a", "b", "c", "d", "e" …$/);
});
