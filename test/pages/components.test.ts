import { expect, test } from '@jest/globals';
import { type ComponentType, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Account, AccountAt, Income, Minipool } from '../../infra/site/pages/account/bodies.ts';
import { Chart } from '../../infra/site/pages/account/chart.tsx';
import { ClaimList, Sums } from '../../infra/site/pages/account/claims.tsx';
import { Holdings } from '../../infra/site/pages/account/holdings.tsx';
import { IncomeTable } from '../../infra/site/pages/account/income.tsx';
import { MinipoolTable } from '../../infra/site/pages/account/minipools.tsx';

/** Components of the account view, rendered without a browser, as the archive does. */

/** The text of a component: blocks are separated by spaces. */
function textOf<Props extends object>(component: ComponentType<Props>, props: Props): string {
  const text = renderToString(h(component, props)).replace(/<\/(p|li|h\d|dt|dd|td|th|span)>/g, ' ');
  return text
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const ADDRESS = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const TIME = Date.UTC(2026, 11, 1) / 1_000;

const EMPTY: Account = {
  address: ADDRESS,
  ggAvax: { balance: '0', avax: '0' },
  withdrawals: { pending: 0, pendingAVAX: '0', claimableAVAX: '0', expired: 0, expiredAVAX: '0' },
  totalAVAX: '0',
};

type Claim = NonNullable<Account['availableNow']>[number];

const CLAIM: Claim = {
  what: 'claimUnstake',
  title: 'Claim withdrawal request 5',
  detail: 'It expires on 6 Jan 2027.',
  token: 'AVAX',
  amount: '296.755',
  call: {
    contract: CONTRACT,
    function: 'claimUnstake(uint256)',
    arguments: ['5'],
    data: '0xabcdef0123456789',
    value: '0',
    chainId: 43_114,
    url: `https://explorer.test/${CONTRACT}#writeContract`,
  },
};

test('a claim has the words and the call of the API, and all calls are one file for Safe', () => {
  const availableLater = [{ ...CLAIM, title: 'Minipool may end', detail: 'At the earliest 5 Dec.', call: undefined }];
  const insteadOfWaiting = [{ ...CLAIM, title: 'Cancel it' }];
  const account = { ...EMPTY, availableNow: [CLAIM, CLAIM], availableLater, insteadOfWaiting } as Account;
  const html = renderToString(h(ClaimList, { account, file: 'safe.json' }));
  expect(textOf(ClaimList, { account, file: '' })).toMatch(
    /Claim withdrawal request 5 296\.76 AVAX It expires on 6 Jan 2027\. Contract 0x5FbD\w+ Write contract Function claimUnstake\(uint256\) Argument 1, uint256 5 Calldata 0xabcdef0123456789 .*Later Minipool may end.*Instead of waiting Cancel it/,
  );
  expect(html).toMatch(/href="safe.json" download.*All transactions as a file for Safe/);
  expect(html).toContain(`href="https://explorer.test/${CONTRACT}#writeContract"`);
});

test('an address whose ggAVAX cannot be redeemed reads why, and what the queue does', () => {
  const redemption = { open: false, ggAvax: '0', avax: '0', reason: 'CLOSED', detail: 'Because.' } as const;
  const account = { ...EMPTY, ggAvax: { balance: '5', avax: '6', redemption }, availableNow: [CLAIM] };
  expect(textOf(ClaimList, { account, file: '' })).toContain(
    'ggAVAX cannot be redeemed for AVAX at this block. Because. The withdrawal queue does not take it either.',
  );
  const requested = { ...account, availableNow: [{ ...CLAIM, what: 'requestUnstake' as const }] };
  expect(textOf(ClaimList, { account: requested, file: '' })).not.toContain('either');
});

test('what is available now adds up: each token once, the most valuable first, without what pays later', () => {
  const values = { AVAX: 1, ggAVAX: 1.2, GGP: 0.1 };
  const { amount: _, ...request } = CLAIM;
  const claim = (token: Claim['token'], amount: string): Claim => ({ ...CLAIM, token, amount });
  const availableNow = [claim('ggAVAX', '5'), claim('GGP', '10'), request, claim('AVAX', '90'), claim('ggAVAX', '5')];
  expect(textOf(Sums, { account: { ...EMPTY, availableNow }, values })).toBe(
    '90 AVAX , 10 ggAVAX , 10 GGP ; about 103 AVAX in all',
  );
  const redemption = { ggAvax: '0', avax: '0', reason: 'CLOSED' } as const;
  const closed = { ...EMPTY, ggAvax: { balance: '0', avax: '0', redemption }, availableNow: [claim('ggAVAX', '5')] };
  expect(textOf(Sums, { account: closed, values })).toBe('nothing');
});

test.each([
  [{ ...EMPTY, availableNow: [] }, 'nothing', 'Nothing can be taken out'],
  [EMPTY, 'not known at the moment', 'What can be taken out is not known'],
])('nothing to take out differs from what could not be read', (account, sum, sentence) => {
  expect(textOf(Sums, { account, values: {} })).toBe(sum);
  expect(textOf(ClaimList, { account, file: '' })).toContain(sentence);
});

test('holdings name what is missing, and only that', () => {
  const account = { ...EMPTY, block: { number: 1, timestamp: TIME }, totalUSD: 5, partial: ['totalEUR'] } as AccountAt;
  expect(textOf(Holdings, { account })).toBe(
    'Holdings of this addressWhat Amount Value ggAVAX (stAVAX) 0 ggAVAX 0 AVAX Total: 0 AVAX , $5.00 . Not known at the moment: the total in EUR.',
  );
});

test('income says what has no price, what no year has, and what the running cycle has paid', () => {
  const unpriced = { unpricedUSD: 2, unpricedEUR: 2, unpricedAmountUSD: '1.25', unpricedAmountEUR: '1.25' };
  const growth = { source: 'ggAvax', amount: '1.5', token: 'AVAX' } as const;
  const coverage = { fromBlock: 1, toBlock: 9, toTimestamp: TIME, sources: 2, complete: true };
  const totals = [
    { year: 2026, ...growth, ...unpriced, valueUSD: 30 },
    { year: 2026, source: 'ggp', amount: '100.5', token: 'GGP', ...unpriced, unpricedAmountUSD: '0' },
  ];
  const undated = [{ ...growth, address: ADDRESS, from: TIME - 9 * 86_400, before: TIME, amount: '85.15' }];
  const income = { totals, undated, coverage: { ggAvax: coverage } } as Income;
  const files = [{ name: '2026', links: [{ label: 'CSV', href: 'file.csv' }] }];
  const rewards = (ggpRewards: string, claimedTotal?: string) => [{ ggpRewards, claimedTotal }] as never[];
  const text = textOf(IncomeTable, { income, files, rewards: [...rewards('60', '5'), ...rewards('50', '0')] });
  expect(text).toContain('2026 Growth of ggAVAX 1.5 AVAX $30.00 1.25 AVAX without a price');
  expect(text).toContain('Before 1 Dec 2026, not split by year Growth of ggAVAX 85.15 AVAX 85.15 AVAX without a price');
  expect(text).toContain('known up to 1 Dec 2026, 00:00 UTC');
  expect(text).toMatch(
    /The running rewards cycle has paid 14\.5 GGP , claimed or not\. .+ yet: .+ on the day on which it was paid\./,
  );
  for (const none of [rewards('100.5', '0'), rewards('110'), [undefined], []])
    expect(textOf(IncomeTable, { income, files, rewards: none })).not.toContain('running rewards cycle');
});

test('a minipool that failed says why', () => {
  const minipool = { nodeID: 'NodeID-1', nodeIDHex: '0x', status: 'error', errorCode: 'E1', ggpSlashAmt: '0' };
  expect(textOf(MinipoolTable, { minipools: [minipool as Minipool] })).toContain('already validating');
});

test('a chart is a line with its range, and fewer than two points are a sentence', () => {
  const days = ['10', 20, 15, undefined].map((value, index) => ({ timestamp: TIME + index * 86_400, value }));
  const chart = { title: 'Rate', unit: 'AVAX', days, figureOf: ({ value }: Partial<(typeof days)[0]>) => value };
  expect(renderToString(h(Chart, chart))).toContain('points="0.0,180.0 300.0,0.0 600.0,90.0"');
  expect(textOf(Chart, chart)).toBe('Rate 10 AVAX to 20 AVAX 1 Dec 2026: 10 AVAX 3 Dec 2026: 15 AVAX');
  expect(textOf(Chart, { ...chart, days: days.slice(2) })).toContain('not recorded yet');
});
