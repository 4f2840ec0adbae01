import { INCOME_BODY, INCOME_PARAMS, incomeEndpoint } from '../../lib/api/bodies/income-entries.ts';
import { INCOME_FORMATS } from '../../lib/api/bodies/income-files.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { partialObject } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { address } from '../../lib/api/units.ts';
import { type ListedIncome, listIncome } from '../../lib/history/income.ts';

const incomeWith = partialObject<ListedIncome & { address: string }>('IncomeField');

export const accountsAddressIncome = defineEndpoint({
  ...incomeEndpoint,
  path: '/accounts/{address}/income',
  tag: 'Accounts',
  summary: 'Everything one address has earned',
  description:
    'Income from all sources, as a list and as totals by calendar year: daily growth of ggAVAX, rewards of minipool cycles, and GGP of rewards cycles, claimed or not. Amounts add up to those of `/ggAvax/{address}/rewards` and `/rewards/{address}/cycles` to the wei. Growth over several days without recorded data counts for no year: `undated` has it, no entry and no total. Not paginated: more than 4 MB are a 400. `format=koinly` and `format=rotki` are import files for these tax tools, in one `currency`; rotki values entries itself, so its file has the value in the description. The last entry of each source in a file says up to when it is known (CSV: in a column), unless all of the range is. A file is refused (409) while any of its range is not recorded, except later income and GGP of a running cycle, with the time `until` which it is.',
  params: { address: addressParam('Address.'), ...INCOME_PARAMS },
  body: incomeWith({ address: address('Address.'), ...INCOME_BODY.fields }),
  formats: INCOME_FORMATS,
  exampleRequest: '/accounts/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/income?interval=1mo',
  async handle({ address, ...query }, context) {
    return { address, ...(await listIncome(context, [address], query)) };
  },
});

export const handler = /* @__PURE__ */ createHandler(accountsAddressIncome);
