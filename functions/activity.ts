import { createHandler } from '../lib/api/endpoint.ts';
import { activityEndpoint } from '../lib/api/shapes/activity.ts';
import { subjectOf } from '../lib/ledger/ledger-entry.ts';

export const activity = activityEndpoint({
  path: '/activity',
  tag: 'Activity',
  summary: 'Protocol activity',
  description: "Events of the protocol's contracts, including replaced ones.",
  exampleRequest: '/activity?limit=3',
  params: {},
  subject: () => subjectOf.protocol,
});

export const handler = /* @__PURE__ */ createHandler(activity);
