import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { flag, text, unixTime } from '../lib/api/schemas.ts';
import { flagsDataset } from '../lib/flags/flags-dataset.ts';

const response = () =>
  z.object({
    environment: text('Stage of the deployment, or the name of the network where there is none.'),
    version: text('How often flags have been set, or `default` as long as none has been.'),
    updatedAt: unixTime('When flags were last set; for `default`, when it was last edited.'),
    flags: z
      .record(
        z.string(),
        z.catchall(
          z.object({ enabled: flag('Whether the flag is on.') }),
          z.unknown().check(z.describe('Attribute of the flag.')),
        ),
      )
      .check(
        z.describe(
          'Flags by key, each with its attributes: strings, numbers, booleans, or arrays of strings or numbers.',
        ),
      ),
  });

export const flags = defineEndpoint({
  path: '/flags',
  tag: 'Flags',
  summary: 'Feature flags',
  description:
    'Feature flags of this environment. The built-in ones announce what the protocol offers: whether it is being wound down (`windDown`, with the last day of withdrawals as `withdrawalsUntil`), and whether deposits, the withdrawal queue, claims, and new minipools are open. Contracts do not know them; whether the token and the queue are paused is in `/ggAvax`. Flags can change without a deployment. While their source is unavailable, the last known flags are returned.',
  freshSeconds: 60,
  reads: ['flags'],
  input: z.object({}),
  response,
  exampleRequest: '/flags',
  handle: (_input, context) => context.dataset(flagsDataset),
});

export const handler = createHandler(flags);
