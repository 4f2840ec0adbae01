import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
// A generated file: importing functions/index.ts would bundle the code of all endpoints.
import endpoints from '../lib/api/endpoints.json' with { type: 'json' };
import { JSON_FORMAT } from '../lib/api/formats.ts';
import { model, text } from '../lib/api/schemas.ts';
import { VERSION } from '../lib/runtime/version.ts';

const link = (meaning: string) => text(`${meaning} Relative to this URL.`);

export const root = defineEndpoint({
  path: '/',
  tag: 'Service',
  summary: 'API index',
  description: 'All endpoints. Browsers are redirected to the dashboard.',
  freshSeconds: 0,
  input: z.object({}),
  response: () =>
    z.object({
      name: text('Name of the service.'),
      version: text('Version of the service.'),
      network: text('Network.'),
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
              path: text('Path.'),
              parameters: z.array(text('Name of a parameter.')).check(z.describe('Query parameters.')),
              tag: text('Group of endpoints.'),
              summary: text('Summary.'),
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
