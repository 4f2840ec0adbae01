import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { MINIPOOL_STATUSES, statusName } from '../../contracts/minipool-statuses.ts';
import { type Money, type PricesOfDay, valueAt } from '../../history/day-prices.ts';
import { ENTRY_TYPES, type Entry, type EntryType } from '../../ledger/ledger-entry.ts';
import type { Page } from '../../ledger/ledger-store.ts';
import { CURSOR } from '../../ledger/rows.ts';
import { formatAmount } from '../../values/amounts.ts';
import { formatNodeID } from '../../values/cb58.ts';
import { nextCursor } from '../lists.ts';
import { afterParam, choiceParam, choicesParam, cursorParam, integerParam, timeParam } from '../params.ts';
import { address, integer, model, nodeID, seconds, text, tokens, transactionHash, unixTime } from '../schemas.ts';
import { coverageSchema } from './coverage-body.ts';
import { distribution } from './distribution-body.ts';
import { incomeBody, incomeFields } from './income-body.ts';
import { asciiOf, hardwareProviderName, hardwareProviderSchema } from './minipool-body.ts';

/** How the ledger's entries look in responses: the events of the protocol's contracts, in the units of this API. */

const TYPES = Object.keys(ENTRY_TYPES) as EntryType[];

/** How a contract names what AVAX comes from or is for. */
const ownName = (what: string) =>
  text(`${what}, as the contract names it, such as \`MINIPOOL_SOURCE\` or \`DELEGATION\`; 0x-hex if that is not text.`);

const owner = () => z.optional(address('Owner of the minipool at this block.'));
const staker = () => address('Address of the staker.');
const requestId = () => integer('ID of the request.');
const requester = () => address('Address that owns the request and may claim it.');

