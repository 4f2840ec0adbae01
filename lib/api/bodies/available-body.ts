/** The fields of funds that an address can take out, now and later. */

import { getAddress, isAddress } from 'ethers';
import * as z from 'zod/mini';
import { TOKENS } from '../../contracts/other-holdings.ts';
import { encodeCall } from '../../contracts/simulate.ts';
import { CONDITIONS, type WayLater } from '../../protocol/ways-later.ts';
import { ACTIONS, type Action, type Subject, type WayOut } from '../../protocol/ways-out.ts';
import { formatNodeID } from '../../values/cb58.ts';
import { choice, fields, json, list, object } from '../fields.ts';
import { address, decimal, integer, nodeID, text, unixTime } from '../units.ts';

/** The funds that each of {@link ACTIONS} takes out. */
const MEANINGS: Record<Action, string> = {
  redeem: 'ggAVAX for AVAX',
  claimUnstake: 'AVAX of a fulfilled withdrawal request',
  reclaimExpired: 'ggAVAX of an expired request',
  cancelUnstake:
    'ggAVAX of a pending request (as much as the promised AVAX buys now; the yield since the request is burned), or of a fulfilled one before its `claimableTime` (as much as its AVAX buys)',
  withdrawMinipool: 'AVAX of an ended or failed minipool',
  cancelMinipool: 'AVAX of a minipool that was never launched',
  claimRewards: 'GGP rewards',
  withdrawGgp: 'GGP stake',
  withdrawPstAvax: 'pstAVAX for ggAVAX',
  redeemXGgp: 'xGGP shares for GGP, as far as the vault has GGP',
  redeemXAvax: 'xAVAX shares for AVAX, as far as the vault has AVAX',
  withdrawLocked: 'tokens of an ended lock',
};

export const token = choice('TokenName', TOKENS);

/** The events of {@link CONDITIONS}. */
const CONDITION_MEANINGS: Record<NonNullable<WayLater['after']>, string> = {
  minipoolEnded: "the protocol's multisig has ended the minipool (its owner cannot)",
  noMinipoolLeft: 'no minipool of the address is `prelaunch`, `launched` or `staking`',
  requestFulfilled: 'the queue has received AVAX for this request; payment is not guaranteed',
  depositsOpen: 'ggAVAX accepts deposits again',
};

type Step = WayOut['steps'][0];

const call = <Source>(which: string, stepOf: (source: Source) => Step) => ({
  contract: address(`Contract to call, ${which}.`, (source: Source) => stepOf(source).contract),
  function: text('Function to call.', (source: Source) => stepOf(source).signature),
  arguments: json(
    () => z.array(z.string()).check(z.describe('Arguments: amounts in the smallest unit, node IDs as 0x-hex.')),
    (source: Source) => stepOf(source).args.map(argumentText),
  ),
  data: text('The call as calldata, 0x-hex.', (source: Source) => encodeCall(stepOf(source))),
  value: text('AVAX wei to send: always `0`.', () => '0'),
  chainId: integer('EIP-155 chain ID.', (source: Source) => stepOf(source).chainId),
});

const ACTION_MEANING = `${ACTIONS.map((action) => `\`${action}\`: ${MEANINGS[action]}`).join('. ')}.`;
const action = choice('AvailableWay', ACTIONS);

/** The record that an entry is about. */
const SUBJECT = {
  nodeID: json(
    () => z.optional(nodeID.schema('Node of the minipool. Minipools only.')),
    ({ nodeID }: Subject) => nodeID && formatNodeID(nodeID),
  ),
  requestId: integer.optional('ID of the withdrawal request. Requests only.', ({ requestId }: Subject) => requestId),
  lockId: address.optional('`id` of the entry of `locked`. Locks only.', ({ lockId }: Subject) => lockId),
};

const way = (which: string) => ({
  what: action(ACTION_MEANING, ({ what }: WayOut) => what),
  amount: decimal('Amount paid by all steps together. Exact decimal string.', ({ amount }: WayOut) => amount),
  token: token('', ({ token }: WayOut) => token),
  ...call(which, ({ steps }: WayOut) => steps[0]),
});

const step = object('AvailableStep', fields<Step>()(call('from the address itself', (step: Step) => step)));
const alternative = object(
  'AvailableAlternative',
  fields<WayOut>()({ ...way('from the address itself'), requestId: SUBJECT.requestId }),
);
export const available = object(
  'AvailableFunds',
  fields<WayOut>()({
    ...way('of `steps`, the first one'),
    ...SUBJECT,
    steps: list(step).optional(
      'All transactions in order, if more than one is needed. Amounts are those of this block.',
      ({ steps }) => (steps.length > 1 ? steps : undefined),
    ),
    alternative: alternative.optional(
      'Another use of the same funds, not in addition to `amount`: a fulfilled request can be canceled until its `claimableTime`.',
      ({ alternative }) => alternative,
    ),
  }),
);

export const availableLater = object(
  'LaterFunds',
  fields<WayLater>()({
    what: action('As in `availableNow`.', ({ what }) => what),
    token: token('', ({ token }) => token),
    amount: decimal.optional(
      'Amount payable as of this block; for a validating minipool, without its reward. Omitted if unknown. Exact decimal string.',
      ({ amount }) => amount,
    ),
    from: unixTime.optional(
      'Earliest time: the end of a moratorium, lock or minipool cycle, the expiration of a request, or `claimableTime` (`claimUnstake`). Omitted if no time applies.',
      ({ from }) => from,
    ),
    after: choice('LaterCondition', CONDITIONS).optional(
      `Required event. ${CONDITIONS.map((name) => `\`${name}\`: ${CONDITION_MEANINGS[name]}`).join('. ')}. Omitted if only time must pass.`,
      ({ after }) => after,
    ),
    ...SUBJECT,
  }),
);

function argumentText(argument: bigint | number | string): string {
  return isAddress(argument) ? getAddress(argument) : String(argument);
}
