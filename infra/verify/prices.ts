/** Prices of AVAX, GGP and ggAVAX at a block, from the feeds and pools that the service documents. */

import { ZeroAddress } from 'ethers';
import { WAD } from '../../lib/values/wad.ts';
import type { ChainAt, ChainSource } from './chain.ts';
import { each, type Figure, type Figures, figures, integer, type Json, number } from './figure.ts';

/** Maximum age of a Chainlink round in seconds. */
const MAX_AGE = { avax: 3_600, euro: 4 * 86_400 };
const FEED_UNIT = 10n ** 8n;

export type Prices = Awaited<ReturnType<typeof pricesAt>>;

export const times = (amount: bigint | undefined, price: bigint | undefined) =>
  amount === undefined || price === undefined ? undefined : (amount * price) / WAD;
export const over = (amount: bigint | undefined, price: bigint | undefined) =>
  amount === undefined || !price ? undefined : (amount * WAD) / price;

/**
 * Prices scaled by 1e18; undefined if no contract has the price, and for AVAX if Chainlink's round is old, because the
 * service then takes the price of a pool.
 */
export async function pricesAt({ read, readAt, addressOf }: ChainAt, timestamp: number) {
  const feed = async (name: 'AvaxUsdFeed' | 'EurUsdFeed', maxAge: number): Promise<bigint | undefined> => {
    const round = await read(name, 'latestRoundData');
    return round && timestamp - Number(round.updatedAt) <= maxAge ? (round.answer * WAD) / FEED_UNIT : undefined;
  };
  const wavax = await addressOf('WAVAX');
  const market = (await read('JoeFactory', 'getPair', await addressOf('TokenGGP'), wavax)) ?? ZeroAddress;
  const [first, second] = market === ZeroAddress ? [] : await readAt(market, 'getReserves');
  const isFirst = first !== undefined && (await readAt(market, 'token0')) === wavax;
  return {
    avaxInUSD: await feed('AvaxUsdFeed', MAX_AGE.avax),
    ggpInAVAX: isFirst ? over(first, second) : over(second, first),
    ggAvaxInAVAX: (await read('TokenggAVAX', 'convertToAssets', WAD)) as bigint | undefined,
    eurInUSD: await feed('EurUsdFeed', MAX_AGE.euro),
  };
}

/** The value of an amount in USD and EUR; empty if the price of AVAX is not known. */
export function worthIn(amount: bigint | undefined, { avaxInUSD, eurInUSD }: Prices) {
  const usd = times(amount, avaxInUSD);
  return avaxInUSD === undefined ? undefined : { usd: number(usd), eur: number(over(usd, eurInUSD)) };
}

function priced(at: string, served: Json, { avaxInUSD, ggpInAVAX, ggAvaxInAVAX, eurInUSD }: Prices): Figure[] {
  const [ggpInUSD, ggAvaxInUSD] = [times(ggpInAVAX, avaxInUSD), times(ggAvaxInAVAX, avaxInUSD)];
  return figures(at, served, {
    ggpInAVAX: number(ggpInAVAX),
    ggAvaxInAVAX: number(ggAvaxInAVAX),
    eurInUSD: number(eurInUSD),
    ...(avaxInUSD !== undefined && {
      avaxInUSD: number(avaxInUSD),
      ggpInUSD: number(ggpInUSD),
      ggAvaxInUSD: number(ggAvaxInUSD),
      avaxInEUR: number(over(avaxInUSD, eurInUSD)),
      ggpInEUR: number(over(ggpInUSD, eurInUSD)),
      ggAvaxInEUR: number(over(ggAvaxInUSD, eurInUSD)),
    }),
  });
}

export const prices: Figures = async (body, chain) => {
  const oracle = await chain.read('Oracle', 'getGGPPriceInAVAX');
  return [
    ...priced('', body, await pricesAt(chain, body.block.timestamp)),
    ...figures('oracle.', body.oracle, {
      ggpInAVAX: number(oracle?.price),
      updatedAt: integer(oracle?.timestamp),
      ageSeconds: oracle && body.block.timestamp - Number(oracle.timestamp),
    }),
  ];
};

export const pricesAtTimes: Figures = (body, _chain, source) =>
  each('prices', body.prices, (entry: Json, at) => pointFigures(at, entry, source));

export const pricesHistory: Figures = ({ points }, _chain, source) =>
  each('newestPoints', points.toReversed(), (point: Json, at) => pointFigures(at, point, source));

async function pointFigures(at: string, point: Json, source: ChainSource): Promise<Figure[]> {
  const { timestamp, blockNumber } = point;
  if (blockNumber === undefined) return [];
  const time = await source.timeOf(blockNumber);
  return [
    ...figures(at, point, { blockNumber: await source.lastBlockBy(timestamp) }),
    ...priced(at, point, await pricesAt(source.at(blockNumber), time)),
  ];
}
