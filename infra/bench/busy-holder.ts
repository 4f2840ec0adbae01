/** How long an address waits that has as many events as are read at most, without its table's share: 25 pages. */

import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import type { Entry } from '../../lib/ledger/ledger-entry.ts';
import { LedgerStore, ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { MOST_ENTRIES } from '../../lib/ledger/proven.ts';
import { LEDGER } from '../../lib/tables/forms.ts';
import { MemoryTable } from '../../lib/tables/memory-table.ts';
import { DAY } from '../../lib/values/durations.ts';
import { WAD } from '../../lib/values/wad.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { clientOf, median, openContainer } from './containers.ts';

/** The address of both endpoints' examples. */
const OWNER = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
const DAYS = 85;
const RUNS = 5;

/** Milliseconds of a new container, each on tables of `startTables` that hold the devnet's history, with an empty cache. */
export async function measureBusyHolder(startTables: () => Promise<Record<string, string>>) {
  const head = await chainOf(openContainer(await startTables(), terminalTelemetry)).head();
  const start = head.timestamp - DAYS * DAY;
  const ledger = new LedgerStore(new MemoryTable(LEDGER), 'devnet');
  await ledger.write(Array.from({ length: MOST_ENTRIES }, (_, place) => entryAt(place, start)));
  await ledger.progress.setFirst(1);
  await ledger.progress.extend(1, head.number, head.timestamp);
  const measure = async (endpoint: Endpoint) => {
    const runs: number[] = [];
    while (runs.length < RUNS) {
      const context = openContainer(await startTables(), terminalTelemetry);
      ledgerOf.replace(context, ledger);
      runs.push((await clientOf(endpoint, context, terminalTelemetry)()).ms);
    }
    return median(runs);
  };
  return {
    position: await measure(ENDPOINTS['gg-avax/address'] as Endpoint),
    rewards: await measure(ENDPOINTS['gg-avax/address-rewards'] as Endpoint),
  };
}

/** A deposit, or the withdrawal of the one before. */
function entryAt(place: number, start: number): Entry {
  const timestamp = start + Math.floor((place / MOST_ENTRIES) * DAYS * DAY);
  const at = { block: 1, logIndex: place, timestamp, txHash: `0x${place.toString(16).padStart(64, '0')}` };
  const amounts = { owner: OWNER, caller: OWNER, assets: WAD, shares: WAD };
  if (place % 2 === 0) return { ...at, type: 'ggAvaxDeposited', ...amounts };
  return { ...at, type: 'ggAvaxWithdrawn', receiver: OWNER, ...amounts };
}
