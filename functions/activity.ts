import { createHandler } from '../lib/api/endpoint.ts';
import { activityEndpoint } from '../lib/api/shapes/activity.ts';
import { subjectOf } from '../lib/ledger/ledger-entry.ts';

export const activity = activityEndpoint(
  {
    path: '/activity',
    tag: 'Activity',
    summary: 'Protocol activity',
    description:
      "Events of the protocol's contracts, including contracts that have since been replaced, newest first by default: GGP stakes and claims, minipools, ggAVAX deposits, withdrawals, and transfers, rewards, unstaking, and oracle prices. `coverage` is the range of blocks searched.",
    exampleRequest: '/activity?limit=3',
  },
  {},
  () => subjectOf.protocol,
);

export const handler = createHandler(activity);
