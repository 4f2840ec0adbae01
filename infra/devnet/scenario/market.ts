import type { Random } from './random.ts';

/** Reference prices; the pools and the feed scatter around them. */
export interface Prices {
  /** USD per AVAX. */
  avaxInUSD: number;
  /** AVAX per GGP. */
  ggpInAVAX: number;
}

export interface Market {
  prices: Prices;
  /** Moves the market on by some days. */
  advance(days: number): Prices;
}

/** A price that is pulled back to `mean` by `pull` per day and shaken by `volatility` per square root of a day. */
interface Walk {
  start: number;
  mean: number;
  pull: number;
  volatility: number;
}

const AVAX_IN_USD: Walk = { start: 17.2, mean: 20, pull: 0.03, volatility: 0.022 };
/** Falls, so that collateral that once was enough no longer is. */
const GGP_IN_AVAX: Walk = { start: 0.026, mean: 0.0185, pull: 0.03, volatility: 0.014 };

/** Two mean-reverting random walks in the logarithm of the price. */
export function createMarket(random: Random): Market {
  let prices: Prices = { avaxInUSD: AVAX_IN_USD.start, ggpInAVAX: GGP_IN_AVAX.start };
  const move = (price: number, { mean, pull, volatility }: Walk, days: number) =>
    price * Math.exp(pull * Math.log(mean / price) * days + volatility * Math.sqrt(days) * random.normal());
  return {
    get prices() {
      return prices;
    },
    advance(days) {
      prices = {
        avaxInUSD: move(prices.avaxInUSD, AVAX_IN_USD, days),
        ggpInAVAX: move(prices.ggpInAVAX, GGP_IN_AVAX, days),
      };
      return prices;
    },
  };
}
