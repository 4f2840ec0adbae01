import { describe, expect, test } from '@jest/globals';
import { LogRangeSize, parseLimit, parseRange } from '../../../lib/ledger/log-range-size.ts';

/**
 * Error messages of providers (from public documentation and issues, 2026), and the number of blocks that they would
 * accept.
 */
const WORDINGS: [words: string, hint: number | undefined][] = [
  ['requested too many blocks from 3000 to 8000, maximum is set to 2048', 2_048],
  ['Log response size exceeded. this block range should work: [0x10, 0x1f]', 16],
  ['You can make eth_getLogs requests with up to a 10 block range.', 10],
  ['query returned more than 10000 results. Try with this block range [0x100, 0x2ff].', 512],
  ['query returned more than 10000 results', undefined],
  ['Maximum allowed number of requested blocks is 1000', 1_000],
  ['eth_getLogs is limited to a 10,000 range', 10_000],
  ['block range is too wide', undefined],
  ['query exceeds max results 20000, retry with the range 40000-40099', 100],
  ['ranges over 10000 blocks are not supported on freetier', 10_000],
  ['range 1000000 exceeds limit of 10000', 10_000],
  ['eth_getLogs range is too large, max is 1k blocks', undefined],
  ['exceed maximum block range: 50000', 50_000],
  ['eth_getLogs and eth_newFilter are limited to 0 - 50 blocks range', 50],
  ['Response is too big', undefined],
  ['Max range: 800', 800],
];

test.each(WORDINGS)('the refusal "%s" hints at %s blocks', (words, hint) => {
  expect(parseRange(words) ?? parseLimit(words)).toBe(hint);
});

describe('a log range', () => {
  const blocksAfter = (...steps: ((size: LogRangeSize) => void)[]) => {
    const size = new LogRangeSize();
    for (const step of steps) step(size);
    return size.blocks;
  };
  const answered = (size: LogRangeSize) => size.answered(size.blocks, 0);
  const refused = (words?: string) => (size: LogRangeSize) => size.refused(size.blocks, words);

  test('starts with 500 blocks, and grows by a twentieth with each answer', () => {
    expect(blocksAfter()).toBe(500);
    expect(blocksAfter(answered)).toBe(525);
    expect(blocksAfter(answered, answered)).toBe(552);
  });

  test('does not grow after an answer for fewer blocks', () => {
    expect(blocksAfter((size) => size.answered(499, 0))).toBe(500);
  });

  test('is made smaller by more logs than are wanted, in proportion, and grows again with fewer', () => {
    const withLogs = (logs: number) => (size: LogRangeSize) => size.answered(size.blocks, logs);
    expect(blocksAfter(withLogs(1_000))).toBe(525);
    expect(blocksAfter(withLogs(1_001))).toBe(500);
    expect(blocksAfter(withLogs(4_000))).toBe(125);
    expect(blocksAfter(withLogs(10_000_000))).toBe(1);
    expect(blocksAfter(withLogs(4_000), withLogs(999))).toBe(132);
    // A later window of the same batch, as large as the first one was.
    expect(blocksAfter(withLogs(4_000), (size) => size.answered(500, 1_500))).toBe(125);
  });

  test('is halved by a refusal without a hint, and otherwise takes a smaller hint', () => {
    expect(blocksAfter(refused())).toBe(250);
    expect(blocksAfter(refused('maximum is set to 499'))).toBe(499);
    expect(blocksAfter(refused('maximum is set to 500'))).toBe(250);
    expect(blocksAfter(refused('maximum is set to 0'))).toBe(250);
  });

  test('is never smaller than one block', () => {
    const size = new LogRangeSize();
    for (let n = 0; n < 20; n += 1) refused()(size);
    expect(size.blocks).toBe(1);
  });

  test('does not exceed a limit that the provider has named', () => {
    const size = new LogRangeSize();
    const asked: number[] = [];
    for (let n = 0; n < 120; n += 1) {
      asked.push(size.blocks);
      if (size.blocks > 2_048) refused('maximum is set to 2048')(size);
      else answered(size);
    }
    expect(asked.filter((blocks) => blocks > 2_048)).toHaveLength(1);
    expect(size.blocks).toBe(2_048);
  });

  test('takes the range that a refusal names, and grows again: it was about those blocks only', () => {
    expect(blocksAfter(refused('Try with this block range [0x100, 0x1ff].'))).toBe(256);
    expect(blocksAfter(refused('Try with this block range [0x100, 0x1ff].'), answered)).toBe(269);
  });
});
