import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Devnet, startDevnet } from '../../infra/local/devnet/devnet.ts';
import { seedScale } from '../../infra/local/devnet/scale.ts';
import { type Minipool, readMinipools, refreshMinipools } from '../../lib/contracts/minipool-manager.ts';
import { type Minipools, minipoolsDataset, readAllMinipools } from '../../lib/protocol/minipools.ts';
import { type Chain, openChain, setMinipool } from '../functions/devnet.ts';
import { proxyTo } from '../support/rpc-endpoints.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';

const HOUR_MS = 3_600_000;

const keep = stoppedAfterEach();
tablesForAllTests();
afterEach(() => {
  jest.restoreAllMocks();
});

describe('records that are refreshed', () => {
  test.each([20, 100])(
    'are what a full read has, over the whole history in steps of %d blocks',
    async (step) => {
      const { chain } = startOnDevnet().opened;
      const { number: latest } = await chain.head();
      let known: Minipool[] | undefined;
      const left = new Set<number>();
      let reused = 0;
      for (let block = latest % step; block <= latest; block += step) {
        const view = await chain.at(block);
        const whole = await readMinipools(view).catch(() => undefined);
        // Before there was a manager, and while its struct was another one.
        if (!whole) continue;
        if (known) {
          const refreshed = (await refreshMinipools(await chain.at(block), known)) as Minipool[];
          expect(refreshed).toEqual(whole);
          for (const [index, minipool] of known.entries()) {
            if (refreshed[index] === minipool) reused += 1;
            else left.add(minipool.status);
          }
          known = refreshed;
        } else known = whole;
      }
      // Records of most statuses have changed, and most records have stayed.
      expect([...left].sort()).toEqual(expect.arrayContaining([0, 1, 2, 3]));
      expect(reused).toBeGreaterThan(1_000 / step);
    },
    60_000,
  );
});

describe('the dataset', () => {
  let devnet: Devnet;
  let chain: Chain;
  beforeAll(async () => {
    devnet = await startDevnet({ live: false, historyDays: 1 });
    await seedScale(devnet, { stakers: 10, minipools: 200 });
    chain = await openChain(devnet.url);
  });
  afterAll(async () => {
    chain.rpc.close();
    await devnet.stop();
  });

  const write = (index: number, field: string, value: number) => setMinipool(chain, index, field, value);

  async function read(previous?: Minipools) {
    const counted = keep(await proxyTo(devnet.url));
    const { opened } = startOnDevnet({ RPC_URLS: counted.url });
    await opened.chain.latest();
    counted.requests.length = 0;
    const minipools = await minipoolsDataset.read(opened, previous);
    return { ...minipools, requests: counted.requests.length };
  }

  test('is refreshed in two requests, and in three where something is new', async () => {
    const first = await read();
    expect(first.minipools.length).toBeGreaterThan(200);
    const second = await read(first);
    expect(second).toEqual({ ...first, requests: 2 });
    expect(second.minipools.filter((minipool, index) => minipool === first.minipools[index]).length).toBeGreaterThan(
      200,
    );

    await write(7, 'status', 4);
    await write(230, 'startTime', 1_700_000_000);
    await seedScale(devnet, { stakers: 1, minipools: 3 });
    const third = await read(second);
    expect(third.requests).toBe(3);
    expect(third.minipools).toHaveLength(first.minipools.length + 3);
    expect(third.minipools[7]).toMatchObject({ status: 4 });
    expect(third.minipools).toEqual((await read()).minipools);
    expect(third.wholeAt).toBe(first.wholeAt);
  });

  test('is read whole an hour later: then it has what was written beside the words that tell of changes', async () => {
    const first = await read();
    await write(60, 'ggpSlashAmt', 12_345);
    const { minipools: whole } = await read();
    expect(whole[60]).toMatchObject({ ggpSlashAmt: 12_345n });
    const later = jest.spyOn(Date, 'now');
    later.mockReturnValue(first.wholeAt + HOUR_MS - 1);
    const second = await read(first);
    expect(second.minipools).toEqual(whole.with(60, first.minipools[60] as Minipool));
    later.mockReturnValue(first.wholeAt + HOUR_MS);
    expect(await read(second)).toMatchObject({ minipools: whole, wholeAt: first.wholeAt + HOUR_MS });
  });

  test('is read whole where an endpoint does not run programs, or is behind', async () => {
    const first = await read();
    const refusing = keep(
      await proxyTo(devnet.url, (answers, requests) =>
        requests.map(({ id, params }, index) =>
          (params[0] as { data?: string; to?: string })?.data && !(params[0] as { to?: string }).to
            ? { jsonrpc: '2.0', id, error: { code: -32_602, message: 'missing value for field to' } }
            : answers[index],
        ),
      ),
    );
    const { opened } = startOnDevnet({ RPC_URLS: refusing.url });
    await write(61, 'status', 4);
    const second = await minipoolsDataset.read(opened, first);
    expect(second.minipools[61]).toMatchObject({ status: 4 });
    expect(second.wholeAt).toBeGreaterThan(first.wholeAt);

    const behind = await chain.block('latest');
    await seedScale(devnet, { stakers: 1, minipools: 1 });
    const ahead = await read(first);
    const view = await startOnDevnet({ RPC_URLS: devnet.url }).opened.chain.at(behind.number);
    expect((await readAllMinipools(view, ahead)).minipools).toEqual(second.minipools);
  });
});
