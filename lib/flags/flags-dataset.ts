import type { Dataset } from '../cache/cache.ts';
import { inTime, withDeadline } from '../runtime/deadline.ts';
import { DEFAULT_FLAGS, type Flags } from './flags.ts';
import type { FlagsContext } from './flags-store.ts';

export interface DeployedFlags {
  /** The stage or, where there is none, the network. */
  environment: string;
  /** Number of times that flags have been set, or `default`. */
  version: string;
  updatedAt: number;
  flags: Flags;
}

/** The defaults, overridden by the stored flags. While those cannot be read, the last good flags stay, if they are cached. */
export const flagsDataset: Dataset<DeployedFlags, FlagsContext> = {
  name: 'flags',
  freshSeconds: 60,
  shared: true,
  async read(context, previous) {
    const { config, telemetry, clock, limits } = context;
    const environment = config.stage ?? config.network.name;
    const defaults = { environment, ...DEFAULT_FLAGS };
    try {
      const stored = await withDeadline(clock.now() + limits.durableTableMs, () => inTime(context.flags.read(), clock));
      if (!stored) return defaults;
      const { version, updatedAt, flags } = stored;
      return { environment, version: String(version), updatedAt, flags: { ...DEFAULT_FLAGS.flags, ...flags } };
    } catch (error) {
      telemetry.warn('flags are not available, keeping the last good ones', { error });
      return previous ?? defaults;
    }
  },
};
