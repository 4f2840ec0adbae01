import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { json, object } from '../lib/api/fields.ts';
import { flag, text, unixTime } from '../lib/api/units.ts';
import { type DeployedFlags, flagsDataset } from '../lib/flags/flags-dataset.ts';

const FLAGS = object<DeployedFlags>()({
  environment: text('Stage of the deployment, or else the network.'),
  version: text('Number of changes, or `default` before the first.'),
  updatedAt: unixTime('Time of the last change.'),
  flags: json(
    () =>
      z
        .record(
          z.string(),
          z.catchall(
            z.object({ enabled: flag.schema('`true` if the flag is on.') }),
            z.unknown().check(z.describe('Attribute: a string, number, boolean, or array of strings or numbers.')),
          ),
        )
        .check(z.describe('Flags by key.')),
    ({ flags }) => flags,
  ),
});

export const flags = defineEndpoint({
  path: '/flags',
  tag: 'Flags',
  summary: 'Feature flags',
  description:
    'Announcements, which no contract enforces: the wind-down (`windDown`, with the last day of withdrawals as `withdrawalsUntil`), and if deposits, the withdrawal queue, claims, and new minipools are open. Pauses by contract are in `/ggAvax`. While the source is unavailable, the last known flags are returned.',
  freshSeconds: 60,
  reads: ['flags'],
  body: FLAGS,
  exampleRequest: '/flags',
  handle: (_input, context) => context.dataset(flagsDataset),
});

export const handler = /* @__PURE__ */ createHandler(flags);
