/** The fields of funds that an address can take out, now and later. */

import { getAddress, isAddress } from 'ethers';
import * as z from 'zod/mini';
import { TOKENS } from '../../contracts/other-holdings.ts';
import { encodeCall } from '../../contracts/simulate.ts';
import { CONDITIONS, type WayLater } from '../../protocol/ways-later.ts';
import { ACTIONS, type Action, type Subject, type WayOut } from '../../protocol/ways-out.ts';
import { formatNodeID } from '../../values/cb58.ts';
import { choice, fields, json, list, object } from '../fields.ts';
import * as schemas from '../schemas.ts';
import { address, decimal, integer, text, unixTime } from '../units.ts';

/** The funds that each of {@link ACTIONS} takes out. */
const MEANINGS: Record<Action, string> = {
  redeem: 'ggAVAX for AVAX',
  claimUnstake: 'the AVAX of a fulfilled withdrawal request',
  reclaimExpired: 'the ggAVAX of an expired request',
  cancelUnstake:
    'the ggAVAX of a pending request: as much as the promised AVAX buys now, while its growth since the request is burned; or of a fulfilled one that is not due yet: what its AVAX buys',
  withdrawMinipool: 'the AVAX of a minipool that has ended or failed',
  cancelMinipool: 'the AVAX of a minipool that was never launched',
  claimRewards: 'GGP rewards',
  withdrawGgp: 'GGP stake',
  withdrawPstAvax: 'pstAVAX for ggAVAX',
  redeemXGgp: 'shares of xGGP for GGP, as far as the vault has any',
  redeemXAvax: 'shares of xAVAX for AVAX, as far as the vault has any',
  withdrawLocked: 'a lock that has ended',
};

export const token = choice('TokenName', TOKENS);

/** The events of {@link CONDITIONS}. */
const CONDITION_MEANINGS: Record<NonNullable<WayLater['after']>, string> = {
  minipoolEnded: "the protocol's multisig has ended the minipool, which its owner cannot do",
  noMinipoolLeft: 'no minipool of the address is `prelaunch`, `launched` or `staking` any more',
  requestFulfilled: 'somebody has brought AVAX to the queue for this request: payment is not guaranteed',
  depositsOpen: 'ggAVAX accepts deposits again',
};

type Step = WayOut['steps'][0];

const call = <Source>(which: string, stepOf: (source: Source) => Step) => ({
  contract: address(`Contract to call, ${which}.`, (source: Source) => stepOf(source).contract),
  function: text('Function to call.', (source: Source) => stepOf(source).signature),
  arguments: json(
    () => z.array(z.string()).check(z.describe('Its arguments; amounts in the smallest unit, node IDs as 0x-hex.')),
    (source: Source) => stepOf(source).args.map(argumentText),
  ),
  data: text('The same call as calldata: 0x-hex, for a wallet.', (source: Source) => encodeCall(stepOf(source))),
  value: text('AVAX wei to send with the call: always `0`.', () => '0'),
  chainId: integer('EIP-155 chain ID to send it on.', (source: Source) => stepOf(source).chainId),
});

const ACTION_MEANING = `${ACTIONS.map((action) => `\`${action}\`: ${MEANINGS[action]}`).join('. ')}.`;
const action = choice('AvailableWay', ACTIONS);

/** The record that an entry is about. */
const SUBJECT = {
  nodeID: json(
    () => z.optional(schemas.nodeID().check(z.describe('Node of the minipool. Only for minipools.'))),
    ({ nodeID }: Subject) => nodeID && formatNodeID(nodeID),
  ),
  requestId: integer.optional(
    'ID of the withdrawal request. Only for requests.',
    ({ requestId }: Subject) => requestId,
  ),
  lockId: address.optional('`id` of the entry of `locked`. Only for locks.', ({ lockId }: Subject) => lockId),
};

const way = (which: string) => ({
  what: action(ACTION_MEANING, ({ what }: WayOut) => what),
  amount: decimal('What it pays, all steps together. Exact decimal string.', ({ amount }: WayOut) => amount),
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
      'All transactions that it takes, in this order, if it takes more than one. Their amounts are those of this block.',
      ({ steps }) => (steps.length > 1 ? steps : undefined),
    ),
    alternative: alternative.optional(
      'What can be done instead with the same funds, which is not to be added to `amount`: a fulfilled request can be canceled, too, until its `claimableTime`.',
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
      'What it would pay as of this block; of a minipool that validates, without its reward. Omitted if that is not known. Exact decimal string.',
      ({ amount }) => amount,
    ),
    from: unixTime.optional(
      'Earliest time: the end of a moratorium, of a lock, or of the running cycle of a minipool, the expiration of a request or, for `claimUnstake`, its `claimableTime`. Omitted if no time stands in the way.',
      ({ from }) => from,
    ),
    after: choice('LaterCondition', CONDITIONS).optional(
      `What has to happen first. ${CONDITIONS.map((name) => `\`${name}\`: ${CONDITION_MEANINGS[name]}`).join('. ')}. Omitted if nothing but time has to pass.`,
      ({ after }) => after,
    ),
    ...SUBJECT,
  }),
);

function argumentText(argument: bigint | number | string): string {
  return isAddress(argument) ? getAddress(argument) : String(argument);
}
