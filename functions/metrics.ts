import * as z from 'zod/mini';
import { metricsBody, metricsSchema } from '../lib/api/bodies/metrics-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { metricsDataset } from '../lib/protocol/metrics-dataset.ts';

export const metrics = defineEndpoint({
  path: '/metrics',
  tag: 'Metrics',
  summary: 'Protocol metrics',
  description:
    'Key metrics of the protocol, all at the same block. A metric that has no value at this block is omitted. So is one whose source is unavailable, which is then listed in `partial`.',
  freshSeconds: metricsDataset.freshSeconds,
  reads: ['history', 'flags'],
  input: z.object({}),
  response: metricsSchema,
  exampleRequest: '/metrics',
  handle: async (_input, context) => metricsBody(await context.dataset(metricsDataset)),
});

export const handler = createHandler(metrics);
