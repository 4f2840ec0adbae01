import { readConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { powertoolsTelemetry, type Telemetry } from './telemetry.ts';

/** What a handler runs in. Tests and the local gateway pass their own. */
export interface Runtime {
  telemetry: Telemetry;
  /** The process's context, made when it is first asked for. */
  context(): Promise<Context>;
}

const telemetry = powertoolsTelemetry();
let opened: Promise<Context> | undefined;

/** The runtime of a Lambda function: settings from its environment. A failure to open is not remembered. */
export const lambdaRuntime: Runtime = {
  telemetry,
  context() {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  },
};

async function open(): Promise<Context> {
  return createContext(readConfig(process.env), telemetry);
}
