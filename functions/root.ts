import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
// A generated file: importing functions/index.ts would bundle the code of all endpoints.
import endpoints from '../lib/api/endpoints.json' with { type: 'json' };
import { model } from '../lib/api/fields.ts';
import { JSON_FORMAT } from '../lib/api/formats.ts';
import { text } from '../lib/api/units.ts';
import { VERSION } from '../lib/runtime/version.ts';

const link = (meaning: string) => text.schema(`${meaning} Relative to this URL.`);

export const root = defineEndpoint({
  path: '/',
  tag: 'Service',
  summary: 'API index',
  description: 'All endpoints. Browsers are redirected to the dashboard.',
  freshSeconds: 0,
  input: z.object({}),
  response: () =>
    z.object({
      name: text.schema('Name of the service.'),
      version: text.schema('Version of the service.'),
      network: text.schema('Network.'),
      links: model(
        'Links',
        z.object({
          openapi: link('OpenAPI document.'),
          docs: link('API reference.'),
          guide: link('Guide.'),
          dashboard: link('Dashboard.'),
        }),
      ).check(z.describe('Documentation and dashboard.')),
      endpoints: z
        .array(
          model(
            'EndpointSummary',
            z.object({
              path: text.schema('Path.'),
              parameters: z.array(text.schema('Name of a parameter.')).check(z.describe('Query parameters.')),
              tag: text.schema('Group of endpoints.'),
              summary: text.schema('Summary.'),
            }),
          ),
        )
        .check(z.describe('All endpoints.')),
    }),
  formats: { json: JSON_FORMAT, html: { contentType: 'text/html', page: 'dashboard' } },
  exampleRequest: '/',
  handle: async (_input, { config }) => ({
    name: 'Staking data service',
    version: VERSION,
    network: config.network.name,
    links: { openapi: 'openapi.json', docs: 'docs', guide: 'docs/guide', dashboard: 'dashboard' },
    endpoints,
  }),
});

export const handler = /* @__PURE__ */ createHandler(root);
