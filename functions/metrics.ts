import { METRICS_BODY } from '../lib/api/bodies/metrics-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { metricsDataset } from '../lib/protocol/metrics.ts';

export const metrics = defineEndpoint({
  path: '/metrics',
  tag: 'Metrics',
  summary: 'Protocol metrics',
  description:
    'All metrics at the same block. A metric without a value is omitted. If its source is unavailable, `partial` lists it.',
  freshSeconds: metricsDataset.freshSeconds,
  reads: ['history', 'flags'],
  body: METRICS_BODY,
  exampleRequest: '/metrics',
  handle: (_input, context) => context.dataset(metricsDataset),
});

export const handler = /* @__PURE__ */ createHandler(metrics);
