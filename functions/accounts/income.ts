import { INCOME_BODY, INCOME_PARAMS, incomeEndpoint } from '../../lib/api/bodies/income-entries.ts';
import { INCOME_FORMATS } from '../../lib/api/bodies/income-files.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressesParam } from '../../lib/api/params.ts';
import { listIncome } from '../../lib/history/income.ts';

/** Each takes six queries of the tables. */
const MAX_ADDRESSES = 10;

export const accountsIncome = defineEndpoint({
  ...incomeEndpoint,
  path: '/accounts/income',
  tag: 'Accounts',
  summary: 'Everything several addresses have earned',
  description: '`/accounts/{address}/income` for several addresses, in one list, or one file for Koinly or rotki.',
  params: { address: addressesParam(MAX_ADDRESSES, 'Addresses.'), ...INCOME_PARAMS },
  body: INCOME_BODY,
  formats: INCOME_FORMATS,
  exampleRequest:
    '/accounts/income?address=0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65,0xFABB0ac9d68B0B445fB7357272Ff202C5651694a&interval=1mo',
  handle: ({ address, ...query }, context) => listIncome(context, address, query),
});

export const handler = /* @__PURE__ */ createHandler(accountsIncome);
