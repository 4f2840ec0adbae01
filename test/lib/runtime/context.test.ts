import { expect, test } from '@jest/globals';
import { withDatasets } from '../../../lib/cache/dataset.ts';
import { createContext, ENDPOINT_LIMITS, perProcess, RECORDER_LIMITS } from '../../../lib/runtime/context.ts';
import { startContainer } from '../../support/runtime.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

const settings = {
  NETWORK: 'devnet',
  RPC_URLS: 'http://127.0.0.1:9',
  CACHE_TABLE: 'cache',
  HISTORY_TABLE: 'history',
  LEDGER_TABLE: 'ledger',
};

test('a client is created once for a context and its copies, and again for another one with the same settings', () => {
  const { opened } = startContainer(settings);
  const another = createContext(opened.config, recordingTelemetry());
  const clientOf = perProcess('test', ({ telemetry }) => ({ telemetry }));
  const client = clientOf(opened);
  expect(client.telemetry).toBe(opened.telemetry);
  expect(clientOf(withDatasets(opened, []))).toBe(client);
  expect(clientOf(another).telemetry).toBe(another.telemetry);
  expect(clientOf(another)).not.toBe(client);
  clientOf.replace(another, client);
  expect(clientOf(another)).toBe(client);
});

test('what records may take longer than an answer, and is patient with providers', () => {
  const { rpc, ...others } = ENDPOINT_LIMITS;
  expect(rpc).toEqual({ attemptMs: 1_000, budgetMs: 3_000 });
  expect(RECORDER_LIMITS).toEqual({ ...others, rpc: { attemptMs: 5_000, budgetMs: 15_000, isPatient: true } });
});