/** The fields of each type, besides those that all types have. */
const FIELDS_OF = {
  ggpStaked: () => ({
    staker: staker(),
    amount: tokens('GGP', 'GGP staked, including GGP that a rewards claim restakes.'),
  }),
  ggpWithdrawn: () => ({ staker: staker(), amount: tokens('GGP', 'GGP withdrawn.') }),
  ggpRewardsClaimed: () => ({
    staker: staker(),
    amount: tokens('GGP', 'GGP paid out.'),
    restaked: tokens('GGP', 'GGP restaked in the same transaction, in addition to `amount`.'),
    ...incomeFields('`amount` and `restaked`'),
  }),
  ggpSlashed: () => ({ nodeID: nodeID(), owner: owner(), amount: tokens('GGP', "GGP taken from the owner's stake.") }),
  minipoolCreated: () => ({ nodeID: nodeID(), owner: owner() }),
  minipoolStatusChanged: () => ({
    nodeID: nodeID(),
    owner: owner(),
    status: model('MinipoolStatus', z.enum(MINIPOOL_STATUSES)).check(
      z.describe(
        'New status. Minipools withdrawn in 2023 and part of 2024 lack the change to `finished`, for which the contract had no event.',
      ),
    ),
    rewardAVAX: z.optional(
      tokens(
        'AVAX',
        "The operator's reward from the cycle that ended, compounded or to be withdrawn. Only if `status` is `withdrawable`; omitted, too, if the minipool was relaunched in the same block. The sum since the minipool was created or relaunched is its `avaxNodeOpLifetimeRewardAmt`.",
      ),
    ),
    ...incomeFields('`rewardAVAX`'),
  }),
  minipoolLaunched: () => ({
    nodeID: nodeID(),
    owner: owner(),
    hardwareProvider: hardwareProviderSchema(),
    duration: seconds('Total validation time requested.'),
  }),
  rewardsCycleStarted: () => ({
    number: integer('Number of the cycle.'),
    totalAmt: tokens('GGP', 'GGP minted at the start of the cycle. It pays for the time before.'),
    distribution: distribution.schema('`totalAmt` by claiming contract.'),
  }),
  ggAvaxDeposited: () => ({
    caller: address('Address that paid the AVAX.'),
    owner: address('Address that received the shares.'),
    assets: tokens('AVAX', 'AVAX deposited.'),
    shares: tokens('ggAVAX', 'Shares minted.'),
  }),
  ggAvaxWithdrawn: () => ({
    caller: address('Address that called the contract.'),
    receiver: address('Address that received the AVAX.'),
    owner: address('Address whose shares were burned: the withdrawal queue when it fulfills a request.'),
    assets: tokens('AVAX', 'AVAX paid out.'),
    shares: tokens('ggAVAX', 'Shares burned.'),
  }),
  ggAvaxTransferred: () => ({
    from: address(
      'Sender. The zero address when shares were minted without a deposit. A transfer of no shares proves nothing about it: anybody may make one from any address, to one that looks like a familiar one.',
    ),
    to: address('Recipient. The zero address can hold shares like any other.'),
    shares: tokens('ggAVAX', 'Shares transferred; 0 is possible.'),
    avaxPerGgAvax: tokens('AVAX', 'Redemption rate of one ggAVAX in the state of this block.'),
    assets: tokens('AVAX', 'Value of the shares in the state of this block.'),
  }),
  rewardsStreamed: () => ({
    rewardsAmt: tokens('AVAX', 'Rewards that the pool releases evenly until `cycleEnd`.'),
    cycleEnd: unixTime('End of the stream.'),
  }),
  yieldAdded: () => ({
    source: text(
      '`staking`: rewards from minipools and delegations, net of `fee`. `deposit`: yield from elsewhere, net of `fee`. `donation`: shares that `donor` burned.',
    ),
    origin: z.optional(ownName('Source of the yield')),
    amount: tokens(
      'AVAX',
      'AVAX gained by the pool. For a donation, the value of the burned shares at the rate after it.',
    ),
    fee: z.optional(tokens('AVAX', 'AVAX kept by the protocol. Omitted if it kept none.')),
    shares: z.optional(tokens('ggAVAX', 'Shares burned. Omitted unless `source` is `donation`.')),
    donor: z.optional(address('Address whose shares were burned. Omitted unless `source` is `donation`.')),
  }),
  avaxStaked: () => ({
    purpose: z.optional(ownName('Purpose')),
    caller: address('Contract or account that took the AVAX.'),
    assets: tokens('AVAX', 'AVAX taken out of the pool.'),
  }),
  avaxReturned: () => ({
    source: z.optional(ownName('Source')),
    caller: address('Contract or account that brought the AVAX.'),
    nodeID: z.optional(
      nodeID().check(z.describe('Node that the AVAX was delegated to. Omitted unless the transaction names one.')),
    ),
    baseAmt: tokens('AVAX', 'Principal that came back.'),
    rewardsAmt: tokens(
      'AVAX',
      'Reward that came with it, net of `feeAVAX`. If it is not 0, it is also a `yieldAdded`.',
    ),
    feeAVAX: tokens('AVAX', 'AVAX of the reward that the protocol kept.'),
  }),
  feeCollected: () => ({
    source: ownName('Source of the yield'),
    amount: tokens('AVAX', 'AVAX that went to the treasury.'),
  }),
  delegationRegistered: () => ({
    nodeID: z.optional(nodeID().check(z.describe('Node named for the delegation. Omitted if none was.'))),
    amount: tokens('AVAX', 'AVAX taken for a delegation outside minipools. The same AVAX is an `avaxStaked`.'),
  }),
  unstakeRequested: () => ({
    requestId: requestId(),
    requester: requester(),
    shares: tokens('ggAVAX', 'Shares handed to the queue.'),
    expectedAssets: tokens('AVAX', 'AVAX promised, fixed by the request.'),
    claimableTime: unixTime('When the AVAX is expected to be claimable.'),
  }),
  unstakeFulfilled: () => ({
    source: z.optional(ownName('Source of the AVAX')),
    requestId: requestId(),
    requester: z.optional(requester()),
    assets: tokens('AVAX', 'AVAX set aside for the request.'),
  }),
  unstakeClaimed: () => ({
    requestId: requestId(),
    requester: requester(),
    assets: tokens('AVAX', 'AVAX paid out.'),
  }),
  unstakeCancelled: () => ({
    requestId: requestId(),
    requester: requester(),
    shares: tokens(
      'ggAVAX',
      'Shares returned to the requester: those that the promised AVAX buys by then, so fewer than were handed to the queue if their value has risen.',
    ),
  }),
  unstakeReturned: () => ({
    requestId: requestId(),
    requester: requester(),
    shares: tokens(
      'ggAVAX',
      'Shares returned to the requester after the request had expired: those handed to the queue or, if AVAX had been set aside for the request, the shares that this AVAX bought.',
    ),
  }),
  priceUpdated: () => ({
    price: tokens('AVAX', "Price of one GGP that the protocol's contracts use from this block on."),
    updatedAt: unixTime('Time of the price.'),
  }),
} satisfies { [Type in EntryType]: () => z.core.$ZodShape };

const entrySchema = <Type extends EntryType>(type: Type) =>
  model(
    type.replace(/^./, (letter) => letter.toUpperCase()),
    z.object({
      block: integer('Block of the event.'),
      logIndex: integer('Index of the log in the block.'),
      timestamp: unixTime('Time of the block.'),
      txHash: transactionHash(),
      type: z.literal(type),
      ...(FIELDS_OF[type]() as ReturnType<(typeof FIELDS_OF)[Type]>),
    }),
  );

