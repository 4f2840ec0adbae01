import * as z from 'zod/mini';
import { ACCOUNT_LACKS, accountBody, accountFields, lacksOf, totalsBody } from '../lib/api/bodies/account-body.ts';
import { accountRows } from '../lib/api/bodies/account-rows.ts';
import { partialBody, partialSchema } from '../lib/api/bodies/partial-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { addressesParam, currencyParam } from '../lib/api/params.ts';
import { blockRef, model, quantity, tokens } from '../lib/api/schemas.ts';
import { chainOf } from '../lib/chain/chain.ts';
import { readCachedPools } from '../lib/prices/current.ts';
import { sumKnown, totalAVAX } from '../lib/protocol/account-figures.ts';
import { readAccounts } from '../lib/protocol/accounts.ts';

const MAX_ADDRESSES = 50;

export const accounts = defineEndpoint({
  path: '/accounts',
  tag: 'Accounts',
  summary: 'Everything several addresses have',
  description:
    'As `/accounts/{address}`, for several addresses at the same block, in the order asked. CSV has a row for each; its last column, `partial`, names totals that lack a price.',
  freshSeconds: 60,
  inTable: true,
  reads: ['ledger'],
  input: z.object({
    address: addressesParam(MAX_ADDRESSES, 'The addresses.'),
    currency: currencyParam('`eur` adds the totals in EUR.'),
  }),
  response: () =>
    z.object({
      accounts: z
        .array(model('Account', z.object(accountFields())))
        .check(z.describe('One for each address, in the order asked.')),
      totalAVAX: z.optional(tokens('AVAX', 'Sum of `totalAVAX` of all accounts. Omitted if one is unknown.')),
      totalUSD: z.optional(quantity('USD', 'The same in USD. Omitted if it is unknown.')),
      totalEUR: z.optional(quantity('EUR', 'The same in EUR. Only with `currency=eur`. Omitted if it is unknown.')),
      ...partialSchema(ACCOUNT_LACKS, 'AccountField'),
      block: blockRef(),
    }),
  rows: 'accounts',
  files: { csv: { write: accountRows } },
  exampleRequest:
    '/accounts?address=0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65,0xFABB0ac9d68B0B445fB7357272Ff202C5651694a&currency=eur',
  async handle({ address, currency }, context) {
    const [state, pools] = await Promise.all([chainOf(context).latest('accounts'), readCachedPools(context)]);
    const { accounts, ...common } = await readAccounts(context, state, pools, address);
    const { totals, prices, block } = common;
    const rates = { totals, ggpInAVAX: prices.ggpInAVAX?.price };
    const total = sumKnown(accounts.map((account) => totalAVAX(account, rates)));
    const bodies = accounts.map((account) => ({ account, body: accountBody(account, common, currency) }));
    const lacks = bodies.map(({ account, body }) => lacksOf(account, body));
    return {
      accounts: bodies.map(({ body }) => body),
      ...totalsBody(total, prices, currency),
      // What one of them lacks is missing, even if the others have it.
      ...partialBody(forAccounts(lacks)),
      block,
    };
  },
});

function forAccounts(lacks: readonly ReturnType<typeof lacksOf>[]) {
  const reasonFor = (name: (typeof ACCOUNT_LACKS)[number]) => lacks.find((each) => each[name])?.[name];
  return Object.fromEntries(ACCOUNT_LACKS.map((name) => [name, reasonFor(name)])) as ReturnType<typeof lacksOf>;
}

export const handler = createHandler(accounts);
