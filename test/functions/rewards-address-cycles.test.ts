import { beforeAll, expect, test } from '@jest/globals';
import { parseEther, toBeHex } from 'ethers';
import { health } from '../../functions/health.ts';
import { pricesHistory } from '../../functions/prices/history.ts';
import { rewardsAddressCycles } from '../../functions/rewards/address-cycles.ts';
import { rewardsCycles } from '../../functions/rewards/cycles.ts';
import { readDataset } from '../../lib/cache/cache.ts';
import { CYCLE_SECONDS, distributionsDataset, seriesOf } from '../../lib/history/distributions.ts';
import { recordDistributions } from '../../lib/history/record-distributions.ts';
import { type EntryOf, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { END_OF_TIME } from '../../lib/values/durations.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { cover } from '../support/log-chain.ts';
import { recordAllDays, recordCycles, recordLedger } from '../support/recorded.ts';
import { forgets, proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, forkDevnet, pass } from './devnet.ts';

/** The amounts that each distribution paid to stakers, compared with the amount that the contract set aside. */

const chain = chainForAllTests();
let everybody: string[];
const tables = tablesForAllTests();
const keep = stoppedAfterEach();

beforeAll(async () => {
  everybody = Object.values(chain.people);
  await recordLedger();
});

const cyclesOf = (address: string, on: TestRuntime, query: Record<string, string> = {}): Promise<Body> =>
  bodyFrom(rewardsAddressCycles, on, { params: { address }, query });

test('cycles that are over and not recorded are looked for again soon, and then no more', async () => {
  const staker = everybody[0]?.toLowerCase() as string;
  const reading = () => readDataset(startOnDevnet().opened, distributionsDataset(staker));
  expect(await reading()).toMatchObject({ entry: { maxAge: 15 }, value: { cycles: [], newest: 23 } });
  expect(await recordCycles()).toEqual({ recorded: 2, left: 0 });
  const { entry, value } = await reading();
  expect([entry.maxAge, value.cycles.length]).toEqual([300, 2]);
});

test('per cycle, distributions add up to what the contract set aside, less a wei of rounding for each', async () => {
  const runtime = startOnDevnet();
  const all = await Promise.all(everybody.map((address) => cyclesOf(address, runtime)));
  const { body } = await sendTo(rewardsCycles, runtime);
  // The newest of them is not over.
  const over: Body[] = body.cycles.slice(1);
  expect(over).toHaveLength(2);
  for (const { number, startTime, distribution } of over) {
    const paid = all.flatMap(({ cycles }) => cycles.filter((cycle: Body) => cycle.number === number));
    expect(paid.length).toBeGreaterThan(3);
    expect(paid.every((cycle) => cycle.startTime === startTime && cycle.ggp !== '0')).toBe(true);
    const sum = paid.reduce((total, { ggp }) => total + parseEther(ggp), 0n);
    const left = parseEther(distribution.ClaimNodeOp) - sum;
    // Each share is rounded down twice, to 18 places of the whole.
    expect(left >= 0n && left < 100_000n * BigInt(paid.length)).toBe(true);
  }
  expect(await recordCycles()).toEqual({ recorded: 0, left: 0 });
});

test('a cycle is worth the price of GGP at the end of its day, and can be selected by its start', async () => {
  await recordAllDays();
  // Without what was known before the days were recorded.
  const runtime = startOnDevnet({ CACHE_TABLE: 'no-cache' });
  const { ada } = chain.people;
  const { cycles, total, recordedCycles } = await cyclesOf(ada, runtime);
  expect([cycles.length, total, recordedCycles]).toEqual([2, 2, 2]);
  expect(cycles[0].startTime).toBeGreaterThan(cycles[1].startTime);
  const day = Math.ceil(cycles[0].paidTime / 86_400) * 86_400;
  const { points } = await bodyFrom(pricesHistory, runtime, { query: { from: String(day), to: String(day) } });
  const [{ ggpInUSD, eurInUSD }] = points as [(typeof points)[number]];
  expect(cycles[0].ggpInUSD).toBe(ggpInUSD);
  expect(cycles[0].usd).toBeCloseTo(Number(cycles[0].ggp) * cycles[0].ggpInUSD, 6);
  expect(eurInUSD).toBeGreaterThan(1);
  expect(cycles[0].eur).toBeCloseTo(cycles[0].usd / eurInUSD, 6);
  const only = await cyclesOf(ada, runtime, { to: String(cycles[1].startTime) });
  expect(only.cycles.map(({ number }: Body) => number)).toEqual([cycles[1].number]);
});

test('cycles of an earlier generation are made anew, and shares that they lack are not shown', async () => {
  const { opened } = startOnDevnet({ CACHE_TABLE: 'no-cache' });
  const { history, ledger } = opened;
  const all = (generation: number) => history.of(seriesOf(generation)).points('1d', 0, END_OF_TIME);
  const before = await all(0);
  const nobody = `0x${'99'.repeat(20)}`;
  await history.of(seriesOf(0, nobody)).writeAll('1d', before);
  await ledger.write((await ledger.all(subjectOf.protocol)).entries, 1);
  await ledger.progress.update(0, (state) => ({ ...state, generation: 1 }));
  expect(await recordCycles()).toMatchObject({ left: 0, recorded: before.length });
  expect((await all(1)).map(({ values }) => values.ggp)).toEqual(before.map(({ values }) => values.ggp));
  expect((await cyclesOf(nobody, startOnDevnet({ CACHE_TABLE: 'no-cache' }))).cycles).toEqual([]);
});

test('an impossible share is left out by name, and the cycle is recorded as it was paid', async () => {
  await tables.renew();
  await recordLedger();
  const { opened } = startOnDevnet({ CACHE_TABLE: 'no-cache' });
  const ledger = opened.ledger;
  const { entries } = await ledger.ofType('rewardsCycleStarted');
  const [, wrong] = entries as EntryOf<'rewardsCycleStarted'>[];
  await ledger.write([{ ...(wrong as EntryOf<'rewardsCycleStarted'>), ClaimNodeOp: 1n }]);
  expect(await recordCycles()).toEqual({ recorded: 2, left: 0 });
  const { refused } = await ledger.progress.doubts();
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(({ cycle }) => cycle))).toEqual(new Set([wrong?.number]));
});

