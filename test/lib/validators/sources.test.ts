import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { stoppedAfterEach } from '../../support/servers.ts';
import { tablesForEachTest } from '../../support/tables.ts';
import { API_KEY, startValidators } from './container.ts';
import { knowMinipools } from './known-minipools.ts';
import { network } from './network.ts';

/** The effects of the sources of validators on responses. */

const keep = stoppedAfterEach();

tablesForEachTest();

describe('the API key', () => {
  test.each([
    ['answered', network(3), 200],
    ['not answered', [], 503],
  ])('is sent to the Data API only, and revealed nowhere, if a request is %s', async (_name, validators, status) => {
    const container = keep(await startValidators(validators));
    await knowMinipools(container.runtime.opened, []);
    const response = await container.list();
    expect(response.status).toBe(status);
    expect(container.dataApi.requests[0]?.headers['x-glacier-api-key']).toBe(API_KEY);
    const text = inspect([response, container.runtime.telemetry.lines], { depth: 20 });
    expect(text).toContain('/validators');
    expect(text).not.toContain(API_KEY);
    expect(text).not.toContain(new URL(container.dataApi.url).host);
  });
});