type EntrySchema = { [Type in EntryType]: ReturnType<typeof entrySchema<Type>> }[EntryType];
type EntryBody = z.output<EntrySchema>;

/** A page of events, the same for every endpoint that has them. */
export const activitySchema = () =>
  model(
    'Activity',
    z.object({
      activity: z
        .array(z.discriminatedUnion('type', TYPES.map(entrySchema) as [EntrySchema, ...EntrySchema[]]))
        .check(z.describe('Events, newest first unless `order` is `asc`.')),
      nextCursor: nextCursor(),
      lastCursor: text(
        'Where to go on following the events: send it as `after`, with `order=asc`. All events up to there are final. With `order=asc`, they are in this answer or an earlier one; otherwise newer ones may be in this answer already.',
      ),
      coverage: coverageSchema(),
    }),
  );

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The parameter `limit` of lists that are paged by a cursor. */
export const limitParam = () =>
  z._default(
    integerParam(
      0,
      MAX_LIMIT,
      `Maximum number of entries per page; 0 returns none of them. Defaults to ${DEFAULT_LIMIT}.`,
    ),
    DEFAULT_LIMIT,
  );

export const activityParams = {
  type: z.optional(choicesParam(TYPES, 'Return only events of these types.', 'ActivityType')),
  from: z.optional(
    timeParam(
      'Earliest event time, inclusive, as a Unix timestamp in seconds. Must not be after `to`. Defaults to the first event.',
    ),
  ),
  to: z.optional(
    timeParam('Latest event time, inclusive, as a Unix timestamp in seconds. Defaults to the last event.'),
  ),
  order: z._default(
    choiceParam(
      ['asc', 'desc'],
      'Defaults to `desc`, newest first. With `asc`, oldest first, without the last 100 blocks, in which an event may still be found late: none then comes before one that has been returned.',
      'Order',
    ),
    'desc',
  ),
  limit: limitParam(),
  cursor: z.optional(cursorParam(CURSOR, String)),
  after: z.optional(afterParam(CURSOR)),
};

/** A page of entries as it is sent to clients, with the value of what operators earned. */
export function activityBody({ entries, ...rest }: Page, prices: PricesOfDay) {
  return { activity: entries.map((entry) => entryBody(entry, prices)), ...rest };
}

function entryBody(entry: Entry, prices: PricesOfDay): EntryBody {
  const { block, logIndex, timestamp, txHash, type } = entry;
  const income = incomeBody(incomeOf(entry, prices));
  return { block, logIndex, timestamp, txHash, type, ...fieldsOf(entry), ...income } as EntryBody;
}

/** What an entry pays to an operator, at the prices at the end of its day; empty if it pays nothing. */
function incomeOf(entry: Entry, prices: PricesOfDay): Partial<Money> {
  if (entry.type === 'ggpRewardsClaimed')
    return valueAt(entry.amount + entry.restaked, 'ggpInUSD', prices(entry.timestamp));
  if (entry.type === 'minipoolStatusChanged') return valueAt(entry.rewardAVAX, 'avaxInUSD', prices(entry.timestamp));
  return {};
}

/** Most fields are what the ledger holds, in the formats of this API. */
function fieldsOf(entry: Entry): Record<string, unknown> {
  const { rate, ...fields } = Object.fromEntries(
    Object.entries(ENTRY_TYPES[entry.type].fields).map(([name, kind]) => {
      return [name, format(name, kind, entry[name as keyof Entry] as bigint | number | string | undefined)];
    }),
  );
  switch (entry.type) {
    case 'minipoolStatusChanged':
      return { ...fields, status: statusName(entry.status) };
    case 'minipoolLaunched':
      return { ...fields, hardwareProvider: hardwareProviderName(entry.hardwareProvider) };
    case 'rewardsCycleStarted': {
      const { number, totalAmt, ...distribution } = fields;
      return { number, totalAmt, distribution };
    }
    case 'ggAvaxTransferred':
      return { ...fields, avaxPerGgAvax: rate };
    default:
      return fields;
  }
}

function format(name: string, kind: string, value: bigint | number | string | undefined) {
  if (typeof value === 'bigint') return formatAmount(value);
  // The one identifier among them is named elsewhere.
  if (typeof value === 'string' && kind.startsWith('bytes32') && name !== 'hardwareProvider') return asciiOf(value);
  if (typeof value !== 'string' || !kind.startsWith('address')) return value;
  return name === 'nodeID' ? formatNodeID(value) : getAddress(value);
}