test('a share on which two providers disagree is refused by name, with the block, until a third one decides', async () => {
  await tables.renew();
  await recordLedger();
  const good = process.env.DEVNET_RPC_URL as string;
  const { entries } = await startOnDevnet().opened.ledger.ofType('rewardsCycleStarted');
  const block = Number(entries[1]?.block) - 1;
  const unclaimed = everybody.map((address) => chain.read('Staking', 'getGGPRewards', [address], block));
  const all = (await Promise.all(unclaimed)) as bigint[];
  const place = all.findIndex((ggp, at) => ggp > 0n && all.lastIndexOf(ggp) === at && all.indexOf(ggp) === at);
  const staker = String(everybody[place]);
  const [told, lie] = [0n, 1n].map((more) => toBeHex((all[place] as bigint) + more, 32).slice(2)) as [string, string];
  const liar = keep(
    await proxyTo(good, (answers, requests) =>
      answers.map((answer, index) =>
        Number(requests[index]?.params[1]) === block
          ? JSON.parse(JSON.stringify(answer).replaceAll(told, lie))
          : answer,
      ),
    ),
  );
  const two = startOnDevnet({ RPC_URLS: [good, liar.url].join(), CACHE_TABLE: 'no-cache' });
  expect(await recordCycles(two)).toEqual({ recorded: 0, left: 2 });
  const [first, second] = entries.map(({ number }) => number);
  const disputed = { staker, blockNumber: block, providers: ['rpc-1', 'rpc-2'] };
  const { body } = await sendTo(health, two);
  expect(body.status).toBe('degraded');
  expect(body.ledger.refused).toEqual([first, second].map((cycle) => ({ cycle, ...disputed })));
  const mine = await cyclesOf(staker, two);
  expect(mine).toMatchObject({ cycles: [], recordedCycles: 2, reasons: { cycles: 'MISMATCH' } });
  const others = await Promise.all(everybody.map((address) => cyclesOf(address, two)));
  expect(others.some(({ cycles }) => cycles.length === 2)).toBe(true);
  const three = startOnDevnet({ RPC_URLS: [good, liar.url, `${good}/?2`].join(), CACHE_TABLE: 'no-cache' });
  expect(await recordCycles(three)).toEqual({ recorded: 2, left: 0 });
  expect((await cyclesOf(staker, three)).cycles.length).toBeGreaterThan(0);
  expect((await three.opened.ledger.progress.doubts()).refused).toEqual([]);
});

test.each([
  ['has it by then', proxyTo, 2],
  ['lacks it again', (url: string) => forgets(url, 1e9), 1],
])('a state that a provider lacks is asked for once more: if it %s', async (_, startSecond, sources) => {
  await tables.renew();
  await recordLedger();
  const { progress } = startOnDevnet().opened.ledger;
  await progress.update(0, (state) => ({ ...state, sources: 2 }));
  const good = process.env.DEVNET_RPC_URL as string;
  const beside = (url: string) => startOnDevnet({ RPC_URLS: [good, url].join(), CACHE_TABLE: 'no-cache' });
  await expect(recordCycles(beside(keep(await forgets(good, 1e9)).url))).rejects.toThrow('asked once more');
  expect(await recordCycles(beside(keep(await startSecond(good)).url))).toEqual({ recorded: 2, left: 0 });
  expect(await progress.read()).toMatchObject({ sources });
});

test('the last cycle is recorded once the next is due, although none follows it', async () => {
  await tables.renew();
  const fork = keep(await forkDevnet());
  const on = startOnDevnet({ RPC_URLS: fork.url });
  await recordLedger();
  const { cycles } = await bodyFrom(rewardsCycles, on);
  const due = Number(cycles[0]?.startTime) + CYCLE_SECONDS;
  const indexTo = async (time: number) => {
    await pass(fork, time - (await fork.block('latest')).timestamp);
    await recordLedger(on);
  };
  const isBehind = async () => {
    const { opened } = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
    return (await readDataset(opened, distributionsDataset(everybody[0] as string))).value.isBehind;
  };
  await indexTo(due - 1);
  expect([await recordCycles(on), await isBehind()]).toEqual([{ recorded: 2, left: 0 }, false]);
  await indexTo(due);
  expect(await recordDistributions(on.opened, { mayGoOn: () => false })).toEqual({ recorded: 0, left: 1 });
  expect([await isBehind(), await recordCycles(on)]).toEqual([true, { recorded: 1, left: 0 }]);
});

test('nothing is recorded before the ledger is complete', async () => {
  await tables.renew();
  const { opened } = startOnDevnet();
  await cover(opened.ledger, 500, 600, 0);
  expect(await recordCycles()).toEqual({ recorded: 0, left: 0 });
});
