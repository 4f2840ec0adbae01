import { expect, test } from '@jest/globals';
import type { Bodies } from '../../functions/index.ts';
import { htmlOf, loaded, NOW, textOf } from './render.ts';

const { Dates } = await import('../../infra/site/pages/dashboard/your-later.tsx');
const { Available, YourAvailable } = await import('../../infra/site/pages/dashboard/your-available.tsx');

type Account = Bodies['/accounts/{address}'];
type Entry = NonNullable<Account['availableNow']>[number];

const ADDRESS = '0x000000000000000000000000000000000000dEaD';

const ENTRY: Entry = {
  what: 'claimUnstake',
  title: 'Claim withdrawal request 7',
  detail: 'Pays.',
  amount: '1',
  token: 'AVAX',
  requestId: 7,
  call: {
    contract: ADDRESS,
    function: 'claimUnstake(uint256)',
    arguments: ['7'],
    data: '0x12345678aabb',
    value: '0',
    chainId: 43_112,
  },
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

const cardOf = (availableNow: Entry[] | undefined) =>
  textOf(htmlOf(YourAvailable, { account: loaded(accountWith(availableNow)) }));
const summaryOf = (availableNow: Entry[] | undefined) =>
  textOf(htmlOf(Available, { account: accountWith(availableNow), staker: undefined, rewards: undefined }));

test('sums are by token, and each claim has its words, deadline and transaction', () => {
  const entries: Entry[] = [
    { ...ENTRY, amount: '30.5', until: 1_800_000_000 },
    { ...ENTRY, what: 'claimRewards', amount: '1234.5', token: 'GGP' },
  ];
  expect(summaryOf(entries)).toBe('Available now: 30.5 AVAX, 1,234.5 GGP, in 2 transactions.');
  const card = cardOf(entries);
  expect(card).toContain(
    `Claim withdrawal request 730.5 AVAX, by 15 Jan 2027 Pays. Contract ${ADDRESS} Function claimUnstake(uint256) Argument, uint256 7 Calldata 0x12345678…`,
  );
  expect(card).toContain('Download all for Safe’s Transaction Builder');
});

test('what comes later is listed in order, with its words and day', () => {
  const availableLater: Entry[] = [
    { ...ENTRY, call: undefined, title: 'Cancel minipool 1', amount: '1000', from: NOW + 86_400 },
    { ...ENTRY, call: undefined, title: 'Withdraw staked GGP', token: 'GGP', amount: '21855' },
  ];
  const card = textOf(htmlOf(YourAvailable, { account: loaded({ ...accountWith([]), availableLater }) }));
  expect(card).toContain('Cancel minipool 1 1,000 AVAX 2 Dec 2026 Pays. Withdraw staked GGP 21,855 GGP – Pays.');
});

test('dates are those of claims and of the announced end, with one calendar', () => {
  const availableLater: Entry[] = [{ ...ENTRY, call: undefined, title: 'Withdraw locked GGP', from: NOW + 86_400 }];
  const flags = { flags: { windDown: { enabled: true, withdrawalsUntil: '2026-12-31' } } };
  const account = { ...accountWith([{ ...ENTRY, until: 1_800_000_000 }]), availableLater };
  const html = htmlOf(Dates, { accounts: [account] }, { flags });
  expect(textOf(html)).toContain(
    '2 Dec 2026 Withdraw locked GGP: 1 AVAX ' +
      '31 Dec 2026 Announced end of withdrawals ' +
      '15 Jan 2027 Last day: Claim withdrawal request 7: 1 AVAX',
  );
  expect(html).toContain(`href="webcal://localhost/accounts/${ADDRESS}/calendar.ics"`);
});

test('nothing is told apart from unknown', () => {
  expect(cardOf([])).toContain('Nothing can be withdrawn at this block.');
  expect(summaryOf([])).toBe('Available now: nothing.');
  expect(cardOf(undefined)).toContain('The withdrawable amounts could not be read.');
  expect(summaryOf(undefined)).toBe('');
});
