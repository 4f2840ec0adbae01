import type * as z from 'zod/mini';
import { ACCOUNT } from '../../lib/api/bodies/account-body.ts';
import { JSON_FORMAT } from '../../lib/api/definition.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { partialObject } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { block } from '../../lib/api/units.ts';
import { type Account, readAccounts } from '../../lib/protocol/accounts.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { createSafeFile } from '../../lib/values/safe-file.ts';

const detailsWith = partialObject<Account & { block: BlockRef }>('AccountField', 'AccountDetails');
const ACCOUNT_DETAILS = detailsWith({ ...ACCOUNT.fields, block: block() });

type Body = z.output<ReturnType<typeof ACCOUNT_DETAILS.schema>>;

/** All transactions of `availableNow`, in their order. Throws NO_VALUE if there is none. */
function safeFile({ address, availableNow = [], block }: Body): string {
  const calls = availableNow.flatMap(({ call }) => call ?? []);
  if (calls.length === 0) throw new ApiError('NO_VALUE', 'Nothing can be taken out at this block.');
  return createSafeFile(`Take out of ${address}`, calls, block.timestamp);
}

export const accountsAddress = defineEndpoint({
  path: '/accounts/{address}',
  tag: 'Accounts',
  summary: 'Everything one address has',
  description:
    'All positions of an address at one block, and the transactions that withdraw them. Figures equal those of `/ggAvax/{address}`, `/stakers/{address}`, and `/withdrawals/{address}`. An unknown address has zeros. `format=safe` is a file with all transactions of `availableNow`, for the Transaction Builder of Safe.',
  freshSeconds: 60,
  shared: true,
  params: { address: addressParam('Address.') },
  body: ACCOUNT_DETAILS,
  formats: {
    json: JSON_FORMAT,
    safe: { contentType: 'application/octet-stream', extension: 'json', suffix: () => 'safe', write: safeFile },
  },
  exampleRequest: '/accounts/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  notFound: ['NO_VALUE'],
  async handle({ address }, context) {
    const { accounts, block } = await readAccounts(context, [address]);
    return { ...(accounts[0] as Account), block };
  },
});

export const handler = /* @__PURE__ */ createHandler(accountsAddress);
