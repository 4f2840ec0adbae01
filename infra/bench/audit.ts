/** What it takes to compare the ledger with the contracts, at the devnet's size and with mainnet's records. */

import { chainOf } from '../../lib/chain/chain.ts';
import { auditLedger } from '../../lib/ledger/audit.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { seedScale } from '../devnet/scale.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { mineQuietly, openContainer, recordLedger } from './containers.ts';
import type { CountingProxy } from './counting-proxy.ts';

const MAINNET = { stakers: 620, minipools: 2_000 };

/** How many requests to the chain an audit may take: the contracts, what they say in two steps, and the times of two blocks. */
const BUDGETS = { devnet: 6, mainnet: 8 };

interface AuditCost {
  size: keyof typeof BUDGETS;
  budget: number;
  /** HTTP requests to the chain. */
  requests: number;
  ms: number;
}

/** `env` are tables that hold the devnet's events, and `chain` is in front of the devnet at `devnetUrl`. */
export async function measureAudits(
  chain: CountingProxy,
  devnetUrl: string,
  env: Record<string, string>,
): Promise<AuditCost[]> {
  const measure = async (size: AuditCost['size']): Promise<AuditCost> => {
    // So that the newest records are settled.
    for (let run = 0; run < 2; run += 1) {
      await mineQuietly(devnetUrl);
      await recordLedger(openContainer({ ...env, RPC_URLS: chain.url }, terminalTelemetry));
    }
    const context = openContainer({ ...env, RPC_URLS: chain.url }, terminalTelemetry);
    chain.requests = 0;
    const started = performance.now();
    // No log says what is written straight into Storage: nothing is searched for it.
    await auditLedger({ chain: chainOf(context), ledger: ledgerOf(context), mayGoOn: () => false });
    return { size, budget: BUDGETS[size], requests: chain.requests, ms: performance.now() - started };
  };
  const ofDevnet = await measure('devnet');
  await seedScale({ url: devnetUrl }, MAINNET);
  return [ofDevnet, await measure('mainnet')];
}
