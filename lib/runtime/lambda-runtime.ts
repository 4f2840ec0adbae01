import { type Clock, systemClock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import type { Context } from './context.ts';
import { readSecret } from './secret.ts';
import { powertoolsTelemetry, type Telemetry } from './telemetry.ts';

export interface Runtime<Services extends Context = Context> {
  telemetry: Telemetry;
  clock: Clock;
  context: () => Promise<Services>;
}

/** For tools, exports and tests. */
export function runtimeWith<Services extends Context>(context: Services): Runtime<Services> {
  return { telemetry: context.telemetry, clock: context.clock, context: async () => context };
}

const telemetry = powertoolsTelemetry();

const SECRET_MS = 5 * 60_000;

type Create<Services> = (config: Config, telemetry: Telemetry) => Services;

/** `readAt`: the time at which the secret was read, unix milliseconds. */
type Opened<Services> = { context: Services; secret: string; readAt: number };

/**
 * The runtime of a Lambda function: settings from its environment and its secret. A changed secret is detected within five minutes.
 * While the secret cannot be read, the old context stays; if there is none, the next request tries again.
 */
export function createRuntime<Services extends Context>(
  create: Create<Services>,
  clock: Clock = systemClock,
): Runtime<Services> {
  let opened: Promise<Opened<Services>> | undefined;
  const open = async (previous?: Opened<Services>): Promise<Opened<Services>> => {
    const { SECRET_ID } = process.env;
    const variables = SECRET_ID ? await readSecret(SECRET_ID) : {};
    const secret = JSON.stringify(variables);
    const isSame = previous?.secret === secret;
    // A release that the secret named would share its cache entries with all later ones.
    const env = { ...variables, RELEASE: undefined };
    const context = isSame ? previous.context : create(readConfig(env, process.env), telemetry);
    return { context, secret, readAt: clock.now() };
  };
  return {
    telemetry,
    clock,
    async context() {
      opened ??= open().catch((error) => {
        opened = undefined;
        throw error;
      });
      const current = await opened;
      if (!process.env.SECRET_ID || clock.now() - current.readAt < SECRET_MS) return current.context;
      // Awaited, not done after the response: Lambda freezes the process then.
      opened = open(current).catch((error) => {
        telemetry.warn('the secret cannot be read or is invalid, keeping the previous one', { error });
        return { ...current, readAt: clock.now() };
      });
      return (await opened).context;
    },
  };
}

/** Prepares the context during init, when Lambda gives a function more CPU. The first request reports failures. */
export function endpointRuntime<Services extends Context>(
  create: Create<Services>,
  prepare: (context: Services) => unknown,
): Runtime<Services> {
  const runtime = createRuntime(create);
  if (process.env.AWS_LAMBDA_RUNTIME_API)
    runtime
      .context()
      .then(prepare)
      .catch(() => {});
  return runtime;
}
