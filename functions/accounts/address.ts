import { ACCOUNT } from '../../lib/api/bodies/account-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { partialObject } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { block } from '../../lib/api/units.ts';
import { type Account, readAccounts } from '../../lib/protocol/accounts.ts';
import type { BlockRef } from '../../lib/values/block.ts';

const ACCOUNT_DETAILS = partialObject<Account & { block: BlockRef }>(
  'AccountField',
  'AccountDetails',
)({
  ...ACCOUNT.fields,
  block: block(),
});

export const accountsAddress = defineEndpoint({
  path: '/accounts/{address}',
  tag: 'Accounts',
  summary: 'Everything one address has',
  description:
    'All positions of an address at one block, and the transactions that withdraw them. Figures equal those of `/ggAvax/{address}`, `/stakers/{address}`, and `/withdrawals/{address}`. An unknown address has zeros.',
  freshSeconds: 60,
  shared: true,
  params: { address: addressParam('Address.') },
  body: ACCOUNT_DETAILS,
  exampleRequest: '/accounts/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  async handle({ address }, context) {
    const { accounts, block } = await readAccounts(context, [address]);
    return { ...(accounts[0] as Account), block };
  },
});

export const handler = /* @__PURE__ */ createHandler(accountsAddress);
