/** Accounts as CSV: a row an address. What is a list in JSON is a text to read here, its entries separated by semicolons. */

import * as z from 'zod/mini';
import { isoDay } from '../../values/iso-time.ts';
import { toCSV } from '../http/csv.ts';
import { ACCOUNT } from './account-body.ts';

type Account = z.output<z.ZodMiniObject<ReturnType<typeof ACCOUNT.shape>>>;
interface Accounts {
  accounts: readonly Account[];
  partial?: readonly string[] | undefined;
}

const texts = z.array(z.string());

/** The last column names what a row lacks, such as a total without a price: elsewhere, an empty cell means that there is none. */
export function accountRows({ accounts, partial = [] }: Accounts): string {
  const row = z.object({ ...ACCOUNT.shape(), locked: texts, availableNow: texts, partial: texts });
  const rows = accounts.map((account) => ({
    ...account,
    locked: account.locked?.map(lockText),
    availableNow: account.availableNow?.map(({ what, amount, token }) => `${what} ${amount} ${token}`),
    partial: partial.filter((name) => account[name as keyof Account] === undefined),
  }));
  return toCSV(z.array(row), rows);
}

function lockText({ amount, token, until }: NonNullable<Account['locked']>[number]): string {
  return `${amount} ${token} ${until === undefined ? 'for ever' : `until ${isoDay(until)}`}`;
}
