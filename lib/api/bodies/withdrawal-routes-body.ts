/** How the ways to turn ggAVAX into AVAX look in responses. */

import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import type { MarketRoute, QueueRoute, RedeemRoute, WithdrawalRoute } from '../../protocol/withdrawal-routes.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { formatAmount, percentFrom } from '../../values/amounts.ts';
import { address, flag, model, percent, text, tokens, unixTime } from '../schemas.ts';
import { REFUSED } from './redemption-body.ts';
import { queueServiceBody, queueServiceSchema } from './withdrawal-body.ts';

const available = () => flag('Whether it can be done now.');

const redeemRoute = () =>
  z.object({
    route: z.literal('redeem').check(z.describe('`redeemAVAX` on the token: one transaction, paid at once.')),
    available: available(),
    ggAvax: tokens(
      'ggAVAX',
      'The part of the amount that the pool can pay now. Less than the amount if `reason` is `NO_LIQUIDITY`.',
    ),
    avax: tokens('AVAX', 'What that part pays at this block, to the wei.'),
    reason: z.optional(
      model('RedeemRouteRefusal', z.enum(['CLOSED', 'PAUSED', 'NO_LIQUIDITY'])).check(
        z.describe(`Why not all of the amount can be redeemed. ${REFUSED}`),
      ),
    ),
  });

const queueRoute = () =>
  z.object({
    route: z
      .literal('queue')
      .check(
        z.describe('`requestUnstake` on the withdrawal queue: paid later, and only if AVAX comes back from staking.'),
      ),
    available: available(),
    avax: tokens('AVAX', 'What the queue would promise: the value at this block.'),
    claimableTime: z.optional(unixTime('When the AVAX is expected to be claimable. Omitted if there is no queue.')),
    expirationTime: z.optional(
      unixTime('When the request would expire if it chose the longest delay. Omitted if there is no queue.'),
    ),
    service: queueServiceSchema(),
    reason: z.optional(
      model('QueueRouteRefusal', z.enum(['NO_QUEUE', 'PAUSED'])).check(
        z.describe('`NO_QUEUE`: there is no queue. `PAUSED`: it accepts no requests.'),
      ),
    ),
  });

const marketRoute = () =>
  z.object({
    route: z
      .literal('market')
      .check(
        z.describe('A sale on an exchange: one transaction, paid at once in WAVAX, or in sAVAX if `sAvax` is given.'),
      ),
    available: available(),
    dex: z.optional(text('Code of the exchange that pays most.')),
    pool: z.optional(address('Address of the pool.')),
    avax: z.optional(
      tokens('AVAX', "What the sale of the whole amount pays at this block, by the pool's own maths, fees included."),
    ),
    sAvax: z.optional(
      tokens(
        'sAVAX',
        "What the sale pays, if that is BENQI's staked AVAX: `avax` is then what it is worth by its own rate (`getPooledAvaxByShares`) at this block. Turning it into AVAX takes another sale, or about two weeks at BENQI. Omitted for a sale that pays WAVAX.",
      ),
    ),
    discountPercent: z.optional(
      percent('What is missing from the value at the redemption rate. Negative if the market pays more.'),
    ),
    asked: z
      .array(text('Code of an exchange.'))
      .check(z.describe('The exchanges whose pools were asked for an offer. ggAVAX may be traded elsewhere, too.')),
    reason: z.optional(
      model('MarketRouteRefusal', z.enum(['NO_POOL', 'NO_LIQUIDITY', 'NO_RATE'])).check(
        z.describe(
          '`NO_POOL`: no pool of these exchanges trades ggAVAX. `NO_LIQUIDITY`: none can take that much. `NO_RATE`: an offer in sAVAX was left out, because its contract does not tell what it is worth; the route may be available all the same.',
        ),
      ),
    ),
  });

export const routesSchema = () =>
  z
    .array(
      z.discriminatedUnion('route', [
        model('RedeemRoute', redeemRoute()),
        model('QueueRoute', queueRoute()),
        model('MarketRoute', marketRoute()),
      ]),
    )
    .check(
      z.describe(
        'Ways to turn the amount into AVAX, the best first: those that are available now, and of these the one that pays most; a queue with overdue requests comes after the others. A way about which the chain gives no clear answer is omitted. Empty for an amount of 0, and for more ggAVAX than there is.',
      ),
    );

export function routeBody(route: WithdrawalRoute) {
  switch (route.route) {
    case 'redeem':
      return redeemBody(route);
    case 'queue':
      return queueBody(route);
    case 'market':
      return marketBody(route);
  }
}

function redeemBody({ route, available, shares, assets, refusal }: RedeemRoute) {
  return { route, available, ggAvax: formatAmount(shares), avax: formatAmount(assets), reason: refusal };
}

function queueBody({ route, available, assets, claimableTime, expirationTime, service, refusal }: QueueRoute) {
  const avax = formatAmount(assets);
  return { route, available, avax, claimableTime, expirationTime, service: queueServiceBody(service), reason: refusal };
}

function marketBody({ route, available, best, discount, asked, refusal }: MarketRoute) {
  return {
    route,
    available,
    dex: best?.pool.exchange,
    pool: ifKnown(getAddress, best?.pool.address),
    avax: formatAmount(best?.assets),
    sAvax: formatAmount(best?.sAvax),
    discountPercent: percentFrom(discount),
    asked,
    reason: refusal,
  };
}
