import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import { seedScale } from '../../../infra/devnet/scale.ts';
import {
  decodeMinipool,
  type Minipool,
  type MinipoolRecord,
  readChangedMinipools,
  readMinipoolStatuses,
  readMinipools,
} from '../../../lib/contracts/minipool-manager.ts';
import { withMarks } from '../../../lib/contracts/minipool-marks.ts';
import {
  type Minipools,
  minipoolsAt,
  minipoolsDataset,
  minipoolsOf,
  readAllMinipools,
} from '../../../lib/protocol/minipools.ts';
import { type Chain, openChain, setMinipool } from '../../functions/devnet.ts';
import { proxyTo } from '../../support/rpc-providers.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';

const HOUR_MS = 3_600_000;
const NO_MARKS = new Uint8Array();

const keep = stoppedAfterEach();
const tables = tablesForAllTests();
afterEach(() => {
  jest.restoreAllMocks();
});

describe('refreshed records', () => {
  test.each([20, 100])('equal those of a full read, over the whole history in steps of %d blocks', async (step) => {
    const { chain } = startOnDevnet().opened;
    const { number: latest } = await chain.head();
    let known: MinipoolRecord[] | undefined;
    const left = new Set<number>();
    let reused = 0;
    for (let block = latest % step; block <= latest; block += step) {
      const state = await chain.at(block);
      const whole = await readMinipools(state).catch(() => undefined);
      // Before the manager was deployed, and while its struct was a different one.
      if (!whole) continue;
      if (known) {
        const marks = withMarks(NO_MARKS, known);
        const changed = (await readChangedMinipools(await chain.at(block), marks)) as MinipoolRecord[];
        const refreshed = [...known];
        for (const minipool of changed) refreshed[minipool.index] = minipool;
        expect(refreshed).toEqual(whole);
        expect(withMarks(marks, changed)).toEqual(withMarks(NO_MARKS, whole));
        reused += refreshed.length - changed.length;
        for (const { index } of changed) left.add(known[index]?.status ?? 0);
      }
      known = whole;
    }
    // Records of most statuses have changed, and most records have stayed the same.
    expect([...left].sort()).toEqual(expect.arrayContaining([0, 1, 2, 3]));
    expect(reused).toBeGreaterThan(1_000 / step);
  });
});

