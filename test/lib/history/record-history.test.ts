import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import type { LocalDynamoDB } from '../../../infra/local/dynamodb.ts';
import { chainOf } from '../../../lib/chain/chain.ts';
import { historyOf } from '../../../lib/history/history-store.ts';
import { type Point, readValues } from '../../../lib/history/point.ts';
import { fill, type Recording, type RunLimits, runRecorder } from '../../../lib/history/record-history.ts';
import { DAY, HOUR } from '../../../lib/values/durations.ts';
import { type Chain, multiplesOf, newestHour, openChain } from '../../functions/devnet.ts';
import { forgets } from '../../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../../support/runtime.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { startTables } from '../../support/tables.ts';

/** The history recorder with the devnet's 90 days and a real table. */

const UNLIMITED: RunLimits = { mayGoOn: () => true };

const keep = stoppedAfterEach();
let database: LocalDynamoDB;
let chain: Chain;

beforeEach(async () => {
  database = await startTables();
  chain = await openChain();
});
afterEach(async () => {
  chain.rpc.close();
  await database.stop();
});

function open(env: Record<string, string> = {}): { runtime: TestRuntime; recording: Recording } {
  const runtime = startOnDevnet(env);
  const { opened, telemetry } = runtime;
  return { runtime, recording: { chain: chainOf(opened), telemetry, store: historyOf(opened) } };
}

/** AVAX wei that the contracts held at a block: the pool's, operators' own, their rewards, and for withdrawals. */
async function avaxHeld(block: number): Promise<bigint> {
  const [stakers, withdrawable] = await Promise.all([
    chain.read('Staking', 'getStakers', [0, 0], block),
    chain.read('MinipoolManager', 'getMinipools', [3, 0, 0], block),
  ]);
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  // There was no queue at first.
  const { WithdrawQueue } = DEVNET_ADDRESSES;
  const hasQueue = (await chain.rpc.send('eth_getCode', WithdrawQueue, `0x${block.toString(16)}`)) !== '0x';
  const [forWithdrawals] = hasQueue
    ? await chain.readAt('WithdrawQueue', WithdrawQueue, 'totalAllocatedFunds', [], block)
    : [0n];
  return sum([
    await chain.read('TokenggAVAX', 'totalAssets', [], block),
    ...stakers.map(({ avaxStaked }: { avaxStaked: bigint }) => avaxStaked),
    ...withdrawable.map(({ avaxNodeOpRewardAmt }: { avaxNodeOpRewardAmt: bigint }) => avaxNodeOpRewardAmt),
    forWithdrawals,
  ]);
}

const hours = ({ store }: Recording, from: number, to: number) => store.timestamps('1h', from, to);
const days = ({ store }: Recording, from: number, to: number) => store.timestamps('1d', from, to);

describe('a run', () => {
  test('writes the newest boundary first, then days, then hours, each from the newest to the oldest', async () => {
    const { recording } = open();
    const last = await newestHour(chain);
    const start = last - 3 * DAY;
    const written: number[] = [];
    const { store } = recording;
    const write = store.write.bind(store);
    store.write = (interval, point) => {
      written.push(point.timestamp);
      return write(interval, point);
    };
    const report = await runRecorder(recording, start, UNLIMITED);
    const expected = multiplesOf(HOUR, start, last).reverse();
    const isDay = (time: number) => time % DAY === 0;
    expect([...new Set(written)]).toEqual([
      last,
      ...expected.filter((time) => time !== last && isDay(time)),
      ...expected.filter((time) => time !== last && !isDay(time)),
    ]);
    expect(report).toMatchObject({ newest: last, newestRecorded: true, failed: 0, left: 0, recorded: expected.length });
    expect(await hours(recording, start, last)).toEqual(multiplesOf(HOUR, start, last));
    expect(await days(recording, start, last)).toEqual(multiplesOf(DAY, start, last));
  });

  test('stops at its limit, and the next run continues from there', async () => {
    const { recording } = open();
    const last = await newestHour(chain);
    const start = last - DAY;
    const first = await runRecorder(recording, start, { ...UNLIMITED, most: 10 });
    expect(first).toMatchObject({ newestRecorded: true, recorded: 10, left: 15, stopped: 'limits' });
    const second = await runRecorder(recording, start, UNLIMITED);
    expect(second).toMatchObject({ recorded: 15, existing: 0, left: 0 });
    expect(second).not.toHaveProperty('stopped');
  });

  test('writes no point that exists: a recorded point never changes', async () => {
    const { recording } = open();
    const last = await newestHour(chain);
    await runRecorder(recording, last - 6 * HOUR, UNLIMITED);
    const before = await recording.store.points('1h', 0, last);
    const [point] = before as [Point];
    expect(await recording.store.write('1h', { ...point, values: { totalAssets: 1n } })).toBe(false);
    expect(await runRecorder(recording, last - 6 * HOUR, UNLIMITED)).toMatchObject({ recorded: 0, left: 0 });
    expect(await recording.store.points('1h', 0, last)).toEqual(before);
  });

  test('shares the work with another run at the same time, and each point is recorded once', async () => {
    const [one, other] = [open(), open()];
    const last = await newestHour(chain);
    const reports = await Promise.all(
      [one, other].map(({ recording }) => runRecorder(recording, last - DAY, UNLIMITED)),
    );
    const sum = (name: 'recorded' | 'existing') => reports.reduce((total, report) => total + report[name], 0);
    expect(sum('recorded')).toBe(25);
    expect(sum('recorded') + sum('existing')).toBe(50);
    expect(await hours(one.recording, 0, last)).toHaveLength(25);
  });

  test('stops where the chain begins', async () => {
    const { recording } = open();
    const first = Number(
      ((await chain.rpc.send('eth_getBlockByNumber', '0x0', false)) as { timestamp: string }).timestamp,
    );
    const missing = multiplesOf(DAY, first - 20 * DAY, first + 3 * DAY);
    const head = await recording.chain.head();
    const filled = await fill(recording, head, missing.toReversed(), UNLIMITED);
    expect(filled).toMatchObject({ recorded: 3, failed: 0, stopped: 'unborn' });
  });
});

