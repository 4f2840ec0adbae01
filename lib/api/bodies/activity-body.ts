/** The ledger's entries in responses: the events of the protocol's contracts, in the units of this API. */

import * as z from 'zod/mini';
import { MINIPOOL_STATUSES, statusName } from '../../contracts/minipool-statuses.ts';
import { type Money, type PricesOfDay, valueAt } from '../../history/day-prices.ts';
import { declarationOf, type ENTRY_TYPES, type EntryType, TYPES } from '../../ledger/events/entry-types.ts';
import type { Entry } from '../../ledger/ledger-entry.ts';
import type { Page } from '../../ledger/ledger-store.ts';
import { CURSOR } from '../../ledger/rows.ts';
import { formatNodeID } from '../../values/cb58.ts';
import type { LedgerUnit } from '../../values/units.ts';
import { choicesParam } from '../list-params.ts';
import { nextCursor } from '../lists.ts';
import { afterParam, choiceParam, cursorParam, integerParam, timeParam } from '../params.ts';
import { model, nodeID, transactionHash } from '../schemas.ts';
import { address, avax, ggAvax, ggp, integer, seconds, text, unixTime } from '../units.ts';
import { coverageBody, coverageSchema } from './coverage-body.ts';
import { distribution } from './distribution-body.ts';
import { incomeBody, incomeFields } from './income-body.ts';
import { hardwareProviderName, hardwareProviderSchema, toAscii } from './minipool-body.ts';

/** The schema and the JSON of a field's values, by the field's unit. */
const UNITS: Record<LedgerUnit, { schema: (meaning: string) => z.ZodMiniType; json: (value: never) => unknown }> = {
  ...{ avax, ggp, ggAvax, integer, seconds, unixTime, address, text },
  status: {
    schema: (meaning) => model('MinipoolStatus', z.enum(MINIPOOL_STATUSES)).check(z.describe(meaning)),
    json: statusName,
  },
  nodeID: {
    schema: (meaning) => (meaning ? nodeID().check(z.describe(meaning)) : nodeID()),
    json: formatNodeID,
  },
  ownName: {
    schema: (meaning) =>
      text.schema(`${meaning}, as in the contract, such as \`MINIPOOL_SOURCE\` or \`DELEGATION\`; 0x-hex if not text.`),
    json: toAscii,
  },
  hash: text,
  hardwareProvider: { schema: hardwareProviderSchema, json: hardwareProviderName },
};

/** The schemas of a type's fields, besides those that all types have. */
function createShape(type: EntryType): Record<string, z.ZodMiniType> {
  const declared = Object.entries(declarationOf(type).fields).map(([name, { unit, meaning, isOptional }]) => {
    const schema = UNITS[unit].schema(meaning);
    return [name, isOptional ? z.optional(schema) : schema] as const;
  });
  const shape = Object.fromEntries(declared);
  switch (type) {
    case 'ggpRewardsClaimed':
      return { ...shape, ...incomeFields('`amount` and `restaked`') };
    case 'minipoolStatusChanged':
      return { ...shape, ...incomeFields('`rewardAVAX`') };
    case 'rewardsCycleStarted': {
      const { number, totalAmt } = shape;
      return {
        number,
        totalAmt,
        distribution: distribution.schema('`totalAmt` by claiming contract.'),
      } as typeof shape;
    }
    case 'ggAvaxTransferred': {
      const { rate, assets, ...others } = shape;
      return { ...others, avaxPerGgAvax: rate, assets } as typeof shape;
    }
    default:
      return shape;
  }
}

/** The fields that a type declares, and those that answers add to some types. */
type FieldsIn<Type extends EntryType> = keyof (typeof ENTRY_TYPES)[Type]['fields'] | keyof Money;

const entrySchema = <Type extends EntryType>(type: Type) =>
  model(
    type.replace(/^./, (letter) => letter.toUpperCase()),
    z.object({
      blockNumber: integer.schema('Block of the event.'),
      logIndex: integer.schema('Index of the log in the block.'),
      timestamp: unixTime.schema('Time of the block.'),
      txHash: transactionHash(),
      type: z.literal(type),
      ...(createShape(type) as Record<FieldsIn<Type>, z.ZodMiniType>),
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
        .check(z.describe('Events, newest first unless `order=asc`.')),
      nextCursor: nextCursor(),
      lastCursor: text.schema(
        'Send it as `after`, with `order=asc`, to follow later events. Events up to it are final. With `order=asc`, all of them are in this or an earlier answer; otherwise this answer may contain newer ones, too.',
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
      '`desc` (default): newest first. `asc`: oldest first, without the last two minutes before `coverage.toTimestamp`, where late events may still appear; so no event precedes one already returned.',
      'Order',
    ),
    'desc',
  ),
  limit: limitParam(),
  cursor: z.optional(cursorParam(CURSOR, String, ' of this release; to begin anew, leave it out')),
  after: z.optional(afterParam(CURSOR)),
};

/** A page of entries as it is sent to clients, with the value of operators' income. */
export function activityBody({ entries, coverage, ...cursors }: Page, prices: PricesOfDay) {
  const activity = entries.map((entry) => entryBody(entry, prices));
  return { activity, ...cursors, coverage: coverageBody(coverage) };
}

function entryBody(entry: Entry, prices: PricesOfDay): EntryBody {
  const { block, logIndex, timestamp, txHash, type } = entry;
  const income = incomeBody(toMoney(entry, prices));
  return { blockNumber: block, logIndex, timestamp, txHash, type, ...toFields(entry), ...income } as EntryBody;
}

/** The value of the amount that an entry pays to an operator, at the prices at the end of its day. Empty if none. */
function toMoney(entry: Entry, prices: PricesOfDay): Partial<Money> {
  if (entry.type === 'ggpRewardsClaimed')
    return valueAt(entry.amount + entry.restaked, 'ggpInUSD', prices(entry.timestamp));
  if (entry.type === 'minipoolStatusChanged') return valueAt(entry.rewardAVAX, 'avaxInUSD', prices(entry.timestamp));
  return {};
}

/** The fields of an entry: most are those of the ledger, in the formats of this API. */
function toFields(entry: Entry): Record<string, unknown> {
  const { rate, ...fields } = Object.fromEntries(
    Object.entries(declarationOf(entry.type).fields).map(([name, { unit }]) => {
      const value = entry[name as keyof Entry] as never;
      return [name, value === undefined ? undefined : UNITS[unit].json(value)];
    }),
  );
  switch (entry.type) {
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
