/**
 * The ledger's recorder, on one machine: records all of the devnet before the first request, then each new block soon
 * after it is mined.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { createServices, type Services } from '../../lib/api/services.ts';
import { checkIfDue } from '../../lib/ledger/check-ledger.ts';
import type { Coverage } from '../../lib/ledger/coverage.ts';
import {
  LedgerRecorder,
  type LedgerRunLimits,
  type LedgerRunReport,
  type Step,
} from '../../lib/ledger/record-ledger.ts';
import { RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { createProgress } from './progress.ts';
import { reasonOf } from './reason.ts';
import { rest } from './run-history-recorder.ts';
import { reportFailures, warnOnce } from './warn-once.ts';

/** Time in ms that a start may wait for the past of a real network. */
const FIRST_MS = 3_000;
/** Pause before each step into the past of a real network: requests come first. */
const REST_MS = 5;
/** Pause after a failure, while the backfill is not complete. */
const RETRY_MS = 1_000;
/** Interval in ms of the requests for new blocks. Those of other networks are requests to somebody's provider. */
const POLL_MS = { devnet: 2_500, others: 15_000 };
/** Time in ms that stopping waits for a step. */
const STOP_MS = 1_000;

/** Starts the recorder. It reports failures in one line and retries: only the ledger depends on it. */
export async function startLedgerRecorder(
  { config, chain }: Services,
  telemetry: Telemetry,
  onStep: (line: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const context = createServices(config, warnOnce(telemetry), {
    limits: RECORDER_LIMITS,
    providers: chain.rpc.failover.providers,
  });
  const store = context.ledger;
  const recorder = new LedgerRecorder(context.chain, store, config.ledgerSources);
  const stopping = new AbortController();
  const failed = reportFailures(context.telemetry, stopping.signal);

  const started = performance.now();
  const indexesAll = config.network.name === 'devnet';
  const run = async (limits: LedgerRunLimits) => {
    const report = await recorder.run(limits);
    if (report.waiting) throw report.waiting.cause ?? report.waiting;
    await store.holders.update(limits.mayGoOn);
    await checkIfDue({ ...context, recorder, telemetry });
    return report;
  };
  const report = await run({ mayGoOn: () => indexesAll || performance.now() - started < FIRST_MS }).catch(
    (error: Error) => error,
  );
  const coverage = await store.progress.coverage().catch(() => undefined);
  const complete = coverage?.complete ?? false;
  onStep(`Ledger: ${describe(report, coverage, performance.now() - started)}`);

  const total = complete ? 0 : await recorder.countLeft().catch(() => 0);
  const progress = createProgress((line) => onStep(`Ledger, blocks: ${line}`));
  let done = 0;
  const onPart = ({ from, to }: Step) => {
    if (done >= total || stopping.signal.aborted) return;
    done += to - from + 1;
    progress(to - from + 1, total);
  };
  let searchedTo = 0;
  /** Nothing to do between two blocks. */
  const follow = async () => {
    const { number } = await context.chain.head();
    if (number === searchedTo) return;
    await run({ mayGoOn: () => rest(REST_MS, stopping.signal), onStep: onPart });
    searchedTo = number;
  };
  const following = (async () => {
    do await follow().catch(failed('new events'));
    while (
      // Until a run has come to its end, older events are missing.
      await (searchedTo === 0
        ? rest(RETRY_MS, stopping.signal)
        : rest(indexesAll ? POLL_MS.devnet : POLL_MS.others, stopping.signal))
    );
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([following, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

function describe(report: LedgerRunReport | Error, coverage: Coverage | undefined, ms: number): string {
  if (report instanceof ApiError) return 'could not read the chain or the table; retrying in the background';
  if (report instanceof Error) return `failed: ${reasonOf(report)}; retrying in the background`;
  const stored = coverage ? `blocks ${coverage.fromBlock} to ${coverage.toBlock} are recorded` : 'nothing is recorded';
  const added = `${report.added} events added in ${(ms / 1_000).toFixed(1)} s`;
  return coverage?.complete
    ? `${stored}, complete; ${added}`
    : `${stored}; ${added}; the rest follows in the background`;
}