describe('the values of a point', () => {
  test("are the contracts' own at that block, to the wei", async () => {
    const { recording } = open();
    const last = await newestHour(chain);
    for (const timestamp of [last, last - 30 * DAY, last - 60 * DAY]) {
      const [block] = await recording.chain.blocksAt([timestamp], await recording.chain.head());
      if (!block) throw new Error('no block');
      const values = await readValues(recording.chain, block);
      const read = (contract: Parameters<Chain['read']>[0], name: string, args: unknown[] = []) =>
        chain.read(contract, name, args, block.number);
      expect(values.totalAssets).toBe(await read('TokenggAVAX', 'totalAssets'));
      expect(values.totalSupply).toBe(await read('TokenggAVAX', 'totalSupply'));
      expect(values.stakingTotalAssets).toBe(await read('TokenggAVAX', 'stakingTotalAssets'));
      expect(values.avaxPerGgAvax).toBe(await read('TokenggAVAX', 'convertToAssets', [10n ** 18n]));
      expect(values.totalGGPStaked).toBe(await read('Staking', 'getTotalGGPStake'));
      expect(values.minipoolsStaking).toBeGreaterThan(0n);
      const [price] = await chain.readAt(
        'Oracle',
        await chain.registered('Oracle'),
        'getGGPPriceInAVAX',
        [],
        block.number,
      );
      expect(values.ggpOraclePriceInAVAX).toBe(price);
      // Without GGP, the total value locked is what is held in AVAX.
      const { valueLocked = 0n, totalGGPStaked = 0n } = values;
      expect(valueLocked - (totalGGPStaked * price) / 10n ** 18n).toBe(await avaxHeld(block.number));
      // The next block is after the boundary.
      const next = (await chain.rpc.send('eth_getBlockByNumber', `0x${(block.number + 1).toString(16)}`, false)) as {
        timestamp: string;
      } | null;
      expect(block.timestamp).toBeLessThanOrEqual(timestamp);
      if (next) expect(Number(next.timestamp)).toBeGreaterThan(timestamp);
    }
  });

  test('are those of the contracts that existed at that block: not of later pools, and none before the protocol', async () => {
    const { recording } = open();
    const last = await newestHour(chain);
    const head = await recording.chain.head();
    const valuesAt = async (daysAgo: number) => {
      const [block] = await recording.chain.blocksAt([last - daysAgo * DAY], head);
      return block && readValues(recording.chain, block);
    };
    const early = await valuesAt(80);
    expect(early).toMatchObject({
      avaxPerGgAvax: expect.any(BigInt),
      valueLocked: expect.any(BigInt),
      minipoolsStaking: expect.any(BigInt),
      'tj.ggpInAVAX': expect.any(BigInt),
    });
    expect(early?.['uniswap.avaxInUSD']).toBeUndefined();
    expect(await valuesAt(1)).toMatchObject({ 'uniswap.avaxInUSD': expect.any(BigInt) });

    const genesis = await readValues(recording.chain, { number: 0, timestamp: 0 });
    expect(Object.values(genesis).filter((value) => value !== undefined)).toEqual([]);
  });
});

describe('if a provider lacks states', () => {
  test('the next provider is asked for them, and all points are recorded', async () => {
    const pruned = keep(await forgets(process.env.DEVNET_RPC_URL as string, 1_000_000));
    const { recording, runtime } = open({ RPC_URLS: `${pruned.url},${process.env.DEVNET_RPC_URL}` });
    const last = await newestHour(chain);
    expect(await runRecorder(recording, last - 4 * HOUR, UNLIMITED)).toMatchObject({ recorded: 5, failed: 0 });
    expect(runtime.telemetry.attempts).toContain('rpc-1 no_state');
  });

  test('and there is no other, a run records what it can, and gives up where states are missing', async () => {
    const { recording: whole } = open();
    const last = await newestHour(chain);
    const [edge] = await whole.chain.blocksAt([last - 10 * HOUR], await whole.chain.head());
    const pruned = keep(await forgets(process.env.DEVNET_RPC_URL as string, edge?.number as number));
    const { recording, runtime } = open({ RPC_URLS: pruned.url });
    const report = await runRecorder(recording, last - 20 * DAY, UNLIMITED);
    expect(report.newestRecorded).toBe(true);
    // Twenty days, and most hours of a group.
    expect(report.failed).toBeGreaterThanOrEqual(20 + 60);
    expect(report.failed).toBeLessThanOrEqual(20 + 80);
    expect(report.stopped).toBe('failures');
    const recorded = await hours(recording, 0, last);
    expect(recorded.length).toBeGreaterThanOrEqual(10);
    // An hour may have no block. Then an older boundary has the same block as the oldest one whose state is left.
    const [oldest] = await whole.chain.blocksAt([Math.min(...recorded)], await whole.chain.head());
    expect(oldest?.number).toBeGreaterThanOrEqual(edge?.number as number);
    // Three days and three hours.
    expect(runtime.telemetry.lines.filter(({ message }) => message === 'point not recorded')).toHaveLength(6);
  });
});
