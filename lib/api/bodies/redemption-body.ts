import { type PoolRedemption, REDEMPTION_REFUSALS, type Redemption } from '../../contracts/redemption.ts';
import { choice, object } from '../fields.ts';
import { avax, flag, ggAvax, text } from '../units.ts';

const REASONS = Object.keys(REDEMPTION_REFUSALS) as (keyof typeof REDEMPTION_REFUSALS)[];
const { fields: refused } = object<Pick<Redemption, 'refusal'>>()({
  reason: choice('RedemptionRefusal', REASONS).optional('Reason if nothing can be redeemed.', ({ refusal }) => refusal),
  detail: text.optional(
    `The reason in words. ${REASONS.map((name) => `\`${name}\`: ${REDEMPTION_REFUSALS[name]}`).join(' ')}`,
    ({ refusal }) => refusal && REDEMPTION_REFUSALS[refusal],
  ),
});

export const poolRedemption = object<PoolRedemption>('PoolRedemption')({
  open: flag.optional(
    'Whether every holder can redeem ggAVAX for AVAX now, in one transaction: `redeemAVAX(shares)`, by simulation. Omitted if the result is unclear.',
  ),
  availableAVAX: avax.optional(
    "AVAX that all redemptions together can take at this block: the smaller of the pool's WAVAX and `totalReleasedAssets`. 0 if not open.",
    ({ open, liquid }) => (open === false ? 0n : liquid),
  ),
  ...refused,
});

export const redemption = object<Redemption>(
  'Redemption',
  'Largest redemption that succeeds for this address at this block, by simulation: `redeemAVAX(ggAvax)`, sent by the address itself. Omitted if it could not be simulated.',
)({
  open: flag.optional('True if this address may redeem. Omitted if only a lack of liquidity is known.'),
  ggAvax: ggAvax('Maximum ggAVAX to redeem at once: the argument of `redeemAVAX`.', ({ shares }) => shares),
  avax: avax('AVAX that it pays at this block, to the wei.', ({ assets }) => assets),
  ...refused,
});
