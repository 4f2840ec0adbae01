import '../shared/style.css';
import '../shared/nav.css';
import './style.css';

/** The reference, rendered by Scalar from the OpenAPI document, without requests to other hosts. */

declare const Scalar: { createApiReference(selector: string, configuration: object): void };

Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  // Test requests go to the service that serves this page, including the stage in its path.
  servers: [{ url: new URL('.', location.href).href.replace(/\/$/, '') }],
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  defaultOpenAllTags: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
