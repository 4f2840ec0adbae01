import type { Dataset } from '../cache/cache.ts';
import { inTime, withDeadline } from '../runtime/deadline.ts';
import { DEFAULT_FLAGS } from './flags.ts';
import type { FlagsContext } from './flags-store.ts';

/** `environment` is the stage or, where there is none, the network. */
export type DeployedFlags = typeof DEFAULT_FLAGS & { environment: string };

/** The defaults, overridden by the stored flags. While those cannot be read, the last good flags stay, if they are cached. */
export const flagsDataset: Dataset<DeployedFlags, FlagsContext> = {
  name: 'flags',
  freshSeconds: 60,
  shared: true,
  async read(context, previous) {
    const { config, telemetry, clock, limits } = context;
    const defaults = { environment: config.stage ?? config.network.name, ...DEFAULT_FLAGS };
    try {
      const stored = await withDeadline(clock.now() + limits.durableTableMs, () => inTime(context.flags.read(), clock));
      if (!stored) return defaults;
      return { ...defaults, ...stored, version: String(stored.version), flags: { ...defaults.flags, ...stored.flags } };
    } catch (error) {
      telemetry.warn('flags are not available, keeping the last good ones', { error });
      return previous ?? defaults;
    }
  },
};
