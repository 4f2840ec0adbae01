import { expect, test } from '@jest/globals';
import { subjectIn } from '../../infra/site/pages/dashboard/subject.ts';

const ADDRESS = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg';
const DIGITS = ADDRESS.slice(2);
const TRANSACTION = `0x${'a1'.repeat(32)}`;

test.each([
  ['invisible characters', `\u200b${ADDRESS}\u2060`, { address: ADDRESS }],
  ['spaces in it', `0x${DIGITS.slice(0, 20)} ${DIGITS.slice(20)}`, { address: ADDRESS }],
  ['capital letters', `0X${DIGITS.toUpperCase()}`, { address: `0x${DIGITS.toUpperCase()}` }],
  ['the prefix of the C-Chain', `C-${ADDRESS}`, { address: ADDRESS }],
  ['the URL of an explorer', `https://snowtrace.io/address/${ADDRESS}?chainid=43114#${ADDRESS}`, { address: ADDRESS }],
  ['a sentence', `My node is ${NODE}.`, { node: NODE }],
])('an address or node is found in a text with %s', (_, text, subject) => {
  expect(subjectIn(text)).toEqual(subject);
});

test.each([TRANSACTION, `https://snowtrace.io/tx/${TRANSACTION}`, `${ADDRESS} ${NODE}`, ''])(
  'nothing is found in "%s"',
  (text) => {
    expect(subjectIn(text)).toBeUndefined();
  },
);
