/** Holders of ggAVAX: balances, values, and rewards by day. */

import { parseUnits } from 'ethers';
import { DAY, HOUR } from '../../lib/values/durations.ts';
import { WAD } from '../../lib/values/wad.ts';
import type { ChainSource } from './chain.ts';
import { type Expected, firstItems, type Json, number, sumOf, tokens } from './figure.ts';
import { pricesAt, worthAs, worthIn } from './prices.ts';
import { ownRedemption, requestsOf } from './withdrawals.ts';

/** Rates are recorded every hour, and answers with a recorded rate are kept for minutes: one of the newest hours applies. */
const NEWEST_HOURS = 4;

/** The balance at a block, which may be before the token was deployed. */
const balanceAt = async (source: ChainSource, block: number, address: string): Promise<bigint> =>
  (await source.at(block).read('TokenggAVAX', 'balanceOf', address)) ?? 0n;

/** A holder's share is one of the sum of all: it is right only if they add up to the supply. */
export const holders: Expected = async ({ holders, coverage, block }, { read }, source) => {
  if (!coverage.complete) throw new Error('coverage.complete is false: the ledger is still being indexed');
  const supply: bigint = await read('TokenggAVAX', 'totalSupply');
  const hour = block.timestamp - (block.timestamp % HOUR);
  const hours = Array.from({ length: NEWEST_HOURS }, (_, index) => hour - index * HOUR);
  const blocks = await Promise.all([...hours, hour - (hour % DAY)].map(source.lastBlockBy));
  const expect = async ({ address, avax, since }: Json) => {
    const balance: bigint = await read('TokenggAVAX', 'balanceOf', address);
    const assets = blocks.map((block) => source.at(block).read('TokenggAVAX', 'convertToAssets', balance));
    const values = (await Promise.all(assets)).map(tokens);
    return {
      ggAvax: tokens(balance),
      sharePercent: number((balance * WAD * 100n) / supply),
      avax: avax === undefined || values.includes(avax) ? avax : values[0],
      since: await sinceOf(address, since, source),
    };
  };
  return { holders: await firstItems(holders, expect) };
};

/** The time of the block before which an address held nothing. Several blocks may share it. */
async function sinceOf(address: string, since: number | undefined, source: ChainSource) {
  if (since === undefined) return undefined;
  const before = await balanceAt(source, await source.lastBlockBy(since - 1), address);
  return before ? 'held before' : source.timeOf(await source.lastBlockBy(since));
}

/** A holder's balance, and the proceeds of redeeming the answer's amount. Sums of events are compared with each other. */
export const position: Expected = async (body, chain, source) => {
  const { read } = chain;
  const { address, block } = body;
  const balance: bigint = await read('TokenggAVAX', 'balanceOf', address);
  const supply: bigint = await read('TokenggAVAX', 'totalSupply');
  const avax: bigint = await read('TokenggAVAX', 'convertToAssets', balance);
  const requests = await requestsOf(address, block.timestamp, chain);
  const flow = (name: string) => parseUnits(body[name]);
  const rewards = () => avax + flow('withdrawn') + flow('transferredOut') - flow('deposited') - flow('transferredIn');
  return {
    ggAvax: tokens(balance),
    avax: tokens(avax),
    sharePercent: supply === 0n ? undefined : number((balance * WAD) / supply, 16),
    ...worthIn(avax, await pricesAt(chain, block.timestamp)),
    rewardsAVAX: body.rewardsAVAX && tokens(rewards()),
    unstaking: {
      ggAvax: tokens(sumOf(requests, 'shares')),
      expectedAVAX: tokens(sumOf(requests, 'expectedAssets')),
      requests: requests.length,
    },
    since: await sinceOf(address, body.since, source),
    redemption: await ownRedemption(body, address, balance, chain),
  };
};

/** Rewards of each entry, by the balance and the rate at its end and at that of the entry before. */
export const holderRewards: Expected = async ({ address, days, totals, nextCursor }, _chain, source) => {
  const expect = async (day: Json) => {
    const { timestamp, closeTimestamp, closeBlock, openGgAvax, closeGgAvax } = day;
    const opened = await source.lastBlockBy(timestamp);
    const assetsAt = async (block: number, shares: bigint): Promise<bigint> =>
      (await source.at(block).read('TokenggAVAX', 'convertToAssets', shares)) ?? 0n;
    const open = await assetsAt(opened, parseUnits(openGgAvax));
    const close = await assetsAt(closeBlock, parseUnits(closeGgAvax));
    const prices = await pricesAt(source.at(closeBlock), await source.timeOf(closeBlock));
    return {
      closeBlock: await source.lastBlockBy(closeTimestamp),
      openGgAvax: tokens(await balanceAt(source, opened, address)),
      closeGgAvax: tokens(await balanceAt(source, closeBlock, address)),
      rateOpen: day.rateOpen && tokens(await assetsAt(opened, WAD)),
      rateClose: tokens(await assetsAt(closeBlock, WAD)),
      rewardAVAX: tokens(close - open + parseUnits(day.outflowAVAX) - parseUnits(day.inflowAVAX)),
      ...(day.avaxInUSD && worthAs('avaxIn', WAD, prices)),
      // Omitted for several days in one entry.
      ...(day.rewardUSD !== undefined && worthAs('reward', parseUnits(day.rewardAVAX), prices)),
    };
  };
  const isWhole = nextCursor === undefined && totals.rewardAVAX !== undefined;
  const sum = days.reduce((total: bigint, { rewardAVAX }: Json) => total + parseUnits(rewardAVAX), 0n);
  return { days: await firstItems(days, expect), ...(isWhole && { totals: { rewardAVAX: tokens(sum) } }) };
};
