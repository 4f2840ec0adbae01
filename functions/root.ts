import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/endpoint.ts';
import { model, text } from '../lib/schemas.ts';
import { VERSION } from '../lib/version.ts';
// Generated: the list itself would bring the code of all other functions along.
import endpoints from './endpoints.json' with { type: 'json' };

const link = (meaning: string) => text(`${meaning} Relative to this address.`);

export const root = defineEndpoint({
  path: '/',
  tag: 'Service',
  summary: 'All endpoints',
  description: 'The table of contents, for programs. Browsers are sent to the dashboard.',
  page: 'dashboard',
  freshSeconds: 0,
  input: z.object({}),
  response: () =>
    z.object({
      name: text('Name of the service.'),
      version: text('Its version.'),
      network: text('The network it reads.'),
      links: model(
        'Links',
        z.object({
          openapi: link('The OpenAPI document.'),
          docs: link('The reference.'),
          guide: link('What to know before the first request.'),
          dashboard: link('The data to look at.'),
        }),
      ).check(z.describe('Where to read on.')),
      endpoints: z
        .array(
          model(
            'EndpointSummary',
            z.object({ path: text('Path.'), tag: text('What it belongs to.'), summary: text('What it answers.') }),
          ),
        )
        .check(z.describe('All endpoints.')),
    }),
  exampleRequest: '/',
  example: {
    name: 'Staking data service',
    version: '1.0.0',
    network: 'avalanche',
    links: { openapi: 'openapi.json', docs: 'docs', guide: 'docs/guide', dashboard: 'dashboard' },
    endpoints: [{ path: '/prices', tag: 'Prices', summary: 'Best current prices' }],
  },
  handle: async (_input, { config }) => ({
    name: 'Staking data service',
    version: VERSION,
    network: config.network.name,
    links: { openapi: 'openapi.json', docs: 'docs', guide: 'docs/guide', dashboard: 'dashboard' },
    endpoints,
  }),
});

export const handler = createHandler(root);
