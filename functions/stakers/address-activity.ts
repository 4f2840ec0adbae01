import { createHandler } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { activityEndpoint } from '../../lib/api/shapes/activity.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';

export const stakersAddressActivity = activityEndpoint({
  path: '/stakers/{address}/activity',
  tag: 'Stakers',
  summary: 'Activity of one GGP staker',
  description:
    "GGP that the staker staked, withdrew, claimed, or lost by slashing. Events of the staker's minipools, with the operator's AVAX reward of each minipool cycle.",
  exampleRequest: '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/activity?limit=3',
  params: { address: addressParam('Address of the staker.') },
  subject: ({ address }) => subjectOf.staker(address),
});

export const handler = /* @__PURE__ */ createHandler(stakersAddressActivity);
