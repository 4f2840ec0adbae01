/** The ledger's entries in responses: the events of the protocol's contracts, in the units of this API. */

import * as z from 'zod/mini';
import { type Money, type PricesOfDay, readDayPrices, valueAt } from '../../history/day-prices.ts';
import type { HistoryContext } from '../../history/history-store.ts';
import { limitToPast } from '../../ledger/coverage.ts';
import { declarationOf, type ENTRY_TYPES, type EntryType, TYPES } from '../../ledger/events/entry-types.ts';
import type { Entry } from '../../ledger/ledger-entry.ts';
import type { LedgerContext } from '../../ledger/ledger-store.ts';
import type { Page, PageQuery } from '../../ledger/merge-pages.ts';
import { CURSOR } from '../../ledger/rows.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import type { LedgerUnit } from '../../values/units.ts';
import { type FieldsOf, json, list, object, type Unit, unit } from '../fields.ts';
import { nextCursor } from '../lists.ts';
import { choiceParam, choicesParam, cursorParam, integerParam, patternParam, timeParam } from '../params.ts';
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
import { coverage } from './coverage-body.ts';
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

type EntryFields = FieldsOf<Source>;

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

const ENTRIES = new Map(
  TYPES.map((type) => [
    type,
    object<Source>(type.replace(/^./, (letter) => letter.toUpperCase()))({
      blockNumber: integer('Block of the event.', ({ entry }) => entry.block),
      logIndex: integer('Index of the log in the block.', ({ entry }) => entry.logIndex),
      timestamp: unixTime('Time of the block.', ({ entry }) => entry.timestamp),
      txHash: transactionHash('', ({ entry }) => entry.txHash),
      type: json(
        () => z.literal(type),
        () => type,
      ),
      ...fieldsOf(type),
    }),
  ]),
);

interface CommonFields {
  blockNumber: z.ZodMiniInt;
  logIndex: z.ZodMiniInt;
  timestamp: z.ZodMiniInt;
  txHash: z.ZodMiniString<string>;
}
/** The fields that a type declares, and those that answers add to some types. */
type EntrySchema = {
  [Type in EntryType]: z.ZodMiniObject<
    CommonFields & { type: z.ZodMiniLiteral<Type> } & Record<
        keyof (typeof ENTRY_TYPES)[Type]['fields'] | keyof Money,
        z.ZodMiniType
      >
  >;
}[EntryType];

const entry = unit<Source, z.ZodMiniDiscriminatedUnion<[EntrySchema, ...EntrySchema[]], 'type'>>(
  () =>
    z.discriminatedUnion(
      'type',
      [...ENTRIES.values()].map(({ schema }) => schema()) as [EntrySchema, ...EntrySchema[]],
    ),
  (source) => ENTRIES.get(source.entry.type)?.json(source) as z.input<EntrySchema>,
);

interface Activity extends Page {
  prices: PricesOfDay;
}

const ACTIVITY = object<Activity>('Activity')({
  activity: list(entry)('Events, newest first unless `order=asc`.', ({ entries, prices }) =>
    entries.map((entry) => ({ entry, ...toMoney(entry, prices) })),
  ),
  nextCursor: nextCursor(),
  lastCursor: text(
    'Send it as `after`, with `order=asc`, to follow later events. All events up to it are in this or an earlier answer, unless a filter or `limit` leaves them out.',
  ),
  coverage: coverage(),
});

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
  after: z.optional(
    patternParam(
      CURSOR,
      'The `lastCursor` of an earlier answer: returns only newer entries, each exactly once. Needs `order=asc`.',
      'the lastCursor of an earlier answer of this release; to begin anew, send from instead',
      String,
    ),
  ),
};

/** All endpoints with events of the ledger have this in common. */
export const activityEndpoint = {
  freshSeconds: 3,
  reads: ['history', 'ledger'],
  normalizeInput: limitToPast,
  body: ACTIVITY,
  rows: 'activity',
  validUntil: ({ to }: { to?: number | undefined }) => ifKnown((time: number) => time + 1, to),
} as const;

export async function readActivity(
  context: HistoryContext & LedgerContext,
  subject: string,
  query: PageQuery,
): Promise<Activity> {
  const [page, prices] = await Promise.all([context.ledger.page(subject, query), readDayPrices(context)]);
  return { ...page, prices };
}

/** The entries as `/activity` has them. */
export function toActivity(entries: readonly Entry[], prices: PricesOfDay) {
  return entries.map((each) => entry.json({ entry: each, ...toMoney(each, prices) }));
}

/** The value of the amount that an entry pays to an operator, at the prices at the end of its day. Empty if none. */
function toMoney(entry: Entry, prices: PricesOfDay): Partial<Money> {
  if (entry.type === 'ggpRewardsClaimed')
    return valueAt(entry.amount + entry.restaked, 'ggpInUSD', prices(entry.timestamp));
  if (entry.type === 'minipoolStatusChanged') return valueAt(entry.rewardAVAX, 'avaxInUSD', prices(entry.timestamp));
  return {};
}
