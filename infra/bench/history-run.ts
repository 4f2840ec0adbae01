/** What `npm run bench:backfill` measures of the history, in a process of its own: fills an empty series. */

import { chainOf } from '../../lib/chain/chain.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { historyOf } from '../../lib/history/history-store.ts';
import { fill, newestBoundary } from '../../lib/history/record-history.ts';
import { INTERVAL_SECONDS, type Interval } from '../../lib/history/series.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { createContext, RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';

/** What this process sends when it is done. */
export interface HistoryUse {
  recorded: number;
  seconds: number;
  cpuSeconds: number;
  /** The most memory that the process had at any time. */
  peakMB: number;
}

const [interval, points] = process.argv.slice(2) as [Interval, string];
const config = readConfig({ ...process.env, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' });
const context = createContext(config, terminalTelemetry, RECORDER_LIMITS);
const recording = { chain: chainOf(context), store: historyOf(context), telemetry: context.telemetry };
const started = performance.now();
const head = await recording.chain.head();
const seconds = INTERVAL_SECONDS[interval];
const newest = newestBoundary(head) - (newestBoundary(head) % seconds);
const boundaries = Array.from({ length: Number(points) }, (_, index) => newest - index * seconds);
const { recorded } = await fill(recording, head, boundaries, { mayGoOn: () => true });
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const use: HistoryUse = {
  recorded,
  seconds: (performance.now() - started) / 1_000,
  cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000,
  peakMB: (maxRSS * 1_024) / 1_000_000,
};
process.send?.(use, () => process.disconnect());
closeConnections();
