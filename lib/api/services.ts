/** The context of every function, tool and test: settings, cache, chain, tables and other sources. */

import { type ChainContext, createChainContext } from '../chain/chain.ts';
import { openPChain, type PChainContext } from '../chain/upstream/p-chain.ts';
import type { Provider } from '../chain/upstream/provider.ts';
import { type FlagsContext, openFlags } from '../flags/flags-store.ts';
import { type HistoryContext, openHistory } from '../history/history-store.ts';
import { type LedgerContext, openLedger } from '../ledger/ledger-store.ts';
import type { Config } from '../runtime/config.ts';
import { type Context, type ContextOptions, createContext } from '../runtime/context.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { type DataApiContext, openDataApi } from '../validators/data-api.ts';

/** Opened by all functions: opening all takes the largest bundle less than 10 ms of a cold start (15 runs each, November 2026). */
export interface Services
  extends ChainContext,
    HistoryContext,
    LedgerContext,
    FlagsContext,
    PChainContext,
    DataApiContext {}

/** Services that are given replace the opened ones. `providers`: those of other services of this process, to share rate limits. */
export function createServices(
  config: Config,
  telemetry: Telemetry,
  {
    providers,
    ...given
  }: ContextOptions & Partial<Omit<Services, keyof Context>> & { providers?: readonly Provider[] } = {},
): Services {
  const context = createChainContext(createContext(config, telemetry, given), given.cache, providers);
  return {
    ...context,
    history: openHistory(context),
    ledger: openLedger(context),
    flags: openFlags(context),
    pChain: openPChain(context),
    dataApi: openDataApi(context),
    ...given,
  };
}
