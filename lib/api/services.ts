/** All services, for programs that are not bundled per function: tools, exports, `npm start` and the tests. */

import { type ChainContext, createChainContext } from '../chain/chain.ts';
import { openPChain } from '../chain/upstream/p-chain.ts';
import { openFlags } from '../flags/flags-store.ts';
import { openHistory } from '../history/history-store.ts';
import { openLedger } from '../ledger/ledger-store.ts';
import type { Config } from '../runtime/config.ts';
import { type Context, type ContextOptions, createContext, withServices } from '../runtime/context.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { openDataApi } from '../validators/data-api.ts';
import type { Sources } from './definition.ts';

/** A context with every service. */
export interface Services extends ChainContext, Sources {}

const OPENERS = {
  history: openHistory,
  ledger: openLedger,
  flags: openFlags,
  pChain: openPChain,
  dataApi: openDataApi,
};

/** Opens all services with these settings. Services that are given replace the opened ones. */
export function createServices(
  config: Config,
  telemetry: Telemetry,
  given: ContextOptions & Partial<Omit<Services, keyof Context>> = {},
): Services {
  const context = createChainContext(createContext(config, telemetry, given), given.cache);
  return { ...withServices(context, OPENERS), ...given };
}
