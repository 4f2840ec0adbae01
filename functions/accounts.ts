import { ACCOUNT, totalsIn } from '../lib/api/bodies/account-body.ts';
import { accountRows } from '../lib/api/bodies/account-rows.ts';
import { csvFormat, JSON_FORMAT } from '../lib/api/definition.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { list, partialObject } from '../lib/api/fields.ts';
import { addressesParam } from '../lib/api/params.ts';
import { block } from '../lib/api/units.ts';
import { MAX_ADDRESSES, readAccounts } from '../lib/protocol/accounts.ts';

const ACCOUNTS = partialObject<Awaited<ReturnType<typeof readAccounts>>>('AccountField')({
  accounts: list(ACCOUNT)('In the order asked.'),
  ...totalsIn('Sum of `totalAVAX`. Omitted if one is unknown.'),
  block: block(),
});

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

export const handler = /* @__PURE__ */ createHandler(accounts);
