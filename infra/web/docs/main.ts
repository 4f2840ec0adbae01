import '../shared/style.css';
import '../shared/nav.css';
import './style.css';

/** The reference, drawn by Scalar from the OpenAPI document: nothing is asked of another host. */

declare const Scalar: { createApiReference(selector: string, configuration: object): void };

Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  // Requests go where the page is from, the name of a stage included.
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
