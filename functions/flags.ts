import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/endpoint.ts';
import { flagsDataset } from '../lib/flags/flags.ts';
import { flag, text, unixTime } from '../lib/schemas.ts';

const response = () =>
  z.object({
    environment: text('What the flags are for: an environment of AWS AppConfig, or a network.'),
    version: text('Label of the version; a hash of its content if it has none; `default` without AppConfig.'),
    updatedAt: unixTime('When this version was first seen.'),
    flags: z
      .record(
        z.string(),
        z.catchall(z.object({ enabled: flag('Whether it is on.') }), z.unknown().check(z.describe('An attribute.'))),
      )
      .check(z.describe('The flags by key, each with its attributes: text, number, yes or no, or a list of them.')),
  });

export const flags = defineEndpoint({
  path: '/flags',
  tag: 'Flags',
  summary: 'Feature flags',
  description:
    'The feature flags of this environment, in the format of AWS AppConfig. They change without a deployment; while their source fails the last good ones stay.',
  freshSeconds: 60,
  shared: false,
  reads: ['flags'],
  input: z.object({}),
  response,
  exampleRequest: '/flags',
  example: {
    environment: 'production',
    version: 'wind-down-2',
    updatedAt: 1_789_158_328,
    flags: {
      withdrawQueue: { enabled: true },
      windDown: { enabled: true, operationsEnded: '2026-08-15', withdrawalsUntil: '2026-12-31' },
    },
  },
  handle: (_input, context) => context.dataset(flagsDataset),
});

export const handler = createHandler(flags);
