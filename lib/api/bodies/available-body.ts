/** How what an address can take out looks in responses. */

import { getAddress, isAddress } from 'ethers';
import * as z from 'zod/mini';
import { TOKENS } from '../../contracts/other-holdings.ts';
import { ACTIONS, type WayOut } from '../../protocol/ways-out.ts';
import { choice, fields, json, list, object } from '../fields.ts';
import { address, decimal, text } from '../units.ts';

/** What each of {@link ACTIONS} takes out. */
const MEANINGS: Record<WayOut['what'], string> = {
  redeem: 'ggAVAX for AVAX',
  claimUnstake: 'the AVAX of a fulfilled withdrawal request',
  reclaimExpired: 'the ggAVAX of an expired request',
  cancelUnstake:
    'the ggAVAX of a request that is waiting: as much as the promised AVAX buys now, while its growth since the request is burned; or of one that has AVAX and is not due yet: what this AVAX buys',
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

type Step = WayOut['steps'][0];

const call = <Source>(which: string, stepOf: (source: Source) => Step) => ({
  contract: address(`Contract to call, ${which}.`, (source: Source) => stepOf(source).contract),
  function: text('Function to call.', (source: Source) => stepOf(source).signature),
  arguments: json(
    () => z.array(z.string()).check(z.describe('Its arguments; amounts in the smallest unit, node IDs as 0x-hex.')),
    (source: Source) => stepOf(source).args.map(argumentText),
  ),
});

const way = (which: string) => ({
  what: choice('AvailableWay', ACTIONS)(
    `${ACTIONS.map((way) => `\`${way}\`: ${MEANINGS[way]}`).join('. ')}.`,
    ({ what }: WayOut) => what,
  ),
  amount: decimal('What it pays, all steps together. Exact decimal string.', ({ amount }: WayOut) => amount),
  token: token('', ({ token }: WayOut) => token),
  ...call(which, ({ steps }: WayOut) => steps[0]),
});

const step = object('AvailableStep', fields<Step>()(call('from the address itself', (step: Step) => step)));
const alternative = object('AvailableAlternative', fields<WayOut>()(way('from the address itself')));
export const available = object(
  'AvailableFunds',
  fields<WayOut>()({
    ...way('of `steps`, the first one'),
    steps: list(step).optional(
      'All transactions that it takes, in this order, if it takes more than one. Their amounts are those of this block.',
      ({ steps }) => (steps.length > 1 ? steps : undefined),
    ),
    alternative: alternative.optional(
      'What can be done instead with the same funds, which is not to be added to `amount`: a request that has AVAX can be canceled, too, until its `claimableTime`.',
      ({ alternative }) => alternative,
    ),
  }),
);

function argumentText(argument: bigint | number | string): string {
  return isAddress(argument) ? getAddress(argument) : String(argument);
}
