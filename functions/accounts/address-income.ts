import * as z from 'zod/mini';
import {
  INCOME_BODY,
  INCOME_DESCRIPTION,
  INCOME_PARAMS,
  listIncome,
  normalizeIncome,
} from '../../lib/api/bodies/income-entries.ts';
import { INCOME_FORMATS } from '../../lib/api/bodies/income-files.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { address } from '../../lib/api/units.ts';

export const accountsAddressIncome = defineEndpoint({
  path: '/accounts/{address}/income',
  tag: 'Accounts',
  summary: 'Everything one address has earned',
  description: INCOME_DESCRIPTION,
  freshSeconds: 300,
  reads: ['history', 'ledger'],
  input: z.object({ address: addressParam('Address.'), ...INCOME_PARAMS }),
  normalizeInput: normalizeIncome,
  response: () => z.object({ address: address.schema('Address.'), ...INCOME_BODY.schema().shape }),
  formats: INCOME_FORMATS,
  exampleRequest: '/accounts/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/income?interval=1mo',
  unpaged: 'a part of what somebody earned would look like all of it',
  async handle({ address, ...query }, context) {
    return { address, ...INCOME_BODY.json(await listIncome(context, [address], query)) };
  },
});

export const handler = /* @__PURE__ */ createHandler(accountsAddressIncome);
