/** The fields of redemptions of ggAVAX without the withdrawal queue, in responses. */

import * as z from 'zod/mini';
import { type PoolRedemption, REDEMPTION_REFUSALS, type Redemption } from '../../contracts/redemption.ts';
import { fields, json, object, unit } from '../fields.ts';
import { model } from '../schemas.ts';
import { avax, flag, ggAvax } from '../units.ts';

export const REFUSED =
  '`CLOSED`: the token lets only certain accounts redeem. `PAUSED`: it is paused, and its pause stops redemptions. `NO_LIQUIDITY`: all of the pool’s AVAX is staked.';

/** The field with the reason of a refusal. */
const reason = (meaning: string) =>
  json(
    () => z.optional(model('RedemptionRefusal', z.enum(REDEMPTION_REFUSALS))).check(z.describe(meaning)),
    ({ refusal }: Pick<Redemption, 'refusal'>) => refusal,
  );

/** The redemption that the pool allows to every holder. */
export const poolRedemption = object(
  'PoolRedemption',
  fields<PoolRedemption>()({
    open: flag.optional(
      'Whether every holder can redeem ggAVAX for AVAX now, with one transaction: `redeemAVAX(shares)` on the token. Found by running it without effect, not from the version of the contract. Omitted if the answer is not understood.',
      ({ open }) => open,
    ),
    availableAVAX: avax.optional(
      'AVAX that redemptions can take out of the pool at this block, in total: the smaller of its WAVAX and `totalReleasedAssets`. 0 while it is not open.',
      ({ open, liquid }) => (open === false ? 0n : liquid),
    ),
    reason: reason('Why it is not open. Omitted if it is.'),
  }),
);

const largest = object(
  'Redemption',
  fields<Redemption>()({
    open: flag.optional(
      'Whether this address can redeem at all. Omitted if only a lack of liquidity is known.',
      ({ open }) => open,
    ),
    ggAvax: ggAvax(
      'The most ggAVAX that this address can redeem at once: an argument of `redeemAVAX`.',
      ({ shares }) => shares,
    ),
    avax: avax('What this redemption pays at this block, to the wei.', ({ assets }) => assets),
    reason: reason(`Why nothing can be redeemed. ${REFUSED} \`NO_BALANCE\`: the address has no ggAVAX.`),
  }),
);

/** The largest redemption of one address. */
export const redemption = unit(
  () =>
    largest.schema(
      'The largest redemption that succeeds for this address now: `redeemAVAX(ggAvax)` on the token, sent by the address itself. Found by running it without effect at this block. Omitted if it could not be run.',
    ),
  largest.json,
);
