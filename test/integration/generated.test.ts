import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { proxyEvent } from '../../infra/local/event.ts';
import { endpointsDocument } from '../../infra/tools/endpoints.ts';
import { eventsDocument } from '../../infra/tools/events-document.ts';
import { examplesFile, renewed } from '../../infra/tools/examples.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { checkLedger } from '../../lib/ledger/check-ledger.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { lambdaContext } from '../support/events.ts';
import { recordAllDays, recordCycles, recordLedger } from '../support/recorded.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

const EXAMPLES = readFileSync('infra/site/examples.json', 'utf8');
const endpoints = new Map(Object.values(ENDPOINTS).map((endpoint) => [endpoint.exampleRequest as string, endpoint]));
tablesForAllTests();

describe('`npm run generate` would not change', () => {
  test('lib/api/endpoints.json', () => {
    expect(readFileSync('lib/api/endpoints.json', 'utf8')).toBe(endpointsDocument());
  });

  test('docs/events.md', () => {
    const document = readFileSync('docs/events.md', 'utf8');
    expect(document).toContain('`ggpStaked`');
    expect(document).toBe(eventsDocument(document));
  });

  test('infra/site/examples.json', async () => {
    const runtime = startOnDevnet();
    await recordLedger();
    const { opened } = runtime;
    const recorder = new LedgerRecorder(opened.chain, opened.ledger);
    await checkLedger({ ...opened, recorder });
    await recordCycles();
    await recordAllDays();
    const bodyOf = async (request: string) => {
      const endpoint = endpoints.get(request) as Endpoint;
      const event = proxyEvent(endpoint.path, { method: 'GET', url: request, headers: {} });
      return JSON.parse((await createHandler(endpoint, runtime)(event, lambdaContext())).body);
    };
    expect(examplesFile(await renewed(JSON.parse(EXAMPLES), bodyOf))).toBe(EXAMPLES);
  });
});
