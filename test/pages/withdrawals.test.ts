import { describe, expect, test } from '@jest/globals';
import type { Bodies } from '../../functions/index.ts';
import { htmlOf, loaded, NOW, textOf } from './render.ts';

const { AskedNow, YourWithdrawals } = await import('../../infra/site/pages/dashboard/your-withdrawals.tsx');

type Body = Bodies['/withdrawals/{address}'];
type Request = Body['requests'][number];

const DAY = 86_400;
const END_OF_FEBRUARY = Date.UTC(2027, 1, 28) / 1_000;
const ADDRESS = '0x000000000000000000000000000000000000dEaD';
const windDown = { enabled: true, withdrawalsUntil: '2026-12-31' };
const SERVICE = { overdueRequests: 0 };

const REQUEST: Request = {
  requestId: 1,
  requester: ADDRESS,
  shares: '1',
  expectedAssets: '1.2',
  requestTime: NOW - 20 * DAY,
  claimableTime: NOW - 5 * DAY,
  expirationTime: NOW + 5 * DAY,
  allocatedFunds: '0',
  status: 'pending',
};

/** The row of one request, at a time. */
function rowOf(fields: Partial<Request>, at = NOW): string {
  const body: Body = {
    address: ADDRESS,
    requests: [{ ...REQUEST, ...fields }],
    total: 1,
    withdrawQueue: {},
    service: SERVICE,
    block: { number: 1, timestamp: at },
  };
  const answers = { flags: { flags: { windDown, withdrawQueue: { enabled: false } } } };
  return textOf(htmlOf(YourWithdrawals, { address: ADDRESS, withdrawals: loaded(body) }, answers));
}

describe('a withdrawal', () => {
  test.each([
    [
      { status: 'fulfilled', allocatedFunds: '1.2' },
      '6 Dec 2026 Can be claimed now. Claim it by 6 Dec 2026: after that, it cannot be paid while deposits are closed.',
    ],
    [{ status: 'fulfilled', expirationTime: END_OF_FEBRUARY }, '28 Feb 2027announced end: 31 Dec 2026 Can be claimed'],
    [{}, '6 Dec 2026 Waiting for AVAX, overdue. If none arrives by 6 Dec 2026, you can get all the ggAVAX back.'],
    [
      { claimableTime: NOW + 60 * DAY, expirationTime: END_OF_FEBRUARY },
      'announced end: 31 Dec 2026 Waiting for AVAX, due in 60 days, after the announced end. If none',
    ],
    [
      { status: 'expired', allocatedFunds: '1.2' },
      'Not claimed in time. Anyone can close it, which returns ggAVAX of that value, but not while deposits are closed.',
    ],
    [{ status: 'expired' }, 'No AVAX arrived in time. Anyone can close it, which returns all the ggAVAX.'],
  ] satisfies [Partial<Request>, string][])('with %j has its deadline and meaning', (fields, text) => {
    expect(rowOf(fields)).toContain(text);
  });

  test('after the announced end has only the contract’s deadline', () => {
    expect(rowOf({ status: 'fulfilled', expirationTime: NOW + DAY, claimableTime: NOW - 9 }, NOW)).not.toContain(
      'announced',
    );
  });
});

describe('a new request', () => {
  const ESTIMATE: Bodies['/withdrawals/estimate'] = {
    ggAvax: '1',
    avax: '1.2',
    instantAVAX: '0',
    claimableTime: NOW + 15 * DAY,
    expirationTime: END_OF_FEBRUARY,
    ahead: { requests: 3, avax: '7' },
    routes: [],
    block: { number: 1, timestamp: NOW },
  };
  const textFor = (fields: Partial<typeof ESTIMATE>, flags: object) =>
    textOf(htmlOf(AskedNow, { estimate: { ...ESTIMATE, ...fields } }, { flags: { flags } }));

  test.each([
    [{}, {}, 'A new request would be claimable from 16 Dec 2026 to 28 Feb 2027, behind 3 requests for 7 AVAX.'],
    [{ ahead: { requests: 1, avax: '7' } }, {}, 'to 28 Feb 2027, behind 1 request for 7 AVAX.'],
    [{ ahead: { requests: 0, avax: '0' } }, {}, 'to 28 Feb 2027.'],
    [{}, { withdrawQueue: { enabled: false } }, 'Hypha has announced that the queue is closed. A new request'],
    [
      {},
      { windDown: { enabled: true, withdrawalsUntil: '2020-01-01' } },
      'The announced end has passed. The contract still accepts requests, but AVAX may not arrive for them. A new',
    ],
    [{}, { windDown }, 'Request by 16 Dec 2026: later requests would be due after the announced end, 31 Dec 2026.'],
    [
      { claimableTime: NOW + 60 * DAY },
      { windDown },
      'A request made now would be due only after the announced end. A new request would be claimable from 30 Jan 2027',
    ],
  ])('with %j and the flags %j has its dates', (fields, flags, text) => {
    expect(textFor(fields, flags)).toContain(text);
  });
});
