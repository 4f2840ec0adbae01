/** How ggAVAX can be redeemed without the withdrawal queue, in responses. */

import * as z from 'zod/mini';
import { type PoolRedemption, REDEMPTION_REFUSALS, type Redemption } from '../../contracts/redemption.ts';
import { formatAmount } from '../../values/amounts.ts';
import { flag, model, tokens } from '../schemas.ts';

export const REFUSED =
  '`CLOSED`: the token lets only certain accounts redeem. `PAUSED`: it is paused, and its pause stops redemptions. `NO_LIQUIDITY`: all of the pool’s AVAX is staked.';

const refusalSchema = () => model('RedemptionRefusal', z.enum(REDEMPTION_REFUSALS));

export const poolRedemptionSchema = () =>
  model(
    'PoolRedemption',
    z.object({
      open: z.optional(
        flag(
          'Whether every holder can redeem ggAVAX for AVAX now, with one transaction: `redeemAVAX(shares)` on the token. Found by running it without effect, not from the version of the contract. Omitted if the answer is not understood.',
        ),
      ),
      availableAVAX: z.optional(
        tokens(
          'AVAX',
          'AVAX that redemptions can take out of the pool at this block, in total: the smaller of its WAVAX and `totalReleasedAssets`. 0 while it is not open.',
        ),
      ),
      reason: z.optional(refusalSchema()).check(z.describe('Why it is not open. Omitted if it is.')),
    }),
  ).check(z.describe('Redemption without the withdrawal queue.'));

export function poolRedemptionBody({ open, liquid, refusal }: PoolRedemption) {
  return { open, availableAVAX: open === false ? '0' : formatAmount(liquid), reason: refusal };
}

export const redemptionSchema = () =>
  model(
    'Redemption',
    z.object({
      open: z.optional(flag('Whether this address can redeem at all. Omitted if only a lack of liquidity is known.')),
      ggAvax: tokens('ggAVAX', 'The most ggAVAX that this address can redeem at once: an argument of `redeemAVAX`.'),
      avax: tokens('AVAX', 'What this redemption pays at this block, to the wei.'),
      reason: z
        .optional(refusalSchema())
        .check(z.describe(`Why nothing can be redeemed. ${REFUSED} \`NO_BALANCE\`: the address has no ggAVAX.`)),
    }),
  ).check(
    z.describe(
      'The largest redemption that succeeds for this address now: `redeemAVAX(ggAvax)` on the token, sent by the address itself. Found by running it without effect at this block. Omitted if it could not be run.',
    ),
  );

export function redemptionBody({ open, shares, assets, refusal }: Redemption) {
  return { open, ggAvax: formatAmount(shares), avax: formatAmount(assets), reason: refusal };
}
