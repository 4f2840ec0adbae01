import { readConfig } from '../../lib/config.ts';
import { createContext } from '../../lib/context.ts';
import { routesOf, startGateway } from '../local/gateway.ts';
import { terminalTelemetry } from '../local/telemetry.ts';

/** The server under load, a process of its own: the local gateway with every endpoint and one that answers a constant. */

const context = createContext(readConfig(process.env), terminalTelemetry);
const runtime = { telemetry: terminalTelemetry, context: async () => context };
const constant = {
  template: '/constant',
  handler: async () => ({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: '{"constant":true}',
  }),
};
const { url } = await startGateway({ port: 0, routes: [...routesOf(runtime), constant] });

process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ heapMB: process.memoryUsage().heapUsed / 1e6, rssMB: process.memoryUsage().rss / 1e6 });
});
process.send?.({ url });
