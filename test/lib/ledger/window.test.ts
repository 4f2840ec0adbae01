import { describe, expect, test } from '@jest/globals';
import { parseHint, WindowSize } from '../../../lib/ledger/window.ts';

/** What providers answer (from public documentation and issues, 2026), and the number of blocks they would accept. */
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
  expect(parseHint(words)).toBe(hint);
});

describe('a window', () => {
  const blocksAfter = (...steps: ((size: WindowSize) => void)[]) => {
    const size = new WindowSize();
    for (const step of steps) step(size);
    return size.blocks;
  };
  const answered = (size: WindowSize) => size.answered(size.blocks, 0);
  const refused = (words?: string) => (size: WindowSize) => size.refused(1_000, 999 + size.blocks, words);

  test('starts with 500 blocks, and grows by a twentieth with each answer', () => {
    expect(blocksAfter()).toBe(500);
    expect(blocksAfter(answered)).toBe(525);
    expect(blocksAfter(answered, answered)).toBe(552);
  });

  test('does not grow after an answer for fewer blocks', () => {
    expect(blocksAfter((size) => size.answered(499, 0))).toBe(500);
  });

  test('is made smaller by more logs than are wanted, in proportion, and grows again with fewer', () => {
    const withLogs = (logs: number) => (size: WindowSize) => size.answered(size.blocks, logs);
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
    const size = new WindowSize();
    for (let n = 0; n < 20; n += 1) refused()(size);
    expect(size.blocks).toBe(1);
  });

  test('does not exceed a refused size for 50 answers, so that finding a limit costs few requests', () => {
    const size = new WindowSize();
    const asked: boolean[] = [];
    for (let n = 0; n < 120; n += 1) {
      const isRefused = size.blocks > 2_048;
      asked.push(isRefused);
      if (isRefused) refused('maximum is set to 2048')(size);
      else answered(size);
    }
    // 500, 525, 552 … 2,006, 2,107 (refused), 2,048 …
    expect(asked.indexOf(true)).toBe(29);
    expect(asked.slice(0, 29 + 51).filter(Boolean)).toHaveLength(1);
    expect(asked.filter(Boolean).length).toBeLessThanOrEqual(2);
    expect(size.blocks).toBe(2_048);
  });

  test('exceeds a refused size after 50 answers in a row, because the refusal may have been about those blocks only', () => {
    const size = new WindowSize();
    refused()(size);
    for (let n = 0; n < 50; n += 1) answered(size);
    expect(size.blocks).toBe(250);
    answered(size);
    expect(size.blocks).toBe(263);
    refused()(size);
    for (let n = 0; n < 50; n += 1) answered(size);
    expect(size.blocks).toBe(250);
  });

  test('shrinks where there are many logs, and grows back to the largest size that was answered', () => {
    const size = new WindowSize();
    answered(size);
    // 525 was answered, 552 is next.
    answered(size);
    refused('query returned more than 10000 results')(size);
    expect(size.blocks).toBe(276);
    for (let n = 0; n < 14; n += 1) answered(size);
    expect(size.blocks).toBe(525);
    answered(size);
    expect(size.blocks).toBe(525);
  });
});
