import type { Answered } from '../../lib/api/endpoint.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { createContext } from '../../lib/runtime/context.ts';
import { type Route, routesOf, startGateway } from '../local/gateway.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';

/**
 * The server under load, in its own process: the local gateway with all endpoints, and two routes that answer
 * constants.
 */

const context = createContext(readConfig(process.env), terminalTelemetry);
const runtime = { telemetry: terminalTelemetry, context: async () => context };
const routes = routesOf(runtime);
const ggAvax = routes.find(({ template }) => template === '/ggAvax') as Route;
const constant: Route = {
  template: '/constant',
  answer: async () => ({
    result: { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: '{"constant":true}' },
  }),
};
/** The first answer of /ggAvax, headers included: as much to write for each request, but nothing to decide. */
let answered: Promise<Answered> | undefined;
const sameAnswer: Route = {
  template: '/same-answer',
  answer: (...request) => (answered ??= ggAvax.answer(...request)),
};
const { url } = await startGateway({ port: 0, routes: [...routes, constant, sameAnswer] });

process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ heapMB: process.memoryUsage().heapUsed / 1e6, rssMB: process.memoryUsage().rss / 1e6 });
});
process.send?.({ url });
