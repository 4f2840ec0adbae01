/** This service as `npm run bench:peers` asks it, in a process of its own, which sends its URL. */

import { readConfig } from '../../lib/runtime/config.ts';
import { createContext } from '../../lib/runtime/context.ts';
import { routesOf, startGateway } from '../local/gateway.ts';
import { terminalTelemetry as telemetry } from '../local/terminal-telemetry.ts';

const context = createContext(readConfig(process.env), telemetry);
const { url } = await startGateway({ port: 0, routes: routesOf({ telemetry, context: async () => context }) });
process.send?.({ url });
