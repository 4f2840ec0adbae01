/** The ledger's entries in responses: the events of the protocol's contracts, in the units of this API. */

import * as z from 'zod/mini';
import { type Money, type PricesOfDay, valueAt } from '../../history/day-prices.ts';
import { declarationOf, type ENTRY_TYPES, type EntryType, TYPES } from '../../ledger/events/entry-types.ts';
import type { Entry } from '../../ledger/ledger-entry.ts';
import type { Page } from '../../ledger/merge-pages.ts';
import { CURSOR } from '../../ledger/rows.ts';
import type { LedgerUnit } from '../../values/units.ts';
import { type Field, model, object, type Unit, unit } from '../fields.ts';
import { choicesParam } from '../list-params.ts';
import { nextCursor } from '../lists.ts';
import { afterParam, choiceParam, cursorParam, integerParam, timeParam } from '../params.ts';
import {
  address,
  avax,
  ggAvax,
  ggp,
  integer,
  nodeID,
  seconds,
  status,
  text,
  transactionHash,
  unixTime,
} from '../units.ts';
import { coverageBody, coverageSchema } from './coverage-body.ts';
import { distribution } from './distribution-body.ts';
import { income } from './income-body.ts';
import { hardwareProvider, toAscii } from './minipool-body.ts';

const UNITS: Record<LedgerUnit, Unit<never, z.ZodMiniType>> = {
  ...{ avax, ggp, ggAvax, integer, seconds, unixTime, address, text, status, nodeID, hardwareProvider, hash: text },
  ownName: unit(
    (meaning) =>
      text.schema(`${meaning}, as in the contract, such as \`MINIPOOL_SOURCE\` or \`DELEGATION\`; 0x-hex if not text.`),
    toAscii,
  ),
};

/** An entry, and the value of the amount that it pays to an operator. */
interface Source extends Partial<Money> {
  entry: Entry;
}

type EntryFields = Record<string, Field<Source, z.ZodMiniType>>;

function fieldsOf(type: EntryType): EntryFields {
  const declared = Object.entries(declarationOf(type).fields).map(([name, { unit, meaning, isOptional }]) => {
    const read = ({ entry }: Source) => entry[name as keyof Entry] as never;
    return [name, isOptional ? UNITS[unit].optional(meaning, read) : UNITS[unit](meaning, read)] as const;
  });
  const own: EntryFields = Object.fromEntries(declared);
  switch (type) {
    case 'ggpRewardsClaimed':
      return { ...own, ...income('`amount` and `restaked`') };
    case 'minipoolStatusChanged':
      return { ...own, ...income('`rewardAVAX`') };
    case 'rewardsCycleStarted': {
      const { number, totalAmt } = own;
      return {
        number,
        totalAmt,
        distribution: distribution('`totalAmt` by claiming contract.', splitOf),
      } as EntryFields;
    }
    case 'ggAvaxTransferred': {
      const { rate, assets, ...others } = own;
      return { ...others, avaxPerGgAvax: rate, assets } as EntryFields;
    }
    default:
      return own;
  }
}

const splitOf = ({ entry }: Source) => entry as Extract<Entry, { type: 'rewardsCycleStarted' }>;

/** The fields that a type declares, and those that answers add to some types. */
type FieldsIn<Type extends EntryType> = keyof (typeof ENTRY_TYPES)[Type]['fields'] | keyof Money;

const FIELDS = new Map(TYPES.map((type) => [type, object<Source>()(fieldsOf(type))]));

const entrySchema = <Type extends EntryType>(type: Type) =>
  model(
    type.replace(/^./, (letter) => letter.toUpperCase()),
    z.object({
      blockNumber: integer.schema('Block of the event.'),
      logIndex: integer.schema('Index of the log in the block.'),
      timestamp: unixTime.schema('Time of the block.'),
      txHash: transactionHash.schema(''),
      type: z.literal(type),
      ...(FIELDS.get(type)?.schema().shape as Record<FieldsIn<Type>, z.ZodMiniType>),
    }),
  );

type EntrySchema = { [Type in EntryType]: ReturnType<typeof entrySchema<Type>> }[EntryType];
type EntryBody = z.output<EntrySchema>;

export const activitySchema = () =>
  model(
    'Activity',
    z.object({
      activity: z
        .array(z.discriminatedUnion('type', TYPES.map(entrySchema) as [EntrySchema, ...EntrySchema[]]))
        .check(z.describe('Events, newest first unless `order=asc`.')),
      nextCursor: nextCursor(),
      lastCursor: text.schema(
        'Send it as `after`, with `order=asc`, to follow later events. All events up to it are in this or an earlier answer, unless a filter or `limit` leaves them out.',
      ),
      coverage: coverageSchema(),
    }),
  );

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The parameter `limit` of lists that are paged by a cursor. */
export const limitParam = () =>
  z._default(
    integerParam(0, MAX_LIMIT, `Maximum number of entries per page; 0 for none. Default: ${DEFAULT_LIMIT}.`),
    DEFAULT_LIMIT,
  );

export const activityParams = {
  type: z.optional(choicesParam(TYPES, 'Only events of these types.', 'ActivityType')),
  from: z.optional(timeParam('Earliest event time, inclusive, in Unix seconds. Must not be after `to`.')),
  to: z.optional(timeParam('Latest event time, inclusive, in Unix seconds.')),
  order: z._default(
    choiceParam(
      ['asc', 'desc'],
      '`desc` (default): newest first. `asc`: oldest first. Events are final: none precedes one already returned.',
      'Order',
    ),
    'desc',
  ),
  limit: limitParam(),
  cursor: z.optional(cursorParam(CURSOR, String, ' of this release; to begin anew, leave it out')),
  after: z.optional(afterParam(CURSOR)),
};

export function activityBody({ entries, coverage, ...cursors }: Page, prices: PricesOfDay) {
  const activity = entries.map((entry) => {
    const { block: blockNumber, logIndex, timestamp, txHash, type } = entry;
    const own = FIELDS.get(type)?.json({ entry, ...toMoney(entry, prices) });
    return { blockNumber, logIndex, timestamp, txHash, type, ...own } as EntryBody;
  });
  return { activity, ...cursors, coverage: coverageBody(coverage) };
}

/** The value of the amount that an entry pays to an operator, at the prices at the end of its day. Empty if none. */
function toMoney(entry: Entry, prices: PricesOfDay): Partial<Money> {
  if (entry.type === 'ggpRewardsClaimed')
    return valueAt(entry.amount + entry.restaked, 'ggpInUSD', prices(entry.timestamp));
  if (entry.type === 'minipoolStatusChanged') return valueAt(entry.rewardAVAX, 'avaxInUSD', prices(entry.timestamp));
  return {};
}
