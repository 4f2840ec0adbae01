import * as z from 'zod/mini';
import { formatAmount } from '../amounts.ts';
import { formatNodeID } from '../cb58.ts';
import { checksumAddress } from '../checksum.ts';
import type { Context } from '../context.ts';
import { MINIPOOL_STATUSES } from '../contracts/minipool-manager.ts';
import { ENTRY_TYPES, type Entry, type EntryType, transferredAssets } from '../ledger/entry.ts';
import { CURSOR } from '../ledger/rows.ts';
import { ledgerOf } from '../ledger/store.ts';
import { choicesParam, integerParam, param, timeParam } from '../params.ts';
import { address, integer, model, nodeID, seconds, text, tokens, transactionHash, unixTime } from '../schemas.ts';
import { coverageSchema } from './coverage.ts';
import { distributionSchema } from './distribution.ts';
import { hardwareProviderName, hardwareProviderSchema } from './minipool.ts';

/** How the ledger's entries are answered: the events of the protocol's contracts, in the units of this API. */

const TYPES = Object.keys(ENTRY_TYPES) as EntryType[];

const owner = () => z.optional(address('Its owner at that block.'));
const staker = () => address('The staker.');
const requestId = () => integer('Number of the request.');
const requester = () => address('Who asked for it and may claim it.');

/** The fields of each type besides those that all have. */
const FIELDS_OF = {
  ggpStaked: () => ({ staker: staker(), amount: tokens('GGP', 'Staked; also what a claim stakes again.') }),
  ggpWithdrawn: () => ({ staker: staker(), amount: tokens('GGP', 'Taken out.') }),
  ggpRewardsClaimed: () => ({
    staker: staker(),
    amount: tokens('GGP', 'Paid out.'),
    restaked: tokens('GGP', 'Staked again in the same transaction, besides `amount`.'),
  }),
  ggpSlashed: () => ({ nodeID: nodeID(), owner: owner(), amount: tokens('GGP', 'Taken from the owner’s stake.') }),
  minipoolCreated: () => ({ nodeID: nodeID(), owner: owner() }),
  minipoolStatusChanged: () => ({
    nodeID: nodeID(),
    owner: owner(),
    status: model('MinipoolStatus', z.enum(MINIPOOL_STATUSES)).check(z.describe('What it became.')),
  }),
  minipoolLaunched: () => ({
    nodeID: nodeID(),
    owner: owner(),
    hardwareProvider: hardwareProviderSchema(),
    duration: seconds('Validation asked for in all.'),
  }),
  rewardsCycleStarted: () => ({
    number: integer('Number of the cycle.'),
    totalAmt: tokens('GGP', 'Minted when it started, for the time before.'),
    distribution: distributionSchema('totalAmt'),
  }),
  ggAvaxDeposited: () => ({
    caller: address('Who paid.'),
    owner: address('Who got the shares.'),
    assets: tokens('AVAX', 'Paid in.'),
    shares: tokens('ggAVAX', 'Minted.'),
  }),
  ggAvaxWithdrawn: () => ({
    caller: address('Who asked for it.'),
    receiver: address('Who got the AVAX.'),
    owner: address('Whose shares they were; the queue’s where it fulfils a request.'),
    assets: tokens('AVAX', 'Paid out.'),
    shares: tokens('ggAVAX', 'Burnt.'),
  }),
  ggAvaxTransferred: () => ({
    from: address('Who gave; zeros where shares came into being without a deposit.'),
    to: address('Who got; zeros where shares were burnt without a withdrawal.'),
    shares: tokens('ggAVAX', 'Moved.'),
    avaxPerGgAvax: tokens('AVAX', 'For one ggAVAX in the state of the block.'),
    assets: tokens('AVAX', 'What the shares were worth in the state of the block.'),
  }),
  rewardsStreamed: () => ({
    rewardsAmt: tokens('AVAX', 'Rewards that the pool releases, second by second.'),
    cycleEnd: unixTime('Until when.'),
  }),
  yieldAdded: () => ({
    source: text(
      '`staking`: rewards of minipools, net of the fee. `deposit`: yield from elsewhere, net of `fee`. `donation`: shares that `donor` burnt.',
    ),
    amount: tokens('AVAX', 'Gained by the pool.'),
    fee: z.optional(tokens('AVAX', 'Kept by the protocol.')),
    shares: z.optional(tokens('ggAVAX', 'Burnt.')),
    donor: z.optional(address('Whose shares they were.')),
  }),
  unstakeRequested: () => ({
    requestId: requestId(),
    requester: requester(),
    shares: tokens('ggAVAX', 'Handed in.'),
    expectedAssets: tokens('AVAX', 'What it will bring, fixed.'),
    claimableTime: unixTime('When it should be claimable.'),
  }),
  unstakeFulfilled: () => ({
    requestId: requestId(),
    requester: z.optional(requester()),
    assets: tokens('AVAX', 'Set aside for it.'),
  }),
  unstakeClaimed: () => ({
    requestId: requestId(),
    requester: requester(),
    assets: tokens('AVAX', 'Paid out.'),
  }),
  unstakeCancelled: () => ({
    requestId: requestId(),
    requester: requester(),
    shares: tokens('ggAVAX', 'Given back.'),
  }),
  priceUpdated: () => ({
    price: tokens('AVAX', 'Price of one GGP that the protocol’s contracts use from then on.'),
    updatedAt: unixTime('Time of that price.'),
  }),
} satisfies { [Type in EntryType]: () => z.core.$ZodShape };

