/** Prices of AVAX, GGP and ggAVAX at a block, from the feeds and pools that the service documents. */

import { parseUnits, ZeroAddress } from 'ethers';
import type { ChainAt } from './chain.ts';
import { about, each, type Figure, type Figures, figures, integer, type Json, number, tokens, WAD } from './figure.ts';
import { history, lastBlockFigure } from './history.ts';

/** Maximum age of a Chainlink round in seconds. */
const MAX_AGE = { avax: 3_600, euro: 4 * 86_400 };
const FEED_UNIT = 10n ** 8n;

/** Prices scaled by 1e18; undefined if no contract has the price. */
export interface Prices {
  /** Not known if Chainlink's round is old, because the service then takes the price of a pool. */
  avaxInUSD: bigint | undefined;
  ggpInAVAX: bigint | undefined;
  ggAvaxInAVAX: bigint | undefined;
  eurInUSD: bigint | undefined;
}

export const times = (amount: bigint | undefined, price: bigint | undefined) =>
  amount === undefined || price === undefined ? undefined : (amount * price) / WAD;
export const over = (amount: bigint | undefined, price: bigint | undefined) =>
  amount === undefined || !price ? undefined : (amount * WAD) / price;

/** Prices at a block with this timestamp. */
export async function pricesAt({ read, pair, addressOf, wavax }: ChainAt, timestamp: number): Promise<Prices> {
  const feed = async (name: 'AvaxUsdFeed' | 'EurUsdFeed', maxAge: number): Promise<bigint | undefined> => {
    const round = await read(name, 'latestRoundData');
    return round && timestamp - Number(round.updatedAt) <= maxAge ? (round.answer * WAD) / FEED_UNIT : undefined;
  };
  const market = await read('JoeFactory', 'getPair', await addressOf('TokenGGP'), wavax);
  const sides = market && market !== ZeroAddress ? await pair(market) : [];
  const [paid, sold] = [sides.find(({ token }) => token === wavax), sides.find(({ token }) => token !== wavax)];
  return {
    avaxInUSD: await feed('AvaxUsdFeed', MAX_AGE.avax),
    ggpInAVAX: over(paid?.reserve, sold?.reserve),
    ggAvaxInAVAX: await read('TokenggAVAX', 'convertToAssets', WAD),
    eurInUSD: await feed('EurUsdFeed', MAX_AGE.euro),
  };
}

/** The value of an amount in USD and EUR; empty if the price of AVAX is not known. */
export function worthIn(amount: bigint | undefined, { avaxInUSD, eurInUSD }: Prices) {
  const usd = times(amount, avaxInUSD);
  return avaxInUSD === undefined ? undefined : { usd: number(usd), eur: number(over(usd, eurInUSD)) };
}

/** The figures of a body with prices. */
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
  const { sources, block } = body;
  const known = await pricesAt(chain, block.timestamp);
  const updatedAt = async (name: 'AvaxUsdFeed' | 'EurUsdFeed') =>
    integer((await chain.read(name, 'latestRoundData'))?.updatedAt);
  const updates = {
    avaxInUSD: await updatedAt('AvaxUsdFeed'),
    eurInUSD: await updatedAt('EurUsdFeed'),
    ggpInAVAX: block.timestamp,
    ggAvaxInAVAX: block.timestamp,
  };
  const oracle = await chain.read('Oracle', 'getGGPPriceInAVAX');
  return [
    ...priced('', body, known),
    ...Object.entries(updates)
      .filter(([name]) => known[name as keyof Prices] !== undefined)
      .flatMap(([name, updatedAt]) => figures(`sources.${name}.`, sources[name], { updatedAt })),
    ...figures('oracle.', body.oracle, {
      ggpInAVAX: number(oracle?.price),
      updatedAt: integer(oracle?.timestamp),
      ageSeconds: oracle && block.timestamp - Number(oracle.timestamp),
    }),
  ];
};

export const pricesHistory = history(async (point, at, chain, time) => priced(at, point, await pricesAt(chain, time)));

/** The recorded time of each entry is at most two days older than the time asked for. */
const MAX_POINT_AGE = 2 * 86_400;

export const pricesAtTimes: Figures = async (body, _chain, source) =>
  each('prices', body.prices, async (entry: Json, at) => {
    const { asked, timestamp, blockNumber } = entry;
    if (blockNumber === undefined) return [];
    const isNear = timestamp <= asked && asked - timestamp <= MAX_POINT_AGE && timestamp % 3_600 === 0;
    const time = (await source.timestamp(blockNumber)) ?? 0;
    return [
      { field: `${at}timestamp`, served: timestamp, expected: isNear ? timestamp : `an hour up to ${asked}` },
      await lastBlockFigure(at, entry, source),
      ...priced(at, entry, await pricesAt(source.at(blockNumber), time)),
    ];
  });

