import { expect, test } from '@jest/globals';
import { findStandstill, toCycleGap } from '../../../lib/archive/edition.ts';

const AT = (time: string) => Date.parse(`${time}Z`) / 1_000;

test.each([
  ['2026-11-20T12:15:00', undefined, []],
  ['2026-11-20T12:15:01', undefined, [': it is now 2026-11-20T12:15:01Z.']],
  ['2026-11-21T00:00:00', '2026-11-20', [': the last day ends at 2026-11-21T00:00:00Z.']],
  ['2027-03-01T00:00:00', '2026-11-19', []],
  ['2026-11-20T23:59:59', '2026-11-20', [': it is now 2026-11-20T23:59:59Z.']],
])('at %s, with %s as the last day, a last block of 12:00 is %j', (now, endsOn, expected) => {
  const block = { number: 9, timestamp: AT('2026-11-20T12:00:00') };
  const texts = findStandstill({}, block, AT(now), endsOn);
  expect(texts).toEqual(expected.map((end) => `The last indexed block is 9 of 2026-11-20T12:00:00Z${end}`));
});

test('a ledger that waits or is disputed says since when, where and why', () => {
  const now = AT('2026-11-20T12:00:00');
  const disputed = { fromBlock: 10, toBlock: 11, providers: ['rpc-1'], reason: 'rpc-1 and rpc-2 disagree' };
  expect(findStandstill({ waitingSince: now - 60, disputed }, { number: 9, timestamp: now }, now)).toEqual([
    'Too few RPC providers answer for events since 2026-11-20T11:59:00Z.',
    'Blocks 10 to 11 are not indexed: rpc-1 and rpc-2 disagree.',
  ]);
});

test.each([
  ['it is recorded from 2027-01-04T10:00:00Z on', 1],
  ['run npm run backfill -- --all', 0],
])('a rewards cycle that is not recorded says: %s', (when, secondsLeft) => {
  const { text } = toCycleGap(AT('2026-12-05T10:00:00'), AT('2027-01-04T10:00:00') - secondsLeft);
  expect(text).toBe(`The GGP of the rewards cycle that began on 2026-12-05 is missing: ${when}.`);
});
