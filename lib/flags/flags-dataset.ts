/**
 * `lib/flags`: feature flags: their names and defaults, and the document in AppConfig that overrides them. Functions that
 * ask for a flag list `flags` in their `reads`.
 */

import { AppConfigDataClient } from '@aws-sdk/client-appconfigdata';
import type { Dataset } from '../cache/dataset.ts';
import { givingUpAfter } from '../runtime/aws.ts';
import { type Context, perProcess } from '../runtime/context.ts';
import { AppConfigFlags } from './app-config.ts';
import { DEFAULT_FLAGS } from './defaults.ts';
import type { VersionedFlags } from './document.ts';

/** The feature flags of this deployment. */
export interface DeployedFlags extends VersionedFlags {
  /** AppConfig's environment, or the network where AppConfig is not used. */
  environment: string;
  /** When this version was first seen, unix seconds. */
  updatedAt: number;
}

const CLIENT = { maxAttempts: 2, ...givingUpAfter(1_000) };

const appConfigOf = perProcess(
  'app-config',
  ({ config: { flagsSource } }) => flagsSource && new AppConfigFlags(new AppConfigDataClient(CLIENT), flagsSource),
);

/**
 * The flags: from AppConfig if it is configured. While it does not answer, or what is deployed there is broken, the
 * last good ones stay (the shared ones, else this container's); if there never were any, the defaults apply.
 */
export const flagsDataset: Dataset<DeployedFlags> = {
  name: 'flags',
  version: 1,
  freshSeconds: 60,
  async read(context, previous) {
    const appConfig = appConfigOf(context);
    const environment = environmentOf(context);
    if (!appConfig) return { environment, ...DEFAULT_FLAGS };
    try {
      return deployed(environment, await appConfig.latest(), previous);
    } catch (error) {
      context.telemetry.warn('flags are not available, keeping the last good ones', { error });
      if (previous) return previous;
      return appConfig.lastGood ? deployed(environment, appConfig.lastGood) : { environment, ...DEFAULT_FLAGS };
    }
  },
};

function deployed(environment: string, flags: VersionedFlags, previous?: DeployedFlags): DeployedFlags {
  // AppConfig does not say when a version was deployed.
  const isKnown = previous?.version === flags.version;
  return { environment, ...flags, updatedAt: isKnown ? previous.updatedAt : Math.floor(Date.now() / 1_000) };
}

function environmentOf({ config }: Context): string {
  return config.flagsSource?.split('/')[1] ?? config.network.name;
}
