import { beforeAll, expect, test } from '@jest/globals';
import { createRecorder } from '../../../functions/history-recorder.ts';
import { ENDPOINTS } from '../../../functions/index.ts';
import { createLedgerRecorder } from '../../../functions/ledger-recorder.ts';
import { startMeter } from '../../../infra/bench/meter.ts';
import { proxyEvent } from '../../../infra/local/event.ts';
import { createHandler } from '../../../lib/api/endpoint.ts';
import { DAY } from '../../../lib/values/durations.ts';
import { lambdaContext } from '../../support/events.ts';
import { recordLedger } from '../../support/recorded.ts';
import { forgets } from '../../support/rpc-providers.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { allowed, PROD, type Synthesized, synthesize } from '../../support/stack.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** Roles are compared with what functions really send to the tables, in the order in which a new stage runs them. */

tablesForAllTests();
let stack: Synthesized;
/** The actions that functions with the same permissions have sent, by these permissions. */
const sent = new Map<string, Set<string>>();

beforeAll(async () => {
  stack = await synthesize(PROD);
  const { actions, ...meter } = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB as string);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = meter.url;
  const observe = async (description: string, run: () => Promise<unknown>) => {
    actions.clear();
    await run();
    const role = JSON.stringify(allowed(description, stack));
    const own = [...actions].filter((action) => !action.startsWith('none:'));
    sent.set(role, new Set([...(sent.get(role) ?? []), ...own]));
  };
  const start = String(Math.floor(Date.now() / 1_000) - 3 * DAY);
  const ledger = createLedgerRecorder(startOnDevnet());
  // Too little time is left to look for new blocks again.
  await observe("Records the protocol's events", () => ledger({} as never, lambdaContext(75_000)));
  // The rest, which takes a new stage some runs.
  await recordLedger(startOnDevnet());
  // The ledger's state then says that one provider keeps the states of old blocks.
  const other = await forgets(process.env.DEVNET_RPC_URL as string, 1e9);
  const RPC_URLS = `${process.env.DEVNET_RPC_URL},${other.url}`;
  const history = createRecorder(startOnDevnet({ RPC_URLS, HISTORY_START: start, HOURLY_START: start }));
  // A cycle whose state one provider keeps is recorded in the second run.
  for (const _ of [1, 2])
    await observe('Records the points of the history endpoints', () => history({} as never, lambdaContext(600_000)));
  for (const endpoint of Object.values(ENDPOINTS)) {
    const event = proxyEvent(endpoint.path, { method: 'GET', url: endpoint.exampleRequest, headers: {} });
    // Without a cache, each reads all that it needs.
    for (const CACHE_TABLE of ['cache', 'none'])
      await observe(endpoint.summary, () =>
        createHandler(endpoint, startOnDevnet({ CACHE_TABLE }))(event, lambdaContext()),
      );
  }
  for (const { stop } of [other, meter]) await stop();
});

test('roles allow what functions send to the tables and their log, and nothing else', () => {
  expect(sent.size).toBeGreaterThan(5);
  for (const [role, actions] of sent)
    expect([...actions, 'logs:CreateLogStream', 'logs:PutLogEvents'].sort()).toEqual(JSON.parse(role));
});
