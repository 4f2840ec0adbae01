import * as z from 'zod/mini';
import { formatAmount } from '../../lib/amounts.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { ifKnown, unlessReverted } from '../../lib/known.ts';
import { amountParam } from '../../lib/params.ts';
import { withdrawalsDataset } from '../../lib/protocol/withdrawals.ts';
import { convertToAssets, previewWithdraw } from '../../lib/rewards/gg-avax.ts';
import { WAD } from '../../lib/rewards/wad.ts';
import { blockRef, flag, integer, tokens, unixTime } from '../../lib/schemas.ts';

/** There will never be more AVAX. */
const MAX_AMOUNT = 720_000_000n * WAD;

const response = () =>
  z.object({
    ggAvax: tokens('ggAVAX', 'What would be handed in; for `avax`, the least that brings it.'),
    avax: tokens('AVAX', 'What the queue would promise for it: `convertToAssets` at this block, fixed from then on.'),
    instantAVAX: tokens(
      'AVAX',
      'How much of it the pool could pay at once from what is not staked, once the requests ahead are served with all shares that they handed in. Nothing of a stream before the next sync.',
    ),
    ahead: z
      .object({ requests: integer('Pending requests.'), avax: tokens('AVAX', 'What they expect in all.') })
      .check(z.describe('What would be served first.')),
    claimableTime: z.optional(unixTime('When it should be claimable: the block’s time + unstakeDelay.')),
    expirationTime: z.optional(
      unixTime('From when on it could no longer be claimed, with the longest delay a request may ask for.'),
    ),
    paused: z.optional(flag('Whether the queue is paused, and takes no requests.')),
    block: blockRef(),
  });

export const withdrawalsEstimate = defineEndpoint({
  path: '/withdrawals/estimate',
  tag: 'ggAVAX',
  summary: 'What the withdrawal queue would promise now',
  description:
    'What a request made at this block would bring, and when. Give the amount as ggAVAX or as AVAX. Times are left out where there is no queue.',
  freshSeconds: 30,
  shared: false,
  input: z.object({
    ggAvax: z.optional(amountParam(MAX_AMOUNT, 'What is handed in; this or `avax`. Whole ggAVAX, not wei.')),
    avax: z.optional(amountParam(MAX_AMOUNT, 'What it shall bring; this or `ggAvax`. Whole AVAX, not wei.')),
  }),
  response,
  exampleRequest: '/withdrawals/estimate?ggAvax=100',
  example: {
    ggAvax: '100',
    avax: '119.643981786406244',
    instantAVAX: '119.643981786406244',
    ahead: { requests: 14, avax: '1250.5' },
    claimableTime: 1_790_454_328,
    expirationTime: 1_795_638_328,
    paused: false,
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle({ ggAvax, avax }, context) {
    if ((ggAvax === undefined) === (avax === undefined)) throw notOneAmount();
    const { pool, pendingAVAX = 0n, queue, block } = await context.dataset(withdrawalsDataset);
    if (!pool) throw new ApiError('UPSTREAM_UNAVAILABLE', 'The liquid staking pool does not answer.');
    const shares = ggAvax ?? unlessReverted(() => previewWithdraw(avax as bigint, pool));
    if (shares === undefined) throw new ApiError('UPSTREAM_UNAVAILABLE', 'The liquid staking pool has no AVAX.');
    const promised = convertToAssets(shares, pool);
    const claimableTime = ifKnown((delay) => block.timestamp + Number(delay), queue.unstakeDelay);
    return {
      ggAvax: formatAmount(shares),
      avax: formatAmount(promised),
      instantAVAX: formatAmount(atHand(promised, pool.leftAssets)),
      ahead: { requests: Number(queue.getPendingRequestsCount ?? 0n), avax: formatAmount(pendingAVAX) },
      claimableTime,
      expirationTime: ifKnown((time, delay) => time + Number(delay), claimableTime, queue.maxExpirationDelay),
      paused: queue.paused,
      block,
    };
  },
});

/** What of an amount is at hand; `left` is below 0 where more is asked for than there is. */
function atHand(amount: bigint, left: bigint): bigint {
  if (left <= 0n) return 0n;
  return left < amount ? left : amount;
}

function notOneAmount(): ApiError {
  const message = 'either ggAvax or avax must be given, and not both';
  return new ApiError('INVALID_REQUEST', `${message}.`, {
    errors: ['ggAvax', 'avax'].map((parameter) => ({ parameter, message })),
  });
}

export const handler = createHandler(withdrawalsEstimate);
