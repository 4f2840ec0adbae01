import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { model, unit } from '../../lib/api/fields.ts';
import { patternParam } from '../../lib/api/params.ts';
import { flag, text, unixTime } from '../../lib/api/units.ts';
import { FLAG_KEY } from '../../lib/flags/flags.ts';
import { flagsDataset } from '../../lib/flags/flags-dataset.ts';
import { ApiError } from '../../lib/runtime/errors.ts';

const ACCEPTED = 'a flag key: a lower-case letter, followed by up to 63 letters, digits, _ or -';

const schema = () =>
  model(
    'Flag',
    z.catchall(
      z.object({
        key: text.schema('Key of the flag.'),
        enabled: flag.schema('`true` if the flag is on.'),
        environment: text.schema('Stage of the deployment, or else the network.'),
        version: text.schema('Number of changes, or `default` before the first.'),
        updatedAt: unixTime.schema('Time of the last change.'),
      }),
      z.unknown().check(z.describe('Attribute. One with the name of a field above is only in `/flags`.')),
    ),
  );

export const flagsKey = defineEndpoint({
  path: '/flags/{key}',
  tag: 'Flags',
  summary: 'One feature flag',
  description: 'One flag, its attributes at the top level.',
  freshSeconds: 60,
  reads: ['flags'],
  params: { key: patternParam(FLAG_KEY, 'Key of the flag.', ACCEPTED, String) },
  body: unit(schema, (body: z.input<ReturnType<typeof schema>>) => body),
  exampleRequest: '/flags/windDown',
  notFound: ['FLAG_NOT_FOUND'],
  async handle({ key }, context) {
    const { flags, environment, version, updatedAt } = await context.dataset(flagsDataset);
    if (!Object.hasOwn(flags, key))
      throw new ApiError('FLAG_NOT_FOUND', `There is no flag named ${key}. GET /flags lists all flags.`);
    return { ...(flags[key] as { enabled: boolean }), key, environment, version, updatedAt };
  },
});

export const handler = /* @__PURE__ */ createHandler(flagsKey);
