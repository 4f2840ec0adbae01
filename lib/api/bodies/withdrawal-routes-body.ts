/** The fields of the routes from ggAVAX to AVAX in responses. */

import * as z from 'zod/mini';
import type { MarketRoute, QueueRoute, RedeemRoute, WithdrawalRoute } from '../../protocol/withdrawal-routes.ts';
import { choice, fields, json, model } from '../fields.ts';
import { address, avax, flag, ggAvax, percent, sAvax, text, unixTime } from '../units.ts';
import { REFUSED } from './redemption-body.ts';
import { queueService } from './withdrawal-body.ts';

/** The fields that all routes begin with. */
const head = <Name extends WithdrawalRoute['route']>(name: Name, meaning: string) => ({
  route: json(
    () => z.literal(name).check(z.describe(meaning)),
    () => name,
  ),
  available: flag('Whether it is possible now.', ({ available }: { available: boolean }) => available),
});

const REDEEM = fields<RedeemRoute>()({
  ...head('redeem', '`redeemAVAX` on the token: one transaction, paid at once.'),
  ggAvax: ggAvax(
    'Part of the amount that the pool pays now. Less than the amount if `reason` is `NO_LIQUIDITY`.',
    ({ shares }) => shares,
  ),
  avax: avax('AVAX for that part at this block, to the wei.', ({ assets }) => assets),
  reason: choice('RedeemRouteRefusal', ['CLOSED', 'PAUSED', 'NO_LIQUIDITY']).optional(
    `Reason why not all can be redeemed. ${REFUSED}`,
    ({ refusal }) => refusal,
  ),
});

const QUEUE = fields<QueueRoute>()({
  ...head('queue', '`requestUnstake` on the withdrawal queue: paid later, only if AVAX returns from staking.'),
  avax: avax('AVAX that the queue would promise: the value at this block.', ({ assets }) => assets),
  claimableTime: unixTime.optional(
    'Expected time of payment. Omitted if there is no queue.',
    ({ claimableTime }) => claimableTime,
  ),
  expirationTime: unixTime.optional(
    'Expiration with the longest delay. Omitted if there is no queue.',
    ({ expirationTime }) => expirationTime,
  ),
  service: queueService('', ({ service }) => service),
  reason: choice('QueueRouteRefusal', ['NO_QUEUE', 'PAUSED']).optional(
    '`NO_QUEUE`: there is no queue. `PAUSED`: it accepts no requests.',
    ({ refusal }) => refusal,
  ),
});

const MARKET = fields<MarketRoute>()({
  ...head('market', 'A sale on an exchange: one transaction, paid at once in WAVAX, or in sAVAX if `sAvax` is given.'),
  dex: text.optional('Code of the exchange that pays most.', ({ best }) => best?.pool.exchange),
  pool: address.optional('Address of the pool.', ({ best }) => best?.pool.address),
  avax: avax.optional(
    "AVAX for the whole amount at this block, after fees, by the pool's own maths.",
    ({ best }) => best?.assets,
  ),
  sAvax: sAvax.optional(
    'sAVAX (BENQI) that the sale pays; `avax` is then its value by `getPooledAvaxByShares` at this block. Getting AVAX takes another sale, or about two weeks at BENQI. Omitted for sales in WAVAX.',
    ({ best }) => best?.sAvax,
  ),
  discountPercent: percent.optional(
    'Loss against the redemption rate. Negative if the market pays more.',
    ({ discount }) => discount,
  ),
  asked: json(
    () =>
      z
        .array(text.schema('Code of an exchange.'))
        .check(z.describe('Exchanges whose pools were queried. ggAVAX may be traded elsewhere, too.')),
    ({ asked }) => asked,
  ),
  reason: choice('MarketRouteRefusal', ['NO_POOL', 'NO_LIQUIDITY', 'NO_RATE']).optional(
    '`NO_POOL`: no pool of these exchanges trades ggAVAX. `NO_LIQUIDITY`: none can take that much. `NO_RATE`: an offer in sAVAX of unknown rate was left out; the route may still be available.',
    ({ refusal }) => refusal,
  ),
});

/** The schema of all routes for an amount. */
export const routesSchema = () =>
  z
    .array(
      z.discriminatedUnion('route', [
        model('RedeemRoute', z.object(REDEEM.shape())),
        model('QueueRoute', z.object(QUEUE.shape())),
        model('MarketRoute', z.object(MARKET.shape())),
      ]),
    )
    .check(
      z.describe(
        'Ways to turn the amount into AVAX, best first: available ones before others, then by payment; a queue with overdue requests last. Omits a way without a clear answer from the chain. Empty for 0, and for more ggAVAX than exists.',
      ),
    );

/** The JSON of a route. */
export function routeBody(route: WithdrawalRoute) {
  switch (route.route) {
    case 'redeem':
      return REDEEM.body(route);
    case 'queue':
      return QUEUE.body(route);
    case 'market':
      return MARKET.body(route);
  }
}
