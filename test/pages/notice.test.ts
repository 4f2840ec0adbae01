import { expect, test } from '@jest/globals';
import { htmlOf, NOW, textOf } from './render.ts';

const { Notice } = await import('../../infra/site/pages/dashboard/notice.tsx');

const WIND_DOWN = { enabled: true, operationsEnded: '2026-08-15', withdrawalsUntil: '2026-12-31' };
const OPEN = { enabled: true };
const HEALTHY = {
  flags: { flags: { windDown: WIND_DOWN, withdrawQueue: OPEN, minipoolCreation: { enabled: false } } },
  ggAvax: { paused: false, redemption: { open: true, availableAVAX: '13053.25' } },
  metrics: { status: 'winding_down' },
  'rewards/cycle': { paused: false },
  'withdrawals?limit=5': { service: { overdueRequests: 1 } },
  contracts: { contracts: [] as object[] },
  health: { headAgeSeconds: 4 },
};

const noticeWith = (answers: object = {}) => textOf(htmlOf(Notice, {}, { ...HEALTHY, ...answers }));
const withFlags = (flags: object) => ({ flags: { flags } });

test('shows the wind-down, the way out and, below "More", the parts', () => {
  expect(noticeWith()).toBe(
    'The protocol is being wound down. Hypha’s website, and announced withdrawals, end on 31 December 2026 (30 days left). ' +
      'ggAVAX can be redeemed for AVAX now, in one transaction. How to do it ' +
      'More Operations ended on 15 August 2026. The contracts do not enforce the announced end of withdrawals: they keep paying after it. ' +
      'The ggAVAX pool can pay out 13,053 AVAX. Redemption open Withdrawal queue overdue New minipools closed',
  );
});

test.each([
  ['2026-12-01', 'end on 1 December 2026 (today).'],
  ['2026-11-30', 'were to end on 30 November 2026.'],
  ['soon', 'end on soon.'],
])('states an announced end of %s', (withdrawalsUntil, sentence) => {
  expect(noticeWith(withFlags({ windDown: { ...WIND_DOWN, withdrawalsUntil } }))).toContain(
    `Hypha’s website, and announced withdrawals, ${sentence}`,
  );
});

test('reports open parts without a wind-down, and the date of an upgrade', () => {
  const text = noticeWith({
    ...withFlags({ windDown: { enabled: false }, withdrawQueue: OPEN }),
    'withdrawals?limit=5': { service: { overdueRequests: 0 } },
    contracts: { contracts: [{ name: 'TokenggAVAX', upgradedAt: 1_790_000_000 }] },
  });
  expect(text).toMatch(/^All parts of the protocol are open\./);
  expect(text).toContain('The ggAVAX contract was upgraded on 21 Sept 2026. See what changed');
  expect(text).toContain('Withdrawal queue open');
});

test.each([
  [{ open: false, availableAVAX: '0', reason: 'CLOSED' }, 'paying after it. Redemption closed Withdrawal queue'],
  [{ open: false, availableAVAX: '0', reason: 'PAUSED' }, 'paying after it. Redemption paused Withdrawal queue'],
  [{ availableAVAX: '5' }, 'paying after it. Withdrawal queue'],
])('promises no redemption with %j', (redemption, chips) => {
  const text = noticeWith({ ggAvax: { paused: false, redemption } });
  expect(text).not.toContain('can be redeemed');
  expect(text).toContain(chips);
});

const PAUSED = { status: 'paused' };

test.each([
  ['one contract', { metrics: PAUSED }, 'no new minipools.', 'New minipools paused'],
  [
    'deposits and the rewards pool',
    { metrics: PAUSED, ggAvax: { paused: true }, 'rewards/cycle': { paused: true } },
    'no deposits or new rewards cycles.',
    'Deposits paused New minipools possibly paused',
  ],
  [
    'deposits and the queue',
    { metrics: PAUSED, ggAvax: { paused: true, withdrawQueue: { paused: true } } },
    'no new withdrawal requests or deposits.',
    'Withdrawal queue paused Deposits paused New minipools possibly paused',
  ],
  [
    'unknown contracts',
    { metrics: PAUSED, ggAvax: {} },
    'Some contracts are paused. Look up',
    'Deposits possibly paused New minipools possibly paused',
  ],
])('names what a pause of %s refuses', (_, answers, refused, chips) => {
  const flags = { windDown: { enabled: false }, withdrawQueue: OPEN, ggAvaxDeposits: OPEN, minipoolCreation: OPEN };
  const text = noticeWith({ ...withFlags(flags), ...answers });
  expect(text).toContain(refused);
  expect(text.endsWith(chips)).toBe(true);
});

test('warns above everything else if the chain stands still', () => {
  expect(NOW - 580_281).toBe(1_795_546_119);
  expect(noticeWith({ health: { headAgeSeconds: 580_281 } })).toMatch(
    /^This page is 6 days behind the chain\. The latest block known here is of 24 Nov 2026, 18:48 UTC\. Amounts may have changed since\./,
  );
  expect(noticeWith({ health: { headAgeSeconds: 3_599 } })).not.toContain('behind the chain');
});
