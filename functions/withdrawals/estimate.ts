import * as z from 'zod/mini';
import { poolRedemption } from '../../lib/api/bodies/redemption-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { amountParam } from '../../lib/api/params.ts';
import { avax, block, flag, ggAvax, integer, unixTime } from '../../lib/api/units.ts';
import { readCurrent } from '../../lib/protocol/overview.ts';
import { readWithdrawals } from '../../lib/protocol/withdrawals.ts';
import { convertToAssets, previewWithdraw } from '../../lib/rewards/gg-avax-shares.ts';
import { SUPPLY_CAP_WEI } from '../../lib/rewards/validation-reward.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { ifKnown, unlessReverted } from '../../lib/runtime/if-known.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { min } from '../../lib/values/wad.ts';

const oneAmount = z.check<{ ggAvax?: unknown; avax?: unknown }>(({ value: { ggAvax, avax }, issues }) => {
  const message = 'or avax must be given, but not both';
  if ((ggAvax === undefined) === (avax === undefined)) {
    issues.push({ code: 'custom', path: ['ggAvax'], message, input: ggAvax });
  }
});

const response = () =>
  z.object({
    ggAvax: ggAvax.schema('Shares to hand to the queue. For `avax`, the smallest amount worth at least that much.'),
    avax: avax.schema('AVAX that the queue would promise: `convertToAssets` at this block, fixed by the request.'),
    instantAVAX: avax.schema(
      'Part of `avax` that the pool could pay now from unstaked AVAX, after all pending requests. Rewards of the current stream are available from the next sync.',
    ),
    ahead: z
      .object({
        requests: integer.schema('Number of pending requests, including expired ones.'),
        avax: avax.schema('AVAX promised to the pending requests.'),
      })
      .check(z.describe('Requests served first.')),
    claimableTime: z.optional(
      unixTime.schema('Time of the block + `unstakeDelay`. Payment is not guaranteed. Omitted without a queue.'),
    ),
    expirationTime: z.optional(
      unixTime.schema('Expiry of the request with `maxExpirationDelay`. Omitted without a queue.'),
    ),
    paused: z.optional(
      flag.schema('`true` while the queue is paused and accepts no requests. Omitted without a queue.'),
    ),
    redemption: poolRedemption.schema('Redemption without the queue: one transaction, paid at once.'),
    block: block().schema(),
  });

export const withdrawalsEstimate = defineEndpoint({
  path: '/withdrawals/estimate',
  tag: 'ggAVAX',
  summary: 'Withdrawal estimate',
  description:
    'The promise of the withdrawal queue for an amount at this block. Check `redemption` first: it pays at once. Pass either `ggAvax` or `avax`. The announced end of withdrawals is in `/flags/windDown`.',
  freshSeconds: 30,
  shared: true,
  reads: ['ledger'],
  input: z
    .object({
      ggAvax: z.optional(
        amountParam(SUPPLY_CAP_WEI, 'Amount to withdraw, in whole ggAVAX (not wei). Required unless `avax` is given.'),
      ),
      avax: z.optional(
        amountParam(SUPPLY_CAP_WEI, 'AVAX to receive, in whole AVAX (not wei). Required unless `ggAvax` is given.'),
      ),
    })
    .check(oneAmount),
  response,
  exampleRequest: '/withdrawals/estimate?ggAvax=100',
  notFound: ['NO_VALUE'],
  async handle({ ggAvax, avax }, context) {
    const reading = readCurrent(await context.chain.latest());
    const [withdrawals, { redemption }] = await Promise.all([readWithdrawals(context, reading), reading]);
    const { pool, pendingAVAX = 0n, queue, block } = withdrawals;
    if (!pool) throw new ApiError('UPSTREAM_UNAVAILABLE', 'The liquid staking pool does not answer.');
    const shares = ggAvax ?? unlessReverted(() => previewWithdraw(avax as bigint, pool));
    if (shares === undefined) throw new ApiError('NO_VALUE', 'The liquid staking pool has no AVAX.');
    const promised = convertToAssets(shares, pool);
    const claimableTime = ifKnown((delay) => block.timestamp + Number(delay), queue.unstakeDelay);
    return {
      ggAvax: formatAmount(shares),
      avax: formatAmount(promised),
      instantAVAX: formatAmount(payableNow(promised, pool.leftAssets)),
      ahead: { requests: Number(queue.pendingRequests ?? 0n), avax: formatAmount(pendingAVAX) },
      claimableTime,
      expirationTime: ifKnown((time, delay) => time + Number(delay), claimableTime, queue.maxExpirationDelay),
      paused: queue.paused,
      redemption: poolRedemption.json(redemption),
      block,
    };
  },
});

/** The part of an amount that is available. `left` is negative if the requests ahead need more than there is. */
function payableNow(amount: bigint, left: bigint): bigint {
  return left > 0n ? min(left, amount) : 0n;
}

export const handler = /* @__PURE__ */ createHandler(withdrawalsEstimate);
