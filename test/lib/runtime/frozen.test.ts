import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Frozen, frozenHeader, notArchived, secondsNow } from '../../../lib/runtime/frozen.ts';
import { frozenFile, readFrozenFile } from '../../../lib/runtime/frozen-file.ts';

const FROZEN: Frozen = {
  block: { number: 95_044_397, timestamp: 1_789_158_328 },
  calls: new Map([['call 0xa 0xb', { data: '0x', reverted: true }]]),
  // A text is not a bigint, whatever it is called.
  datasets: new Map([['stakers 1', { list: [{ wei: 2n ** 70n, minus: -1n, bigint: 5, none: null }] }]]),
};

test('a frozen service reads from its file what was written into it, to the wei', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frozen-'));
  const path = join(folder, 'frozen.json.gz');
  writeFileSync(path, frozenFile(FROZEN));
  expect(readFrozenFile(path)).toEqual(FROZEN);
  rmSync(folder, { recursive: true });
});

test('for a frozen service now is its block, and its answers say so', () => {
  expect(secondsNow({ frozen: FROZEN })).toBe(1_789_158_328);
  const header = { 'X-Frozen': 'block=95044397, timestamp=1789158328' };
  expect(frozenHeader(FROZEN)).toEqual(header);
  const error = notArchived(FROZEN.block);
  expect(error).toMatchObject({ code: 'NOT_ARCHIVED', status: 404, headers: header });
  expect(error.message).toContain('an archive of 2026-09-11 (block 95044397)');
});

test('without an archive now is the time of the clock, in seconds', () => {
  expect(Math.abs(secondsNow({}) - Date.now() / 1_000)).toBeLessThan(2);
  expect(frozenHeader(undefined)).toEqual({});
});
