import { beforeAll, expect, test } from '@jest/globals';
import { Interface } from 'ethers';
import { metricsYieldHistory } from '../../functions/metrics/yield-history.ts';
import { withDatasets } from '../../lib/cache/dataset.ts';
import { type YieldStreams, yieldStreamsDataset } from '../../lib/history/yield-streams-dataset.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { releasedBetween } from '../../lib/rewards/streams.ts';
import { DAY } from '../../lib/values/durations.ts';
import { type Body, bodyFrom } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, twelveDigits } from './devnet.ts';

/** Yield by source, compared with the pool's own totals. */

const chain = chainForAllTests();
let runtime: TestRuntime;
let known: YieldStreams;
tablesForAllTests();

beforeAll(async () => {
  await recordLedger();
  runtime = startOnDevnet();
  known = await yieldStreamsDataset.read(withDatasets(runtime.opened, []));
});

const history = (query: Record<string, string> = {}): Promise<Body> =>
  bodyFrom(metricsYieldHistory, runtime, { query });
const ggAvax = (view: string, block: number) => chain.read('TokenggAVAX', view, [], block) as Promise<bigint>;

/** AVAX wei deposited less those withdrawn after one block and up to another, from the chain's own logs. */
async function flowsBetween(from: number, to: number): Promise<bigint> {
  const abi = new Interface([
    'event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares)',
    'event Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  ]);
  const range = { fromBlock: `0x${(from + 1).toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const address = await chain.registered('TokenggAVAX');
  const logs = (await chain.rpc.send('eth_getLogs', { ...range, address })) as { topics: string[]; data: string }[];
  return logs.reduce((sum, log) => {
    const event = abi.parseLog(log);
    return event ? sum + (event.name === 'Deposit' ? event.args.assets : -event.args.assets) : sum;
  }, 0n);
}

test('between any two blocks, net yields are what totalAssets grew by less flows, to the wei', async () => {
  const { number: head } = await chain.block('latest');
  const first = known.streams[0]?.start as number;
  const blocks = await Promise.all(
    Array.from({ length: 11 }, (_, n) => chain.block(200 + Math.floor(((head - 200) * n) / 10))),
  );
  const all: bigint[] = [];
  for (const [index, to] of blocks.slice(1).entries()) {
    const from = blocks[index] as typeof to;
    const [before, after] = await Promise.all([from, to].map(({ number }) => ggAvax('totalAssets', number)));
    const { net } = releasedBetween(known.streams, from.timestamp, to.timestamp);
    expect(net).toBe((after as bigint) - (before as bigint) - (await flowsBetween(from.number, to.number)));
    all.push(net);
  }
  expect(blocks[0]?.timestamp).toBeGreaterThan(first);
  expect(all.filter((net) => net > 0n).length).toBeGreaterThan(8);
});

test('sources add up to the net yield, and days to months', async () => {
  const [days, months] = await Promise.all([history({ from: '1000' }), history({ from: '1000', interval: '1mo' })]);
  const total = (body: Body, of: (point: Body) => number) =>
    body.points.reduce((sum: number, point: Body) => sum + of(point), 0);
  for (const { net_yield_avax, by_source, gross_yield_avax, fee_avax } of days.points) {
    const { minipools, delegation, mev, other } = by_source;
    expect(minipools + delegation + mev + other).toBeCloseTo(net_yield_avax, 9);
    expect(net_yield_avax + fee_avax).toBeCloseTo(gross_yield_avax, 9);
  }
  const { net, fee, bySource } = releasedBetween(known.streams, 0, known.coverage.toTimestamp as number);
  for (const body of [days, months]) {
    expect(total(body, (point) => point.net_yield_avax)).toBeCloseTo(twelveDigits(net), 8);
    expect(total(body, (point) => point.fee_avax)).toBeCloseTo(twelveDigits(fee), 8);
    expect(total(body, (point) => point.by_source.delegation)).toBeCloseTo(twelveDigits(bySource.delegation), 8);
  }
  expect([bySource.minipools, bySource.delegation, bySource.other].every((part) => part > 0n)).toBe(true);
});

test('points are days or months, the last of them incomplete, by default of the last month or year', async () => {
  const { points, coverage } = await history();
  expect(points.length).toBe(31);
  expect(points.every(({ timestamp }: Body) => timestamp % DAY === 0)).toBe(true);
  expect(points.map(({ incomplete }: Body) => incomplete ?? false)).toEqual(
    points.map((_: Body, n: number) => n === 30),
  );
  expect(points.at(-1).timestamp).toBeLessThanOrEqual(coverage.toTimestamp);
  for (const { timestamp } of (await history({ interval: '1mo' })).points)
    expect(new Date(timestamp * 1_000).toISOString()).toMatch(/-01T00:00:00/);
  expect((await history({ to: '1000', from: '10' })).points).toEqual([]);
});

test('minted GGP is that of the cycles that started', async () => {
  const { entries } = await runtime.opened.ledger.all(subjectOf.type('rewardsCycleStarted'));
  const { points } = await history({ from: '1000' });
  const minted = points.filter(({ ggp_minted }: Body) => ggp_minted > 0);
  expect(minted.map(({ ggp_minted }: Body) => ggp_minted)).toEqual(
    entries.map((entry) => ('totalAmt' in entry ? twelveDigits(entry.totalAmt) : 0)),
  );
  for (const { ggp_minted, ggp_to_operators, ggp_to_dao, ggp_to_multisigs } of minted)
    expect(ggp_to_operators + ggp_to_dao + ggp_to_multisigs).toBeCloseTo(ggp_minted, 6);
});
