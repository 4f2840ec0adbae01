import * as z from 'zod/mini';
import { poolRedemption } from '../../lib/api/bodies/redemption-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { amountParam } from '../../lib/api/params.ts';
import { avax, block, flag, ggAvax, integer, unixTime } from '../../lib/api/units.ts';
import type { PoolRedemption } from '../../lib/contracts/redemption.ts';
import { readCurrent } from '../../lib/protocol/protocol.ts';
import { readWithdrawals, type Withdrawals } from '../../lib/protocol/withdrawals.ts';
import { convertToAssets, previewWithdraw } from '../../lib/rewards/gg-avax-shares.ts';
import { SUPPLY_CAP_WEI } from '../../lib/rewards/validation-reward.ts';
import { ApiError, badParameter } from '../../lib/runtime/errors.ts';
import { ifKnown, unlessReverted } from '../../lib/runtime/if-known.ts';
import { min } from '../../lib/values/wad.ts';

interface Estimate extends Pick<Withdrawals, 'queue' | 'pendingAVAX' | 'block'> {
  /** ggAVAX and AVAX wei. */
  ggAvax: bigint;
  avax: bigint;
  /** AVAX wei that is left after all pending requests; negative if they need more than there is. */
  left: bigint;
  claimableTime: number | undefined;
  redemption: PoolRedemption;
}

const ahead = object<Estimate>()({
  requests: integer('Pending requests, including expired ones.', ({ queue }) => queue.pendingRequestsCount ?? 0n),
  avax: avax('AVAX promised to the pending requests.', ({ pendingAVAX }) => pendingAVAX ?? 0n),
});

const ESTIMATE = object<Estimate>()({
  ggAvax: ggAvax('Shares to hand to the queue. For `avax`, the smallest amount worth at least that much.'),
  avax: avax('AVAX that the queue would promise: `convertToAssets` at this block, fixed by the request.'),
  instantAVAX: avax(
    'Part of `avax` that the pool could pay now from unstaked AVAX, after all pending requests. Rewards of the current stream are available from the next sync.',
    ({ avax, left }) => (left > 0n ? min(left, avax) : 0n),
  ),
  ahead: ahead('Requests served first.', (estimate) => estimate),
  claimableTime: unixTime.optional('Time of the block + `unstakeDelay`: no guarantee. Omitted without a queue.'),
  expirationTime: unixTime.optional(
    'Expiry of the request with `maxExpirationDelay`. Omitted without a queue.',
    ({ claimableTime, queue }) =>
      ifKnown((time: number, delay: bigint) => time + Number(delay), claimableTime, queue.maxExpirationDelay),
  ),
  paused: flag.optional(
    'True while the queue accepts no requests. Omitted without a queue.',
    ({ queue }) => queue.paused,
  ),
  redemption: poolRedemption('Redemption without the queue: one transaction, paid at once.'),
  block: block(),
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
  params: {
    ggAvax: z.optional(amountParam(SUPPLY_CAP_WEI, 'ggAVAX to withdraw. Required unless `avax` is given.')),
    avax: z.optional(amountParam(SUPPLY_CAP_WEI, 'AVAX to receive. Required unless `ggAvax` is given.')),
  },
  normalizeInput(input) {
    if ((input.ggAvax === undefined) === (input.avax === undefined))
      throw badParameter('ggAvax', 'or avax must be given, but not both');
    return input;
  },
  body: ESTIMATE,
  exampleRequest: '/withdrawals/estimate?ggAvax=100',
  notFound: ['NO_VALUE'],
  async handle({ ggAvax, avax }, context) {
    const reading = readCurrent(await context.chain.latest());
    const [withdrawals, { redemption }] = await Promise.all([readWithdrawals(context, reading), reading]);
    const { pool, pendingAVAX, queue, block } = withdrawals;
    if (!pool) throw new ApiError('UPSTREAM_UNAVAILABLE', 'The liquid staking pool does not answer.');
    const shares = ggAvax ?? unlessReverted(() => previewWithdraw(avax as bigint, pool));
    if (shares === undefined) throw new ApiError('NO_VALUE', 'The liquid staking pool has no AVAX.');
    return {
      ggAvax: shares,
      avax: convertToAssets(shares, pool),
      left: pool.leftAssets,
      claimableTime: ifKnown((delay) => block.timestamp + Number(delay), queue.unstakeDelay),
      ...{ queue, pendingAVAX, redemption, block },
    };
  },
});

export const handler = /* @__PURE__ */ createHandler(withdrawalsEstimate);
