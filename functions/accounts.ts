import { parseEther } from 'ethers';
import * as z from 'zod/mini';
import { ACCOUNT, totalsIn } from '../lib/api/bodies/account-body.ts';
import { csvFormat, JSON_FORMAT } from '../lib/api/definition.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { list, partialObject } from '../lib/api/fields.ts';
import { toCSV } from '../lib/api/http/csv.ts';
import { addressesParam } from '../lib/api/params.ts';
import { block } from '../lib/api/units.ts';
import { TOKENS, type TokenName } from '../lib/contracts/other-holdings.ts';
import { MAX_ADDRESSES, readAccounts } from '../lib/protocol/accounts.ts';
import { formatAmount } from '../lib/values/amounts.ts';
import { isoDay } from '../lib/values/iso-time.ts';

const ACCOUNTS = partialObject<Awaited<ReturnType<typeof readAccounts>>>('AccountField')({
  accounts: list(ACCOUNT)('In the order asked.'),
  ...totalsIn('Sum of `totalAVAX`. Omitted if one is unknown.'),
  block: block(),
});

type Body = z.output<ReturnType<typeof ACCOUNTS.schema>>;
type Account = Body['accounts'][number];

export const accounts = defineEndpoint({
  path: '/accounts',
  tag: 'Accounts',
  summary: 'Everything several addresses have',
  description:
    '`/accounts/{address}` for several addresses at the same block. The last column of CSV, `partial`, names totals without a price.',
  freshSeconds: 60,
  shared: true,
  params: { address: addressesParam(MAX_ADDRESSES, 'Addresses.') },
  body: ACCOUNTS,
  formats: { json: JSON_FORMAT, csv: { ...csvFormat('accounts'), write: accountRows } },
  exampleRequest:
    '/accounts?address=0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65,0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  handle: ({ address }, context) => readAccounts(context, address),
});

/**
 * Accounts as CSV, one row per address. Lists become sums by token, or texts separated by semicolons. The last column names
 * missing values of a row, such as a total without a price. In other columns, an empty cell means that there is none.
 */
export function accountRows({ accounts, partial = [] }: Pick<Body, 'accounts' | 'partial'>): string {
  const texts = z.array(z.string());
  // One column per token, so that a spreadsheet can add them up.
  const sums = z.object(Object.fromEntries(TOKENS.map((token) => [token, z.string()])));
  const columns = { locked: texts, availableNow: sums, availableLater: texts, partial: texts };
  const rows = accounts.map((account) => ({
    ...account,
    locked: account.locked?.map(lockText),
    availableNow: account.availableNow && sumByToken(account.availableNow),
    availableLater: account.availableLater?.map(laterText),
    partial: partial.filter((name) => account[name as keyof Account] === undefined),
  }));
  return toCSV(z.array(z.object({ ...ACCOUNT.schema().shape, ...columns })), rows);
}

function sumByToken(entries: NonNullable<Account['availableNow']>): Record<TokenName, string> {
  const sumOf = (token: TokenName) =>
    entries.reduce((sum, entry) => (entry.token === token ? sum + parseEther(entry.amount ?? '0') : sum), 0n);
  return Object.fromEntries(TOKENS.map((token) => [token, formatAmount(sumOf(token))])) as Record<TokenName, string>;
}

function lockText({ amount, token, until }: NonNullable<Account['locked']>[number]): string {
  return `${amount} ${token} ${until === undefined ? 'for ever' : `until ${isoDay(until)}`}`;
}

function laterText({ what, amount, token, from, requires }: NonNullable<Account['availableLater']>[number]): string {
  const day = from && `from ${isoDay(from)}`;
  return [what, amount, token, day, requires && `requires ${requires}`].filter(Boolean).join(' ');
}

export const handler = /* @__PURE__ */ createHandler(accounts);
