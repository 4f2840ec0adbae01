import { activityEndpoint, activityParams, readActivity } from '../lib/api/bodies/activity-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { subjectOf } from '../lib/ledger/ledger-entry.ts';

export const activity = defineEndpoint({
  ...activityEndpoint,
  path: '/activity',
  tag: 'Activity',
  summary: 'Protocol activity',
  description: "Events of the protocol's contracts, including replaced ones.",
  exampleRequest: '/activity?limit=3',
  params: activityParams,
  handle: (query, context) => readActivity(context, subjectOf.protocol, query),
});

export const handler = /* @__PURE__ */ createHandler(activity);
