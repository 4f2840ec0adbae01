/** Accounts as CSV: one row per address. Lists of the JSON become sums by token, or texts separated by semicolons. */

import { parseEther } from 'ethers';
import * as z from 'zod/mini';
import { TOKENS, type TokenName } from '../../contracts/other-holdings.ts';
import { formatAmount } from '../../values/amounts.ts';
import { isoDay } from '../../values/iso-time.ts';
import { toCSV } from '../http/csv.ts';
import { ACCOUNT } from './account-body.ts';

type Account = z.output<ReturnType<typeof ACCOUNT.schema>>;
type Now = NonNullable<Account['availableNow']>;
type Later = NonNullable<Account['availableLater']>[number];
interface Accounts {
  accounts: readonly Account[];
  partial?: readonly string[] | undefined;
}

const texts = z.array(z.string());
/** One column per token, so that a spreadsheet can add them up. */
const sums = z.object(Object.fromEntries(TOKENS.map((token) => [token, z.string()])));

/**
 * The CSV of accounts. The last column names missing values of a row, such as a total without a price. In other columns,
 * an empty cell means that there is none.
 */
export function accountRows({ accounts, partial = [] }: Accounts): string {
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

function sumByToken(entries: Now): Record<TokenName, string> {
  const sumOf = (token: TokenName) =>
    entries.reduce((sum, entry) => (entry.token === token ? sum + parseEther(entry.amount ?? '0') : sum), 0n);
  return Object.fromEntries(TOKENS.map((token) => [token, formatAmount(sumOf(token))])) as Record<TokenName, string>;
}

function lockText({ amount, token, until }: NonNullable<Account['locked']>[number]): string {
  return `${amount} ${token} ${until === undefined ? 'for ever' : `until ${isoDay(until)}`}`;
}

function laterText({ what, amount, token, from, requires }: Later): string {
  const day = from && `from ${isoDay(from)}`;
  return [what, amount, token, day, requires && `requires ${requires}`].filter(Boolean).join(' ');
}
