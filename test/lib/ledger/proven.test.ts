import { expect, test } from '@jest/globals';
import type { Contradiction } from '../../../lib/ledger/contradictions.ts';
import type { Coverage } from '../../../lib/ledger/ledger-progress.ts';
import { isProvenUntil, limitedTo, provenOf, provenPart } from '../../../lib/ledger/proven.ts';

const at = (number: number) => ({ number, timestamp: 1_000 * number });
const differs = (agreedAt?: number): Contradiction => ({
  ...{ what: 'totalSupply', ledger: '1', contract: '2', block: 9 },
  agreedAt: agreedAt === undefined ? undefined : at(agreedAt),
});
const covers = (more: Partial<Coverage>): Coverage => ({
  from: 1,
  to: 9,
  toTimestamp: 9_000,
  complete: false,
  ...more,
});

test.each<[string, Coverage, proven: number[], untilProven: boolean[]]>([
  ['of a ledger that is whole, all is proven', covers({ complete: true }), [1, 5, 6, 9], [true, true, true]],
  ['of one that is contradicted, what is before', covers({ provenAt: at(5) }), [1, 5], [true, false, false]],
  ['of one that lacks blocks, nothing', covers({}), [], [false, false, false]],
])('%s', (_, coverage, blocks, untilProven) => {
  const { complete, provenAt } = coverage;
  const part = complete ? coverage : provenAt && { ...coverage, to: 5, toTimestamp: 5_000 };
  expect(provenPart(coverage)).toEqual(part);
  const all = [1, 5, 6, 9].map((block) => ({ block }));
  expect(provenOf(all, coverage)).toEqual({ proven: blocks.map((block) => ({ block })), coverage: part ?? coverage });
  expect([5_000, 5_001, undefined].map((time) => isProvenUntil(coverage, time))).toEqual(untilProven);
});

test('if later entries are left out, all before is as proven as it was, and nothing else', () => {
  const last = { block: 7, timestamp: 7_000 };
  const part = { to: 7, toTimestamp: 7_000, complete: false };
  expect(limitedTo(last, covers({ complete: true }))).toEqual(covers({ ...part, provenAt: at(7) }));
  const contradicts = [differs(8)];
  expect(limitedTo(last, covers({ contradicts, provenAt: at(8) }))).toEqual(
    covers({ ...part, contradicts, provenAt: at(7) }),
  );
  expect(limitedTo(last, covers({ provenAt: at(7) }))).toEqual(covers({ provenAt: at(7) }));
  expect(limitedTo(last, covers({}))).toEqual(covers(part));
});