/** The reserves and prices of V2 pools, and the exchange's prices: for each pair, the price of its deepest pool. */
export const dex: Figures = async (body, chain) => {
  const { eurInUSD } = await pricesAt(chain, body.block.timestamp);
  const inEUR = (usd: number | undefined, served: Json) =>
    usd === undefined || eurInUSD === undefined ? undefined : about(usd / (number(eurInUSD) ?? 0), served);
  const pools = await each('pools', body.pools, async (pool: Json, at) => {
    const { avaxInUSD } = body;
    const [base, quote, price] = [pool.baseReserve, pool.quoteReserve, pool.price].map(Number) as [
      number,
      number,
      number,
    ];
    const inAVAX =
      pool.pair === 'AVAX/USDC' ? base + quote / price : (quote + base * price) * Number(pool.sAvaxInAVAX ?? 1);
    const inUSD = avaxInUSD && inAVAX * avaxInUSD;
    const liquidity = figures(at, pool, {
      liquidityUSD: inUSD && about(inUSD, pool.liquidityUSD),
      liquidityEUR: inEUR(inUSD, pool.liquidityEUR),
    });
    if (pool.kind !== 'v2') return liquidity;
    const sides = await chain.pair(pool.address);
    const wavaxIsQuote = pool.pair.endsWith('/AVAX');
    const quoted = sides.find(({ token }) => (token === chain.wavax) === wavaxIsQuote);
    const sold = sides.find((side) => side !== quoted);
    const scaled = (side: typeof sold) => side && side.reserve * 10n ** BigInt(18 - side.decimals);
    return [
      ...liquidity,
      ...figures(at, pool, {
        baseReserve: tokens(sold?.reserve, sold?.decimals),
        quoteReserve: tokens(quoted?.reserve, quoted?.decimals),
        price: tokens(over(scaled(quoted), scaled(sold))),
      }),
    ];
  });
  const priceOf = (...pairs: string[]) => {
    const pool = body.pools.find(({ pair }: Json) => pairs.includes(pair));
    return times(pool && parseUnits(pool.price), parseUnits(pool?.sAvaxInAVAX ?? '1'));
  };
  const [avaxInUSD, ggpInAVAX] = [priceOf('AVAX/USDC'), priceOf('GGP/AVAX')];
  const ggAvaxInAVAX = priceOf('ggAVAX/AVAX', 'ggAVAX/sAVAX');
  const expected = {
    eurInUSD: number(eurInUSD),
    avaxInEUR: inEUR(number(avaxInUSD), body.avaxInEUR),
    ggpInEUR: inEUR(number(times(ggpInAVAX, avaxInUSD)), body.ggpInEUR),
    ggAvaxInEUR: inEUR(number(times(ggAvaxInAVAX, avaxInUSD)), body.ggAvaxInEUR),
    avaxInUSD: number(avaxInUSD),
    ggpInAVAX: number(ggpInAVAX),
    ggpInUSD: number(times(ggpInAVAX, avaxInUSD)),
    ggAvaxInAVAX: ggAvaxInAVAX && about(number(ggAvaxInAVAX), body.ggAvaxInAVAX),
    ggAvaxInUSD: ggAvaxInAVAX && about(number(times(ggAvaxInAVAX, avaxInUSD)) ?? 0, body.ggAvaxInUSD),
  };
  return [...pools, ...figures('', body, expected)];
};

/** Prices of an exchange: those in USD and EUR follow from the others, and from the feed of the euro. */
export const dexHistory = history(async (point, at, chain, time) => {
  const { eurInUSD } = await pricesAt(chain, time);
  const { avaxInUSD, ggpInAVAX: ggp, ggAvaxInAVAX: ggAvax } = point;
  const euro = eurInUSD === undefined ? Number.NaN : number(eurInUSD);
  // Computed with a missing price, a value is not a number, and omitted.
  const derived = {
    ggpInUSD: ggp * avaxInUSD,
    ggAvaxInUSD: ggAvax * avaxInUSD,
    avaxInEUR: avaxInUSD / euro,
    ggpInEUR: (ggp * avaxInUSD) / euro,
    ggAvaxInEUR: (ggAvax * avaxInUSD) / euro,
  };
  const expected = Object.entries(derived).map(([field, value]) => [
    field,
    Number.isNaN(value) ? undefined : about(value, point[field]),
  ]);
  return figures(at, point, { eurInUSD: number(eurInUSD), ...Object.fromEntries(expected) });
});
