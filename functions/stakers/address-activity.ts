import { activityEndpoint, activityParams, readActivity } from '../../lib/api/bodies/activity-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';

export const stakersAddressActivity = defineEndpoint({
  ...activityEndpoint,
  path: '/stakers/{address}/activity',
  tag: 'Stakers',
  summary: 'Activity of one GGP staker',
  description:
    "GGP that the staker staked, withdrew, claimed, or lost by slashing. Events of the staker's minipools, with the operator's AVAX reward of each minipool cycle.",
  exampleRequest: '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/activity?limit=3',
  params: { address: addressParam('Address of the staker.'), ...activityParams },
  handle: ({ address, ...query }, context) => readActivity(context, subjectOf.staker(address), query),
});

export const handler = /* @__PURE__ */ createHandler(stakersAddressActivity);
