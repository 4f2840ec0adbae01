import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { flag, text, unixTime } from '../lib/api/units.ts';
import { flagsDataset } from '../lib/flags/flags-dataset.ts';

const response = () =>
  z.object({
    environment: text.schema('Stage of the deployment, or else the network.'),
    version: text.schema('Number of changes, or `default` before the first.'),
    updatedAt: unixTime.schema('Time of the last change.'),
    flags: z
      .record(
        z.string(),
        z.catchall(
          z.object({ enabled: flag.schema('`true` if the flag is on.') }),
          z.unknown().check(z.describe('Attribute: a string, number, boolean, or array of strings or numbers.')),
        ),
      )
      .check(z.describe('Flags by key.')),
  });

export const flags = defineEndpoint({
  path: '/flags',
  tag: 'Flags',
  summary: 'Feature flags',
  description:
    'Announcements, which no contract enforces: the wind-down (`windDown`, with the last day of withdrawals as `withdrawalsUntil`), and if deposits, the withdrawal queue, claims, and new minipools are open. Pauses by contract are in `/ggAvax`. While the source is unavailable, the last known flags are returned.',
  freshSeconds: 60,
  reads: ['flags'],
  input: z.object({}),
  response,
  exampleRequest: '/flags',
  handle: (_input, context) => context.dataset(flagsDataset),
});

export const handler = /* @__PURE__ */ createHandler(flags);
