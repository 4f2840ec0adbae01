/** Times of the scenario are days before or after its day 0, which is 90 days before the chain's present. */
export const DAY = 86_400;

/** The protocol is founded here; blocks before day 0 exist only where something happens. */
export const FIRST_DAY = -26;
export const LAST_DAY = 90;

/** Blocks of the history lie on this raster of UTC time, so hourly and daily boundaries fall on blocks. */
export const SLOT = 7_200;
export const SLOTS_PER_DAY = DAY / SLOT;

/** Until here the 21-field MinipoolManager is registered. */
export const MANAGER_UPGRADE_DAY = 25;

/** From here on the withdrawal queue, the Liquidity Book pair and the Uniswap V3 pool exist. */
export const LATE_ARRIVALS_DAY = 45;

/** From here on there are pools of the factory that was created then, and of sAVAX. */
export const LATE_POOLS_DAY = 46;

/** From here on every holder may redeem ggAVAX at once, and no AVAX comes to the withdrawal queue any more. */
export const REOPENING_DAY = 86.2;
