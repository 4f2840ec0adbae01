import { type Clock, systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import { type Context, createContext, type Limits } from './context.ts';
import { readSecret } from './secret.ts';
import { powertoolsTelemetry, type Telemetry } from './telemetry.ts';

/** The runtime of a handler. Tests and the local gateway pass their own. */
export interface Runtime {
  telemetry: Telemetry;
  /** The process's context, made when it is first asked for. */
  context(): Promise<Context>;
}

const telemetry = powertoolsTelemetry();

/** Time in ms for which a process uses a secret before it reads the secret again. */
const SECRET_MS = 5 * 60_000;

/**
 * The runtime of a Lambda function: settings from its environment and its secret. A changed secret is detected within
 * five minutes, and a new context then replaces the old one. While the secret cannot be read, the old context stays. If
 * the first context cannot be made, the next request tries again.
 */
export function createRuntime(limits?: Limits, clock: Clock = systemClock): Runtime {
  let opened: Promise<Opened> | undefined;
  const openAnew = (previous?: Opened) => {
    opened = open(clock, limits, previous).catch((error: unknown) => {
      if (!previous) {
        opened = undefined;
        throw error;
      }
      telemetry.warn('the secret cannot be read or is invalid, keeping the previous one', { error });
      return { ...previous, readAt: clock.now() };
    });
    return opened;
  };
  return {
    telemetry,
    async context() {
      const current = await (opened ?? openAnew());
      const isOld = process.env.SECRET_ID && clock.now() - current.readAt >= SECRET_MS;
      // Awaited, not done after the response: Lambda freezes the process then.
      return isOld ? (await openAnew(current)).context : current.context;
    },
  };
}

interface Opened {
  context: Context;
  /** The secret, and the time at which it was read (unix milliseconds). */
  secret: string;
  readAt: number;
}

const lambdaRuntime = createRuntime();

/**
 * The runtime of an endpoint's function. The context is made, and `prepare` called with it, during init: Lambda then
 * gives a function more CPU than its memory buys later. The first request reports failures.
 */
export function endpointRuntime(prepare: (context: Context) => void): Runtime {
  const isLambda = process.env.AWS_LAMBDA_RUNTIME_API;
  if (isLambda)
    lambdaRuntime
      .context()
      .then(prepare)
      .catch(() => {});
  return lambdaRuntime;
}

async function open(clock: Clock, limits?: Limits, previous?: Opened): Promise<Opened> {
  const { SECRET_ID } = process.env;
  const variables = SECRET_ID ? await readSecret(SECRET_ID) : {};
  const secret = JSON.stringify(variables);
  const context = previous?.secret === secret ? previous.context : newContext({ ...process.env, ...variables }, limits);
  return { context, secret, readAt: clock.now() };
}

function newContext(env: Record<string, string | undefined>, limits?: Limits): Context {
  return createContext(readConfig(env), telemetry, limits);
}
