import { describe, expect, test } from '@jest/globals';
import { flowsOf, openRequestsOf } from '../../../lib/history/holder-flows.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import { mulWad } from '../../../lib/values/wad.ts';
import { wei } from '../rewards/units.ts';

const addressOf = (byte: string) => `0x${byte.repeat(20)}`;
const [ALBA, BRUNO, QUEUE, ZERO] = [addressOf('a1'), addressOf('b0'), addressOf('c3'), addressOf('00')];
const RATE = wei('1.2');

let logIndex = 0;
/** The n-th entry is in block n at n seconds, in a transaction of its own unless `fields` name one. */
const entry = (fields: Record<string, unknown>) => {
  logIndex += 1;
  return { block: logIndex, logIndex, timestamp: logIndex, txHash: `0x${logIndex}`, ...fields } as unknown as Entry;
};
const transfer = (from: string, to: string, amount: string, txHash = 'other') => {
  const [shares, assets] = [wei(amount), mulWad(wei(amount), RATE)];
  return entry({ type: 'ggAvaxTransferred', from, to, shares, rate: RATE, assets, txHash });
};

const kindsOf = (entries: readonly Entry[]) => {
  const flows = flowsOf(ALBA, entries, QUEUE.toUpperCase().replace('X', 'x'));
  return flows.map(({ kind, shares, assets }) => [kind, shares, assets]);
};

describe('the flows of a holder', () => {
  test('count shares given to the queue as withdrawn for oneself and as sent for others, and shares that come back as returned', () => {
    const requested = { type: 'unstakeRequested', requestId: 1, shares: 0n, expectedAssets: 0n, claimableTime: 0 };
    const entries = [
      transfer(ALBA, QUEUE, '5', 'own'),
      entry({ ...requested, requester: ALBA, shares: wei('5'), txHash: 'own' }),
      transfer(ALBA, QUEUE, '6', 'gift'),
      transfer(QUEUE, ALBA, '4', 'back'),
      // Another person requests for Alba as much as she gave before, and other shares move in that transaction.
      entry({ ...requested, requester: ALBA, shares: wei('6'), txHash: 'theirs' }),
      transfer(ALBA, BRUNO, '1', 'theirs'),
    ];
    const kinds = ['withdrawn', 'transferredOut', 'returned', 'transferredOut'];
    expect(kindsOf(entries).map(([kind]) => kind)).toEqual(kinds);
  });

  test('match one withdrawal to one request of as many shares, whatever else the transaction moves', () => {
    const request = { type: 'unstakeRequested', requester: ALBA, claimableTime: 0, shares: wei('5'), txHash: 'all' };
    const entries = [
      transfer(ALBA, QUEUE, '5', 'all'),
      transfer(ALBA, BRUNO, '5', 'all'),
      transfer(ALBA, QUEUE, '6', 'all'),
      entry({ ...request, requestId: 1, expectedAssets: wei('6') + 57n }),
      // For Alba, with another person's shares.
      entry({ ...request, requestId: 2, expectedAssets: wei('6') + 58n }),
    ];
    expect(kindsOf(entries)).toEqual([
      ['withdrawn', -wei('5'), -wei('6') - 57n],
      ['transferredOut', -wei('5'), -wei('6')],
      ['transferredOut', -wei('6'), -wei('7.2')],
    ]);
  });

  test('value what the queue gives back at what it had promised, whatever the shares are worth by then', () => {
    const requested = { type: 'unstakeRequested', requester: ALBA, claimableTime: 0, txHash: 'asked' };
    const entries = [
      entry({ ...requested, requestId: 1, shares: wei('5'), expectedAssets: wei('5.5') }),
      entry({ ...requested, requestId: 2, shares: wei('5'), expectedAssets: wei('5.6') }),
      // Both in one transaction, each followed by its shares.
      entry({ type: 'unstakeReturned', requestId: 2, requester: ALBA, shares: wei('5'), txHash: 'ended' }),
      transfer(QUEUE, ALBA, '5', 'ended'),
      entry({ type: 'unstakeCancelled', requestId: 1, requester: ALBA, shares: wei('4.6'), txHash: 'ended' }),
      transfer(QUEUE, ALBA, '5', 'ended'),
      transfer(QUEUE, ALBA, '4.6', 'ended'),
      // Of no request.
      transfer(QUEUE, ALBA, '4.6', 'later'),
    ];
    expect(kindsOf(entries)).toEqual([
      ['returned', wei('5'), wei('5.6')],
      ['returned', wei('5'), wei('6')],
      ['returned', wei('4.6'), wei('5.5')],
      ['returned', wei('4.6'), wei('5.52')],
    ]);
    expect(flowsOf(ALBA, entries, QUEUE).map(({ rate }) => rate)).toEqual([RATE, RATE, RATE, RATE]);
  });

  test('include donations at the value burnt, unexplained mints and burns as transfers, and nothing that moves nothing', () => {
    const entries = [
      ...[transfer(ALBA, ALBA, '7'), transfer(ALBA, BRUNO, '0')],
      entry({ type: 'yieldAdded', source: 'donation', donor: ALBA, shares: wei('2'), amount: wei('2.39') }),
      transfer(ZERO, ALBA, '1'),
      transfer(ALBA, ZERO, '1'),
    ];
    expect(kindsOf(entries)).toEqual([
      ['transferredOut', -wei('2'), -wei('2.39')],
      ['transferredIn', wei('1'), wei('1.2')],
      ['transferredOut', -wei('1'), -wei('1.2')],
    ]);
  });
});

test("requests are the holder's own, and end when they are claimed, cancelled or returned", () => {
  const requested = (requestId: number, requester = ALBA) =>
    entry({ type: 'unstakeRequested', requestId, requester, expectedAssets: wei('1') });
  const entries = [
    ...[requested(1), requested(2), requested(3), requested(4, BRUNO), requested(5), requested(6)],
    entry({ type: 'unstakeFulfilled', requestId: 3, requester: ALBA }),
    entry({ type: 'unstakeClaimed', requestId: 1, requester: ALBA }),
    entry({ type: 'unstakeCancelled', requestId: 2, requester: ALBA }),
    entry({ type: 'unstakeReturned', requestId: 5, requester: ALBA }),
  ];
  expect(openRequestsOf(ALBA, entries)).toEqual([3, 6]);
});
