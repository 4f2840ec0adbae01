import type { Random } from './random.ts';

/** Reference prices; the pools and the feed scatter around them. */
export interface Prices {
  /** USD per AVAX. */
  avaxInUSD: number;
  /** AVAX per GGP. */
  ggpInAVAX: number;
}

/** Two mean-reverting random walks in the logarithm of the price. `volatility`: per square root of a day. */
export function createMarket(random: Random) {
  const move = (price: number, mean: number, volatility: number, days: number) =>
    price * Math.exp(0.03 * Math.log(mean / price) * days + volatility * Math.sqrt(days) * random.normal());
  const market = {
    prices: { avaxInUSD: 17.2, ggpInAVAX: 0.026 },
    /** Moves the market on by some days. */
    advance(days: number): Prices {
      const { avaxInUSD, ggpInAVAX } = market.prices;
      market.prices = {
        avaxInUSD: move(avaxInUSD, 20, 0.022, days),
        // Falls, so that collateral that once was enough no longer is.
        ggpInAVAX: move(ggpInAVAX, 0.0185, 0.014, days),
      };
      return market.prices;
    },
  };
  return market;
}
