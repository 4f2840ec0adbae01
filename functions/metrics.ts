import * as z from 'zod/mini';
import { metricsBody, metricsSchema } from '../lib/api/bodies/metrics-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { readMetrics } from '../lib/protocol/metrics.ts';
import { protocolDataset } from '../lib/protocol/protocol-dataset.ts';

export const metrics = defineEndpoint({
  path: '/metrics',
  tag: 'Metrics',
  summary: 'Protocol metrics',
  description:
    'All metrics at the same block. A metric without a value is omitted. If its source is unavailable, `partial` lists it.',
  freshSeconds: protocolDataset.freshSeconds,
  reads: ['history', 'flags'],
  input: z.object({}),
  response: metricsSchema,
  exampleRequest: '/metrics',
  handle: async (_input, context) => metricsBody(await readMetrics(context)),
});

export const handler = createHandler(metrics);
