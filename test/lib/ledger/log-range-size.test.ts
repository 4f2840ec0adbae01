import { describe, expect, test } from '@jest/globals';
import { LogRangeSize } from '../../../lib/ledger/log-range-size.ts';

describe('a log range', () => {
  const blocksAfter = (...steps: ((size: LogRangeSize) => void)[]) => {
    const size = new LogRangeSize();
    for (const step of steps) step(size);
    return size.blocks;
  };
  const answered = (size: LogRangeSize) => size.answered(size.blocks, 0);
  const refused = (size: LogRangeSize) => size.refused(size.blocks);

  test('starts with 500 blocks, and grows by a twentieth with each answer for as many', () => {
    expect(blocksAfter()).toBe(500);
    expect(blocksAfter(answered, answered)).toBe(552);
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

  test('is halved by a refusal, down to one block', () => {
    expect(blocksAfter(refused)).toBe(250);
    expect(blocksAfter(...Array.from({ length: 20 }, () => refused))).toBe(1);
  });

  test('stays a tenth below a size that was refused, for 500 answers', () => {
    const size = new LogRangeSize();
    const asked: number[] = [];
    for (let n = 0; n < 520; n += 1) {
      asked.push(size.blocks);
      if (size.blocks > 2_048) refused(size);
      else answered(size);
    }
    const refusals = asked.flatMap((blocks, place) => (blocks > 2_048 ? place : []));
    expect(refusals).toEqual([29]);
    expect(Math.max(...asked.slice(30))).toBe(1_872);
  });
});
