import { createHandler } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { activityEndpoint } from '../../lib/api/shapes/activity.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';

export const stakersAddressActivity = activityEndpoint(
  {
    path: '/stakers/{address}/activity',
    tag: 'Stakers',
    summary: 'Activity of one GGP staker',
    description:
      'GGP that a staker has staked, withdrawn, claimed, and lost to slashing, and events of their minipools with the AVAX that each cycle has earned them, newest first. The list is empty if there are none.',
    exampleRequest: '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/activity?limit=3',
  },
  { address: addressParam('Address of the staker.') },
  ({ address }) => subjectOf.staker(address),
);

export const handler = createHandler(stakersAddressActivity);
