import { expect, test } from '@jest/globals';
import type { Bodies } from '../../functions/index.ts';
import { htmlOf, loaded, NOW, textOf } from './render.ts';

const { createSafeBatch } = await import('../../infra/site/pages/dashboard/safe.ts');
const { Dates } = await import('../../infra/site/pages/dashboard/your-later.tsx');
const { Available, YourAvailable } = await import('../../infra/site/pages/dashboard/your-available.tsx');

type Account = Bodies['/accounts/{address}'];
type Entry = NonNullable<Account['availableNow']>[number];

const ADDRESS = '0x000000000000000000000000000000000000dEaD';
const NODE = 'NodeID-111111111111111111116DBWJs';

const ENTRY: Entry = {
  what: 'claimUnstake',
  amount: '1',
  token: 'AVAX',
  contract: ADDRESS,
  function: 'claimUnstake(uint256)',
  arguments: ['7'],
  data: '0x12345678aabb',
  value: '0',
  chainId: 43_112,
  requestId: 7,
};

const accountWith = (availableNow: Entry[] | undefined) =>
  ({
    address: ADDRESS,
    ggAvax: { balance: '0', avax: '0' },
    withdrawals: { pending: 0, pendingAVAX: '0', claimableAVAX: '0', expired: 0, expiredAVAX: '0' },
    totalAVAX: '5',
    block: { number: 9, timestamp: NOW },
    ...(availableNow && { availableNow }),
  }) as Account;

const cardOf = (availableNow: Entry[] | undefined, requests: object[] = []) =>
  textOf(
    htmlOf(YourAvailable, {
      account: loaded(accountWith(availableNow)),
      withdrawals: { requests } as Bodies['/withdrawals/{address}'],
      staker: undefined,
    }),
  );
const summaryOf = (availableNow: Entry[] | undefined) =>
  textOf(htmlOf(Available, { account: accountWith(availableNow), staker: undefined, rewards: undefined }));

test('sums are by token, and each way has its transaction and deadline', () => {
  const entries: Entry[] = [
    { ...ENTRY, amount: '30.5', alternative: { ...ENTRY, what: 'cancelUnstake', amount: '25', token: 'ggAVAX' } },
    { ...ENTRY, what: 'soldTo' as Entry['what'], function: 'take(address,uint256)', arguments: [ADDRESS, '5'] },
    { ...ENTRY, what: 'claimRewards', amount: '1234.5', token: 'GGP', function: 'claimAndRestake(uint256)' },
  ];
  expect(summaryOf(entries)).toBe('Available now: 31.5 AVAX, 1,234.5 GGP, in 3 transactions.');
  const card = cardOf(entries, [{ requestId: 7, expirationTime: 1_800_000_000 }]);
  expect(card).toContain('Claim a withdrawal30.5 AVAX, by 15 Jan 2027');
  expect(card).toContain('Or cancel it, which returns 25 ggAVAX');
  expect(card).toContain(
    `soldTo1 AVAX Contract ${ADDRESS} Function take(address,uint256) Argument 1, address ${ADDRESS} Argument 2, uint256 5 Calldata 0x12345678…`,
  );
});

test('a Safe imports the transactions of a way', () => {
  const [transaction] = JSON.parse(createSafeBatch('Claim', [ENTRY])).transactions;
  expect(transaction).toEqual({
    ...{ to: ADDRESS, value: '0', data: '0x12345678aabb' },
    ...{ contractMethod: null, contractInputsValues: null },
  });
});

test('what comes later is listed in order, with its node, day and condition', () => {
  const account = accountWith([]);
  const availableLater: Account['availableLater'] = [
    { what: 'cancelMinipool', token: 'AVAX', amount: '1000', from: NOW + 86_400, nodeID: NODE },
    { what: 'withdrawGgp', token: 'GGP', amount: '21855', after: 'noMinipoolLeft' },
  ];
  const card = textOf(
    htmlOf(YourAvailable, {
      account: loaded({ ...account, availableLater }),
      withdrawals: undefined,
      staker: undefined,
    }),
  );
  expect(card).toContain(
    'Cancel a minipool that has not started NodeID-11111…DBWJs 1,000 AVAX 2 Dec 2026 – ' +
      'Withdraw staked GGP 21,855 GGP – All minipools of this address have ended',
  );
});

test('dates are those of claims, of what comes later and of the announced end, with one calendar', () => {
  const availableLater: Account['availableLater'] = [{ what: 'withdrawLocked', token: 'GGP', from: NOW + 86_400 }];
  const request = { requester: ADDRESS, requestId: 7, expectedAssets: '30.5', expirationTime: 1_800_000_000 };
  const requests = [
    { ...request, status: 'fulfilled' },
    { ...request, status: 'pending' },
  ] as Bodies['/withdrawals/{address}']['requests'];
  const flags = { flags: { windDown: { enabled: true, withdrawalsUntil: '2026-12-31' } } };
  const html = htmlOf(Dates, { accounts: [{ ...accountWith([]), availableLater }], requests }, { flags });
  expect(textOf(html)).toContain(
    '2 Dec 2026 Withdraw from an ended lock, from this day ' +
      '31 Dec 2026 Announced end of withdrawals ' +
      '15 Jan 2027 Last day to claim 30.5 AVAX (withdrawal no. 7)',
  );
  expect(html).toContain(`href="webcal://localhost/accounts/${ADDRESS}/calendar.ics"`);
});

test('several transactions are listed in order', () => {
  const steps = ['withdraw(uint256)', 'redeemAVAX(uint256)'].map((name) => ({ ...ENTRY, function: name }));
  const entry: Entry = { ...ENTRY, what: 'withdrawPstAvax', steps };
  expect(cardOf([entry])).toMatch(/Function withdraw\(uint256\).*Function redeemAVAX\(uint256\)/);
  expect(summaryOf([entry])).toBe('Available now: 1 AVAX, in 2 transactions.');
});

test('nothing is told apart from unknown', () => {
  expect(cardOf([])).toContain('Nothing can be withdrawn at this block.');
  expect(summaryOf([])).toBe('Available now: nothing.');
  expect(cardOf(undefined)).toContain('The withdrawable amounts could not be read.');
  expect(summaryOf(undefined)).toBe('');
});
