import { readConfig } from './config.ts';
import { type Context, createContext, type RpcLimits } from './context.ts';
import { readSecret } from './secret.ts';
import { powertoolsTelemetry, type Telemetry } from './telemetry.ts';

/** What a handler runs in. Tests and the local gateway pass their own. */
export interface Runtime {
  telemetry: Telemetry;
  /** The process's context, made when it is first asked for. */
  context(): Promise<Context>;
}

const telemetry = powertoolsTelemetry();

/** The runtime of a Lambda function: settings from its environment. A failure to open is not remembered. */
export function createRuntime(rpcLimits?: RpcLimits): Runtime {
  let opened: Promise<Context> | undefined;
  return {
    telemetry,
    context() {
      opened ??= open(rpcLimits).catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
  };
}

/** The runtime of an endpoint's function. */
export const lambdaRuntime = createRuntime();

async function open(rpcLimits?: RpcLimits): Promise<Context> {
  const { SECRET_ID } = process.env;
  const secret = SECRET_ID ? await readSecret(SECRET_ID) : {};
  return createContext(readConfig({ ...process.env, ...secret }), telemetry, rpcLimits);
}
