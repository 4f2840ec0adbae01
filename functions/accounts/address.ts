import * as z from 'zod/mini';
import { ACCOUNT_LACKS, accountBody, accountFields, lacksOf } from '../../lib/api/bodies/account-body.ts';
import { partialBody, partialSchema } from '../../lib/api/bodies/partial-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam, currencyParam } from '../../lib/api/params.ts';
import { blockRef, model } from '../../lib/api/schemas.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { type Account, readAccounts } from '../../lib/protocol/accounts.ts';

export const accountsAddress = defineEndpoint({
  path: '/accounts/{address}',
  tag: 'Accounts',
  summary: 'Everything one address has',
  description:
    'All that an address has with the protocol at one block: ggAVAX, GGP stake and rewards, minipools, withdrawal requests, pstAVAX, xGGP, xAVAX, and locks, and what can be taken out now, with the transactions for it. The figures equal those of `/ggAvax/{address}`, `/stakers/{address}`, and `/withdrawals/{address}`. An address without anything has zeros.',
  freshSeconds: 60,
  inTable: true,
  reads: ['ledger'],
  input: z.object({
    address: addressParam('The address.'),
    currency: currencyParam('`eur` adds the total in EUR.'),
  }),
  response: () =>
    model(
      'AccountDetails',
      z.object({ ...accountFields(), ...partialSchema(ACCOUNT_LACKS, 'AccountField'), block: blockRef() }),
    ),
  exampleRequest: '/accounts/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  async handle({ address, currency }, context) {
    const [state, pools] = await Promise.all([chainOf(context).latest('accounts'), readCachedPools(context)]);
    const { accounts, ...common } = await readAccounts(context, state, pools, [address]);
    const account = accounts[0] as Account;
    const body = accountBody(account, common, currency);
    return {
      ...body,
      ...partialBody(lacksOf(account, body)),
      block: common.block,
    };
  },
});

export const handler = createHandler(accountsAddress);
