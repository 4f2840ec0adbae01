import { activityEndpoint, activityParams, readActivity } from '../../lib/api/bodies/activity-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';

export const ggAvaxAddressActivity = defineEndpoint({
  ...activityEndpoint,
  path: '/ggAvax/{address}/activity',
  tag: 'ggAVAX',
  summary: 'ggAVAX activity of one address',
  description: 'Deposits, withdrawals, transfers, donations, and queue requests of an address.',
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65/activity?limit=3',
  params: { address: addressParam('Address of the holder.'), ...activityParams },
  handle: ({ address, ...query }, context) => readActivity(context, subjectOf.holder(address), query),
});

export const handler = /* @__PURE__ */ createHandler(ggAvaxAddressActivity);
