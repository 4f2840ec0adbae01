import * as z from 'zod/mini';
import { FIGURES, metricsDataset } from '../../lib/bodies/metrics.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { param } from '../../lib/params.ts';

const name = param({
  description: 'Name of the figure, as in `/metrics`; of one in a part of it with the name of that and a dot in front.',
  accepted: `one of ${FIGURES.join(', ')}`,
  // A figure that nobody knows is not a malformed request: the handler answers it with a 404.
  parse: (text) => text,
  schema: { title: 'Figure', type: 'string', enum: FIGURES },
});

export const metricsName = defineEndpoint({
  path: '/metrics/{name}',
  tag: 'Metrics',
  summary: 'One figure of the protocol',
  description:
    'A figure of `/metrics` as a bare number, for spreadsheets and price trackers. Its block is in the headers. A figure without a source is a 503 while that lasts.',
  freshSeconds: metricsDataset.freshSeconds,
  shared: false,
  reads: ['history'],
  input: z.object({ name }),
  response: () => z.number(),
  exampleRequest: '/metrics/ggavax_apy',
  example: 4.61,
  notFound: 'METRIC_NOT_FOUND',
  async handle({ name }, context) {
    if (!FIGURES.includes(name)) {
      throw new ApiError('METRIC_NOT_FOUND', `There is no such figure. Known names: ${FIGURES.join(', ')}.`);
    }
    const metrics: unknown = await context.dataset(metricsDataset);
    const figure = name
      .split('.')
      .reduce((part, field) => (part as Record<string, unknown> | undefined)?.[field], metrics);
    if (figure === undefined) {
      throw new ApiError('UPSTREAM_UNAVAILABLE', `${name} has no source at the moment. Please try again later.`);
    }
    return figure as number;
  },
});

export const handler = createHandler(metricsName);
