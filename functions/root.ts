import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
// A generated file: importing functions/index.ts would bundle the code of all endpoints.
import endpoints from '../lib/api/endpoints.json' with { type: 'json' };
import { list, object } from '../lib/api/fields.ts';
import { text } from '../lib/api/units.ts';
import { VERSION } from '../lib/runtime/version.ts';

const LINKS = { openapi: 'openapi.json', docs: 'docs', guide: 'docs/guide', dashboard: 'dashboard' };
const relative = ' Relative to this URL.';

const links = object<typeof LINKS>('Links')({
  openapi: text(`OpenAPI document.${relative}`),
  docs: text(`API reference.${relative}`),
  guide: text(`Guide.${relative}`),
  dashboard: text(`Dashboard.${relative}`),
});

const summary = object<(typeof endpoints)[number]>('EndpointSummary')({
  path: text('Path.'),
  parameters: list(text)('Names of query parameters.'),
  tag: text('Group of endpoints.'),
  summary: text('Summary.'),
});

const ROOT = object<{ network: string }>()({
  name: text('Name of the service.', () => 'Staking data service'),
  version: text('Version of the service.', () => VERSION),
  network: text('Network.'),
  links: links('Documentation and dashboard.', () => LINKS),
  endpoints: list(summary)('All endpoints.', () => endpoints),
});

export const root = defineEndpoint({
  path: '/',
  tag: 'Service',
  summary: 'API index',
  description: 'All endpoints. Browsers are redirected to the dashboard.',
  freshSeconds: 0,
  body: ROOT,
  page: 'dashboard',
  exampleRequest: '/',
  handle: (_input, { config }) => ({ network: config.network.name }),
});

export const handler = /* @__PURE__ */ createHandler(root);
