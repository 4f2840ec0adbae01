import { getAddress, isAddress } from 'ethers';
import { TOKENS } from '../../contracts/other-holdings.ts';
import { encodeCall, type Transaction } from '../../contracts/simulate.ts';
import { CLAIM_KINDS, type ClaimKind, CONDITIONS, claimDetail, claimTitle } from '../../protocol/claim-kinds.ts';
import type { Claim } from '../../protocol/claims.ts';
import { choice, list, object } from '../fields.ts';
import { address, decimal, integer, nodeID, text, unixTime } from '../units.ts';

export const token = choice('TokenName', TOKENS);
const KINDS = Object.keys(CLAIM_KINDS) as ClaimKind[];
const CONDITION_NAMES = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

const call = object<Transaction>('Call')({
  contract: address('Contract to call.'),
  function: text('Function to call.', ({ signature }) => signature),
  arguments: list(text)('Arguments: amounts in the smallest unit, node IDs as 0x-hex.', ({ args }) =>
    args.map((each) => (isAddress(each) ? getAddress(each) : String(each))),
  ),
  data: text('The call as calldata, 0x-hex.', encodeCall),
  value: text('AVAX wei to send: always `0`.', () => '0'),
  chainId: integer('EIP-155 chain ID.'),
});

const claim = object<Claim>('Claim')({
  what: choice('ClaimKind', KINDS)(`${KINDS.map((kind) => `\`${kind}\`: ${CLAIM_KINDS[kind].meaning}`).join('. ')}.`),
  title: text('The claim in a few words, with the number of the request or the node.', claimTitle),
  detail: text('What to expect, in one or two sentences.', claimDetail),
  token: token(),
  amount: decimal.optional(
    'Amount payable at this block; for a validating minipool, without its reward. Omitted if it depends on later events. Exact decimal string.',
  ),
  from: unixTime.optional(
    'Earliest time: the end of a moratorium, lock or minipool cycle, the expiration of a request, or `claimableTime` (`claimUnstake`). Omitted if no time applies.',
  ),
  until: unixTime.optional('From this time on, it cannot be claimed. Omitted without a limit.'),
  plannedEnd: unixTime.optional('End for which a validating minipool was created. It may end with an earlier cycle.'),
  requires: choice('ClaimCondition', CONDITION_NAMES).optional(
    `Required event. ${CONDITION_NAMES.map((name) => `\`${name}\`: ${CONDITIONS[name]}`).join('. ')}. Omitted if only time must pass.`,
  ),
  nodeID: nodeID.optional('Node of the minipool. Minipools only.'),
  nodeIDHex: text.optional('Node ID as 20 bytes in 0x-hex. Minipools only.', ({ nodeID }) => nodeID),
  requestId: integer.optional('ID of the withdrawal request. Requests only.'),
  lockId: address.optional('`id` of the entry of `locked`. Locks only.'),
  call: call.optional('Transaction, to be sent by the address itself. `availableNow` only.'),
});

export const claims = list(claim);