describe('the minipools dataset', () => {
  let devnet: Devnet;
  let chain: Chain;
  beforeAll(async () => {
    devnet = await startDevnet({ live: false, historyDays: 1 });
    await seedScale(devnet, { stakers: 10, minipools: 700 });
    chain = await openChain(devnet.url);
  });
  afterAll(async () => {
    chain.rpc.close();
    await devnet.stop();
  });

  const write = (index: number, field: string, value: number) => setMinipool(chain, index, field, value);

  async function container(url = devnet.url) {
    const counted = keep(await proxyTo(url));
    const { opened } = startOnDevnet({ RPC_URLS: counted.url });
    await opened.chain.latest();
    counted.requests.length = 0;
    return { opened, counted };
  }

  /** A provider that does not run programs (calls without an address). */
  async function refusingPrograms(): Promise<string> {
    const { url } = keep(
      await proxyTo(devnet.url, (answers, requests) =>
        requests.map(({ id, params }, index) =>
          (params[0] as { data?: string; to?: string })?.data && !(params[0] as { to?: string }).to
            ? { jsonrpc: '2.0', id, error: { code: -32_602, message: 'missing value for field to' } }
            : answers[index],
        ),
      ),
    );
    return url;
  }

  /** What a container with an empty memory reads, and all records. */
  async function read(previous?: Minipools, url?: string) {
    const { opened, counted } = await container(url);
    const dataset = await minipoolsDataset.read(opened, previous);
    const requests = counted.requests.length;
    return { dataset, requests, minipools: await minipoolsOf(opened, dataset, {}) };
  }

  test('is refreshed in two requests, or three if records have changed, and keeps its unchanged parts', async () => {
    const { dataset: first, minipools } = await read();
    const records = await readMinipools(await (await container()).opened.chain.latest());
    expect(minipools).toEqual(records.map(decodeMinipool));
    expect(first.parts).toHaveLength(2);
    const second = await read(first);
    expect(second).toEqual({ dataset: first, minipools, requests: 2 });

    await write(7, 'status', 4);
    await write(230, 'startTime', 1_700_000_000);
    await write(231, 'creationTime', 2 ** 40 + 5);
    const third = await read(second.dataset);
    expect(third.requests).toBe(3);
    expect(third.minipools[7]).toMatchObject({ status: 4 });
    expect(third.minipools[231]).toMatchObject({ creationTime: 2 ** 40 + 5 });
    expect((await read(third.dataset)).requests).toBe(2);
    expect(third.dataset.parts.map((part, index) => part === first.parts[index])).toEqual([false, true]);

    await seedScale(devnet, { stakers: 1, minipools: 3 });
    const fourth = await read(third.dataset);
    expect(fourth.requests).toBe(3);
    expect(fourth.minipools).toHaveLength(minipools.length + 3);
    const whole = await read();
    expect(fourth).toEqual({ ...whole, requests: 3, dataset: { ...whole.dataset, wholeAt: first.wholeAt } });
  });

  test('is read in full after an hour, which finds changes that the marks do not show', async () => {
    const { dataset: first, minipools: before } = await read();
    await write(60, 'ggpSlashAmt', 12_345);
    const { minipools: whole } = await read();
    expect(whole[60]).toMatchObject({ ggpSlashAmt: 12_345n });
    const later = jest.spyOn(Date, 'now');
    later.mockReturnValue(first.wholeAt + HOUR_MS - 1);
    const second = await read(first);
    expect(second.minipools).toEqual(whole.with(60, before[60] as Minipool));
    later.mockReturnValue(first.wholeAt + HOUR_MS);
    const third = await read(second.dataset);
    expect(third).toMatchObject({ minipools: whole, dataset: { wholeAt: first.wholeAt + HOUR_MS } });
  });

  test('is read in full if a provider does not run programs, or lags behind', async () => {
    const { dataset: first } = await read();
    await write(61, 'status', 4);
    const second = await read(first, await refusingPrograms());
    expect(second.minipools[61]).toMatchObject({ status: 4 });
    expect(second.dataset.wholeAt).toBeGreaterThan(first.wholeAt);

    const behind = await chain.block('latest');
    await seedScale(devnet, { stakers: 1, minipools: 1 });
    const { dataset: ahead } = await read(first);
    const { opened } = await container();
    const before = await readAllMinipools(opened, await opened.chain.at(behind.number), ahead);
    expect(await minipoolsOf(opened, before, {})).toEqual(second.minipools);
  });

  test('need not be read in full for all statuses and the withdrawable minipools', async () => {
    await write(8, 'status', 3);
    const { minipools } = await read();
    for (const url of [devnet.url, await refusingPrograms()]) {
      const { opened, counted } = await container(url);
      const { statuses, withdrawable } = await readMinipoolStatuses(await opened.chain.latest());
      expect(statuses).toEqual(minipools.map(({ status }) => status));
      expect(withdrawable).toEqual(minipools.filter(({ status }) => status === 3));
      expect(withdrawable.map(({ index }) => index)).toContain(8);
      // The count, the marks and the withdrawable records. Without marks, every record is read.
      if (url === devnet.url) expect(counted.requests).toHaveLength(3);
    }
  });

  test('finds the records of an owner and of a node', async () => {
    const { opened } = await container();
    const { dataset, minipools } = await read();
    const { owner, nodeID } = minipools[520] as Minipool;
    const theirs = minipools.filter((minipool) => minipool.owner === owner);
    expect(theirs.length).toBeGreaterThan(1);
    expect(await minipoolsOf(opened, dataset, { owner })).toEqual(theirs);
    for (const wanted of [{ nodeID }, { nodeID, owner }]) {
      expect(await minipoolsOf(opened, dataset, wanted)).toEqual([minipools[520]]);
    }
    const stranger = minipools.find((minipool) => minipool.owner !== owner) as Minipool;
    expect(await minipoolsOf(opened, dataset, { nodeID, owner: stranger.owner })).toEqual([]);
  });

  test('reads only the parts that are needed, and from the chain those that the table has lost', async () => {
    const { dataset } = await read();
    const reader = await container();
    expect(await minipoolsAt(reader.opened, dataset, [501, 2])).toMatchObject([{ index: 501 }, { index: 2 }]);
    expect(reader.counted.requests).toHaveLength(0);

    await tables.renew();
    const other = await container();
    expect(await minipoolsAt(other.opened, dataset, [2])).toMatchObject([{ index: 2 }]);
    expect(other.counted.requests.length).toBeGreaterThan(0);
    expect(await minipoolsOf(other.opened, dataset, {})).toEqual(await minipoolsOf(reader.opened, dataset, {}));
  });
});
