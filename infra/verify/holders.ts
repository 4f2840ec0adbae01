/** Holders of ggAVAX: balances, values, and rewards by day. */

import { parseUnits } from 'ethers';
import { WAD } from '../../lib/values/wad.ts';
import type { ChainSource } from './chain.ts';
import { each, type Figure, type Figures, figures, type Json, number, sumOf, tokens } from './figure.ts';
import { over, pricesAt, times, worthIn } from './prices.ts';
import { ownRedemption } from './withdrawals.ts';

const [HOUR, DAY] = [3_600, 86_400];
/** Rates are recorded every hour, and answers with a recorded rate are kept for minutes: one of the newest hours applies. */
const NEWEST_HOURS = 4;

/** The balance at a block, which may be before the token was deployed. */
const balanceAt = async (source: ChainSource, block: number, address: string): Promise<bigint> =>
  (await source.at(block).read('TokenggAVAX', 'balanceOf', address)) ?? 0n;

/** A holder's share is one of the sum of all: it is right only if they add up to the supply. */
export const holders: Figures = async ({ holders, coverage, block }, chain, source) => {
  if (!coverage.complete) throw new Error('coverage.complete is false: the ledger is still being indexed');
  const { read } = chain;
  const supply: bigint = await read('TokenggAVAX', 'totalSupply');
  const recorded = await recordedBlocks(source, block.timestamp);
  const valuesOf = (shares: bigint) =>
    Promise.all(recorded.map(async (at) => tokens(await source.at(at).read('TokenggAVAX', 'convertToAssets', shares))));
  return each<Json>('holders', holders, async (holder, at) => {
    const balance: bigint = await read('TokenggAVAX', 'balanceOf', holder.address);
    const values = await valuesOf(balance);
    return [
      ...figures(at, holder, {
        ggAvax: tokens(balance),
        sharePercent: number((balance * WAD * 100n) / supply),
        ...(holder.avax !== undefined && { avax: values.includes(holder.avax) ? holder.avax : values[0] }),
      }),
      ...(await sinceFigures(at, holder, source)),
    ];
  });
};

/** The blocks of the hours and the day whose rate may be the newest recorded one. */
async function recordedBlocks(source: ChainSource, time: number): Promise<number[]> {
  const hours = Array.from({ length: NEWEST_HOURS }, (_, hour) => time - (time % HOUR) - hour * HOUR);
  return Promise.all([...hours, time - (time % DAY)].map(source.lastBlockBy));
}

/** Checks that an address held nothing before `since`, which is the time of a block. */
async function sinceFigures(at: string, { address, since }: Json, source: ChainSource): Promise<Figure[]> {
  if (since === undefined) return [];
  const first = await source.lastBlockBy(since);
  const before = first > 0 ? await balanceAt(source, first - 1, address) : 0n;
  const expected = before ? 'held before' : await source.timeOf(first);
  return [{ field: `${at}since`, served: since, expected }];
}

/** A holder's balance, and the proceeds of redeeming the answer's amount. Sums of events are compared with each other. */
export const position: Figures = async (body, chain, source) => {
  const { read } = chain;
  const { address, block, unstaking } = body;
  const balance: bigint = await read('TokenggAVAX', 'balanceOf', address);
  const supply: bigint = await read('TokenggAVAX', 'totalSupply');
  const avax: bigint = await read('TokenggAVAX', 'convertToAssets', balance);
  const ids: bigint[] = (await read('WithdrawQueue', 'getRequestsByOwner', address, 0, 1_000)) ?? [];
  const requests = await Promise.all(ids.map((id) => read('WithdrawQueue', 'getRequestInfo', id)));
  const flow = (name: string) => parseUnits(body[name]);
  const rewards = avax + flow('withdrawn') + flow('transferredOut') - flow('deposited') - flow('transferredIn');
  return [
    ...figures('', body, {
      ggAvax: tokens(balance),
      avax: tokens(avax),
      sharePercent: supply === 0n ? undefined : number((balance * WAD) / supply, 16),
      ...worthIn(avax, await pricesAt(chain, block.timestamp)),
      ...(body.rewardsAVAX !== undefined && { rewardsAVAX: tokens(rewards) }),
    }),
    ...figures('unstaking.', unstaking, {
      ggAvax: tokens(sumOf(requests, 'shares')),
      expectedAVAX: tokens(sumOf(requests, 'expectedAssets')),
      requests: requests.length,
    }),
    ...(await sinceFigures('', body, source)),
    ...(await ownRedemption('', body, { address, balance }, chain)),
  ];
};

/** Rewards of each entry, by the balance and the rate at its end and at that of the entry before. */
export const holderRewards: Figures = async ({ address, days, totals, nextCursor }, _chain, source) => {
  const entries = await each<Json>('days', days, async (day, at) => {
    const { timestamp, closeTimestamp, closeBlock, openGgAvax, closeGgAvax } = day;
    if (closeBlock === undefined) return [];
    const opened = await source.lastBlockBy(timestamp);
    const { read } = source.at(closeBlock);
    const [rate, shares]: bigint[] = await Promise.all([
      read('TokenggAVAX', 'convertToAssets', WAD),
      read('TokenggAVAX', 'balanceOf', address),
    ]);
    const open: bigint = (await source.at(opened).read('TokenggAVAX', 'convertToAssets', parseUnits(openGgAvax))) ?? 0n;
    const close: bigint = await read('TokenggAVAX', 'convertToAssets', parseUnits(closeGgAvax));
    const reward = close - open + parseUnits(day.outflowAVAX) - parseUnits(day.inflowAVAX);
    const closed = await source.timeOf(closeBlock);
    const { avaxInUSD, eurInUSD } = await pricesAt(source.at(closeBlock), closed);
    const usd = times(parseUnits(day.rewardAVAX), avaxInUSD);
    return figures(at, day, {
      timestamp: timestamp - (timestamp % DAY),
      closeTimestamp: closeTimestamp - (closeTimestamp % HOUR),
      closeBlock: await source.lastBlockBy(closeTimestamp),
      openGgAvax: tokens(await balanceAt(source, opened, address)),
      closeGgAvax: tokens(shares),
      rateClose: tokens(rate),
      ...(day.rateOpen !== undefined && {
        rateOpen: tokens(await source.at(opened).read('TokenggAVAX', 'convertToAssets', WAD)),
      }),
      rewardAVAX: tokens(reward),
      ...(avaxInUSD !== undefined &&
        day.avaxInUSD !== undefined && {
          avaxInUSD: number(avaxInUSD),
          avaxInEUR: number(over(avaxInUSD, eurInUSD)),
        }),
      // Omitted for several days in one entry.
      ...(avaxInUSD !== undefined &&
        day.rewardUSD !== undefined && { rewardUSD: number(usd), rewardEUR: number(over(usd, eurInUSD)) }),
    });
  });
  if (nextCursor !== undefined || totals.rewardAVAX === undefined) return entries;
  const sum = days.reduce((total: bigint, { rewardAVAX }: Json) => total + parseUnits(rewardAVAX), 0n);
  return [...entries, ...figures('totals.', totals, { rewardAVAX: tokens(sum) })];
};
