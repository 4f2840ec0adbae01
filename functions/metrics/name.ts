import * as z from 'zod/mini';
import { METRIC_NAMES, METRICS_BODY } from '../../lib/api/bodies/metrics-body.ts';
import { NUMBER_FORMATS } from '../../lib/api/definition.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { unit } from '../../lib/api/fields.ts';
import { nameParam } from '../../lib/api/params.ts';
import { metricsDataset } from '../../lib/protocol/metrics.ts';
import { ApiError, sourceUnavailable } from '../../lib/runtime/errors.ts';

export const metricsName = defineEndpoint({
  path: '/metrics/{name}',
  tag: 'Metrics',
  summary: 'One protocol metric',
  description:
    'One metric of `/metrics` as a bare JSON number, for spreadsheets and price trackers. Its block is in the `X-Block-Number` header. A metric without a value is a 404 (`NO_VALUE`), one whose source is unavailable a 503.',
  freshSeconds: metricsDataset.freshSeconds,
  reads: ['history', 'flags'],
  params: { name: nameParam(METRIC_NAMES, 'Name of the metric in `/metrics`, nested names with a dot.', 'Figure') },
  body: unit(
    () => z.number(),
    (figure: number) => figure,
  ),
  formats: NUMBER_FORMATS,
  exampleRequest: '/metrics/ggavax_apy',
  notFound: ['METRIC_NOT_FOUND', 'NO_VALUE'],
  async handle({ name }, context) {
    if (!METRIC_NAMES.includes(name)) {
      throw new ApiError('METRIC_NOT_FOUND', `Unknown metric. Known names: ${METRIC_NAMES.join(', ')}.`);
    }
    const metrics = METRICS_BODY.json(await context.dataset(metricsDataset));
    if (metrics.partial?.includes(name)) throw sourceUnavailable();
    const figure = name
      .split('.')
      .reduce<unknown>((part, field) => (part as Record<string, unknown> | undefined)?.[field], metrics);
    if (figure === undefined) throw new ApiError('NO_VALUE', `${name} has no value at this block.`);
    return figure as number;
  },
});

export const handler = /* @__PURE__ */ createHandler(metricsName);
