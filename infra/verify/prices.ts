/** Prices of AVAX, GGP and ggAVAX at a block, from the feeds and pools that the service documents. */

import { ZeroAddress } from 'ethers';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { DAY, HOUR } from '../../lib/values/durations.ts';
import { mulWad, ratio, WAD } from '../../lib/values/wad.ts';
import type { ChainAt, ChainSource } from './chain.ts';
import { type Expected, firstItems, ITEMS, type Json, number } from './figure.ts';

export type Prices = Awaited<ReturnType<typeof pricesAt>>;

export const times = (amount: bigint | undefined, price: bigint | undefined) => ifKnown(mulWad, amount, price);
const over = (amount: bigint | undefined, price: bigint | undefined) => ifKnown(ratio, amount, price);

/**
 * Prices scaled by 1e18; undefined if no contract has the price, and for AVAX if Chainlink's round is old, because the
 * service then takes the price of a pool.
 */
export async function pricesAt({ read, readAt, addressOf }: ChainAt, timestamp: number) {
  /** `maxAge` of a round is in seconds. */
  const feed = async (name: 'AvaxUsdFeed' | 'EurUsdFeed', maxAge: number): Promise<bigint | undefined> => {
    const round = await read(name, 'latestRoundData');
    // Answers have 8 decimals.
    return round && timestamp - Number(round.updatedAt) <= maxAge ? round.answer * 10n ** 10n : undefined;
  };
  const wavax = await addressOf('WAVAX');
  const market = (await read('JoeFactory', 'getPair', await addressOf('TokenGGP'), wavax)) ?? ZeroAddress;
  const [first, second] = market === ZeroAddress ? [] : await readAt(market, 'getReserves');
  const isFirst = first !== undefined && (await readAt(market, 'token0')) === wavax;
  return {
    avaxInUSD: await feed('AvaxUsdFeed', HOUR),
    ggpInAVAX: isFirst ? over(first, second) : over(second, first),
    ggAvaxInAVAX: (await read('TokenggAVAX', 'convertToAssets', WAD)) as bigint | undefined,
    eurInUSD: await feed('EurUsdFeed', 4 * DAY),
  };
}

/** The value of an amount in USD and EUR; empty if the price of AVAX is not known. */
export function worthIn(amount: bigint | undefined, { avaxInUSD, eurInUSD }: Prices) {
  const usd = times(amount, avaxInUSD);
  return avaxInUSD === undefined ? undefined : { usd: number(usd), eur: number(over(usd, eurInUSD)) };
}

/** {@link worthIn}, as fields that begin alike: `totalUSD` and `totalEUR`, or `tvl_usd` and `tvl_eur`. */
export function worthAs(name: string, amount: bigint | undefined, prices: Prices): Json {
  const [usd, eur] = name.endsWith('_') ? ['usd', 'eur'] : ['USD', 'EUR'];
  const worth = worthIn(amount, prices);
  return worth && { [name + usd]: worth.usd, [name + eur]: worth.eur };
}

function priced(prices: Prices): Json {
  const { ggpInAVAX, ggAvaxInAVAX, eurInUSD } = prices;
  return {
    ...{ ggpInAVAX: number(ggpInAVAX), ggAvaxInAVAX: number(ggAvaxInAVAX), eurInUSD: number(eurInUSD) },
    ...worthAs('avaxIn', WAD, prices),
    ...worthAs('ggpIn', ggpInAVAX, prices),
    ...worthAs('ggAvaxIn', ggAvaxInAVAX, prices),
  };
}

export const prices: Expected = async ({ block }, chain) => {
  const oracle = await chain.read('Oracle', 'getGGPPriceInAVAX');
  return {
    ...priced(await pricesAt(chain, block.timestamp)),
    oracle: {
      ggpInAVAX: number(oracle?.price),
      updatedAt: number(oracle?.timestamp, 0),
      ageSeconds: oracle && block.timestamp - Number(oracle.timestamp),
    },
  };
};

export const pricesAtTimes: Expected = async ({ prices }, _chain, source) => ({
  prices: await firstItems(prices, (entry) => pricedAt(entry, source)),
});

export const pricesHistory: Expected = async ({ points }, _chain, source) => {
  const isNew = (place: number) => place >= points.length - ITEMS;
  const expected = points.map((point: Json, place: number) => (isNew(place) ? pricedAt(point, source) : {}));
  return { points: await Promise.all(expected) };
};

async function pricedAt({ timestamp, blockNumber }: Json, source: ChainSource): Promise<Json> {
  if (blockNumber === undefined) return {};
  const prices = await pricesAt(source.at(blockNumber), await source.timeOf(blockNumber));
  return { blockNumber: await source.lastBlockBy(timestamp), ...priced(prices) };
}