const entrySchema = <Type extends EntryType>(type: Type) =>
  model(
    type.replace(/^./, (letter) => letter.toUpperCase()),
    z.object({
      block: integer('Block of the event.'),
      logIndex: integer('Number of its log within the block.'),
      timestamp: unixTime('Time of the block.'),
      txHash: transactionHash(),
      type: z.literal(type),
      ...(FIELDS_OF[type]() as ReturnType<(typeof FIELDS_OF)[Type]>),
    }),
  );

type EntrySchema = { [Type in EntryType]: ReturnType<typeof entrySchema<Type>> }[EntryType];
type EntryBody = z.output<EntrySchema>;

/** A page of any endpoint's events: all have the same. */
export const activitySchema = () =>
  model(
    'Activity',
    z.object({
      activity: z
        .array(z.discriminatedUnion('type', TYPES.map(entrySchema) as [EntrySchema, ...EntrySchema[]]))
        .check(z.describe('Events, the newest first.')),
      nextCursor: z.optional(
        text('`cursor` of the next page; left out on the last one. With filters a page may be short and not the last.'),
      ),
      coverage: coverageSchema(),
    }),
  );

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The parameters `limit` and `cursor` of lists that are paged by a cursor of this form, written as JSON Schema has it. */
export const cursorParams = (pattern: string) => ({
  limit: z._default(
    integerParam(1, MAX_LIMIT, `How many entries to answer; ${DEFAULT_LIMIT} unless told otherwise.`),
    DEFAULT_LIMIT,
  ),
  cursor: z.optional(
    param({
      description: 'The `nextCursor` of the page before. The other parameters must stay the same.',
      accepted: 'the nextCursor of a page before',
      parse: (text) => (new RegExp(pattern).test(text) ? text : undefined),
      schema: { type: 'string', pattern },
    }),
  ),
});

export const activityParams = {
  type: z.optional(choicesParam(TYPES, 'Types to keep.', 'ActivityType')),
  from: z.optional(
    timeParam(
      'Time of the oldest event to answer, unix seconds, not after `to`; the first there is unless told otherwise.',
    ),
  ),
  to: z.optional(
    timeParam('Time of the newest event to answer, unix seconds; the last there is unless told otherwise.'),
  ),
  ...cursorParams(CURSOR.source),
};

interface ActivityInput {
  type?: readonly EntryType[] | undefined;
  from?: number | undefined;
  to?: number | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** A page of a subject's entries. Throws what the ledger's `page` throws. */
export async function readActivity(context: Context, subject: string, { type: types, ...range }: ActivityInput) {
  const { entries, nextCursor, coverage } = await ledgerOf(context).page(subject, { types, ...range });
  return { activity: entries.map(entryBody), nextCursor, coverage };
}

/** An entry as it is answered. */
function entryBody(entry: Entry): EntryBody {
  const { block, logIndex, timestamp, txHash, type } = entry;
  return { block, logIndex, timestamp, txHash, type, ...fieldsOf(entry) } as EntryBody;
}

/** Most fields are what the ledger holds, written as this API writes them. */
function fieldsOf(entry: Entry): Record<string, unknown> {
  const { rate, ...fields } = Object.fromEntries(
    Object.entries(ENTRY_TYPES[entry.type].fields).map(([name, kind]) => {
      return [name, format(name, kind, entry[name as keyof Entry] as bigint | number | string | undefined)];
    }),
  );
  switch (entry.type) {
    case 'minipoolStatusChanged':
      return { ...fields, status: MINIPOOL_STATUSES[entry.status] };
    case 'minipoolLaunched':
      return { ...fields, hardwareProvider: hardwareProviderName(entry.hardwareProvider) };
    case 'rewardsCycleStarted': {
      const { number, totalAmt, ...distribution } = fields;
      return { number, totalAmt, distribution };
    }
    case 'ggAvaxTransferred':
      return { ...fields, avaxPerGgAvax: rate, assets: formatAmount(transferredAssets(entry)) };
    default:
      return fields;
  }
}

function format(name: string, kind: string, value: bigint | number | string | undefined) {
  if (typeof value === 'bigint') return formatAmount(value);
  if (typeof value !== 'string' || !kind.startsWith('address')) return value;
  return name === 'nodeID' ? formatNodeID(value) : checksumAddress(value);
}
