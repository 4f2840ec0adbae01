import * as z from 'zod/mini';
import { type Money, type PricesOfDay, readDayPrices, valueAt } from '../../history/day-prices.ts';
import type { HistoryContext } from '../../history/history-store.ts';
import { limitToPast } from '../../history/range.ts';
import { declarationOf, ENTRY_TYPES, type EntryType, TYPES } from '../../ledger/events/entry-types.ts';
import type { Entry, EntryOf } from '../../ledger/ledger-entry.ts';
import type { LedgerContext } from '../../ledger/ledger-store.ts';
import { type DoubtSource, isDoubted } from '../../ledger/mismatch.ts';
import { type Page, type PageQuery, readPage } from '../../ledger/page.ts';
import { CURSOR } from '../../ledger/rows.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import type { LedgerUnit } from '../../values/units.ts';
import { type FieldsOf, json, list, object, partialObject, type Unit, unit } from '../fields.ts';
import { nextCursor } from '../lists.ts';
import { choiceParam, choicesParam, cursorParam, integerParam, patternParam, timeParam } from '../params.ts';
import * as units from '../units.ts';
import { avax, integer, text, transactionHash, unixTime } from '../units.ts';
import { coverage } from './coverage-body.ts';
import { hardwareProvider, toAscii } from './minipool-body.ts';
import { income } from './prices-body.ts';
import { distribution } from './rewards-cycle-body.ts';

const UNITS: Record<LedgerUnit, Unit<never, z.ZodMiniType>> = {
  ...units,
  hardwareProvider,
  hash: text,
  ownName: unit(
    (meaning) =>
      text.schema(`${meaning}, as in the contract, such as \`MINIPOOL_SOURCE\` or \`DELEGATION\`; 0x-hex if not text.`),
    toAscii,
  ),
};

/** An entry, and the value of the amount that it pays to an operator. */
type Valued = Entry & Partial<Money>;
type EntryFields = FieldsOf<Valued>;

function fieldsOf(type: EntryType): EntryFields {
  const declared = Object.entries(declarationOf(type).fields).map(([name, { unit, meaning, isOptional }]) => [
    name,
    isOptional ? UNITS[unit].optional(meaning) : UNITS[unit](meaning),
  ]);
  return Object.fromEntries(declared);
}

const rate = ENTRY_TYPES.ggAvaxTransferred.fields.rate.meaning;

/** The types whose answers have other fields than their entries. */
const OTHERS: Partial<Record<EntryType, (own: EntryFields) => EntryFields>> = {
  ggpRewardsClaimed: (own) => ({ ...own, ...income('`amount` and `restaked`') }),
  minipoolStatusChanged: (own) => ({ ...own, ...income('`rewardAVAX`') }),
  rewardsCycleStarted: ({ ClaimNodeOp: _, ClaimProtocolDAO: __, MultisigManager: ___, ...own }) => ({
    ...own,
    distribution: distribution('`totalAmt` by claiming contract.', (entry) => entry as EntryOf<'rewardsCycleStarted'>),
  }),
  ggAvaxTransferred: ({ rate: _, assets, ...own }) => ({
    ...own,
    avaxPerGgAvax: avax(rate, (entry) => (entry as EntryOf<'ggAvaxTransferred'>).rate),
    ...(assets && { assets }),
  }),
};

export const EVENT_TYPE = 'Type of the event.';

const ENTRIES = new Map(
  TYPES.map((type) => [
    type,
    object<Valued>(type.replace(/^./, (letter) => letter.toUpperCase()))({
      blockNumber: integer('Block of the event.', ({ block }) => block),
      logIndex: integer('Index of the log in the block.'),
      timestamp: unixTime('Time of the block.'),
      txHash: transactionHash(),
      type: json(
        () => z.literal(type).check(z.describe(EVENT_TYPE)),
        () => type,
      ),
      ...(OTHERS[type] ?? ((own) => own))(fieldsOf(type)),
    }),
  ]),
);

type EntrySchema = {
  [Type in EntryType]: z.ZodMiniObject<
    Record<'blockNumber' | 'logIndex' | 'timestamp', z.ZodMiniInt> &
      Record<'txHash', z.ZodMiniString<string>> &
      Record<'type', z.ZodMiniLiteral<Type>> &
      Record<keyof (typeof ENTRY_TYPES)[Type]['fields'] | keyof Money, z.ZodMiniType>
  >;
}[EntryType];

const entry = unit<Valued, z.ZodMiniDiscriminatedUnion<[EntrySchema, ...EntrySchema[]], 'type'>>(
  () =>
    z.discriminatedUnion('type', [...ENTRIES.values()].map((own) => own.schema()) as [EntrySchema, ...EntrySchema[]]),
  (source) => ENTRIES.get(source.type)?.json(source) as z.input<EntrySchema>,
);

interface Activity extends Page {
  prices: PricesOfDay;
  isDoubted: boolean;
}

const activityWith = partialObject<Activity>('ActivityField', 'Activity');
const ACTIVITY = activityWith({
  activity: list(entry)(
    'Events, newest first unless `order=asc`.',
    ({ entries, prices }) => entries.map((entry) => withValue(entry, prices)),
    ({ isDoubted }) => (isDoubted ? 'MISMATCH' : undefined),
  ),
  nextCursor: nextCursor(),
  lastCursor: text(
    'Send it as `after`, with `order=asc`, to follow later events. All events up to it are in this or an earlier answer, unless a filter or `limit` leaves them out.',
  ),
  coverage: coverage(),
});

export const limitParam = () =>
  z._default(integerParam(0, 1_000, 'Maximum number of entries per page; 0 for none.'), 100);

export const activityParams = {
  type: z.optional(choicesParam(TYPES, 'Only events of these types.', 'ActivityType')),
  from: z.optional(timeParam('Earliest event time, inclusive.')),
  to: z.optional(timeParam('Latest event time, inclusive.')),
  order: z._default(choiceParam(['asc', 'desc'], 'Order by time. Events are final.', 'Order'), 'desc'),
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

export const activityEndpoint = {
  freshSeconds: 3,
  reads: ['history', 'ledger'],
  normalizeInput: limitToPast,
  body: ACTIVITY,
  rows: 'activity',
  validUntil: ({ to }: { to?: number | undefined }) => ifKnown((time: number) => time + 1, to),
  check: ({ after, order }: { after?: string | undefined; order?: string }) => ({
    after: after !== undefined && order !== 'asc' && 'needs order=asc',
  }),
} as const;

/** The sources of doubts by the kind of a subject. */
const DOUBTS: Record<string, DoubtSource[]> = { staker: ['minipools', 'ggp'], node: ['minipools'], holder: ['ggAvax'] };

export async function readActivity(context: HistoryContext & LedgerContext, subject: string, query: PageQuery) {
  const { ledger } = context;
  const [kind = '', key = ''] = subject.split('#');
  const readDoubted = async () => isDoubted(await ledger.progress.doubts(), key, ...(DOUBTS[kind] ?? []));
  const reads = [readPage(ledger, subject, query), readDayPrices(context), key !== '' && readDoubted()] as const;
  const [page, prices, isKeyDoubted] = await Promise.all(reads);
  return { ...page, prices, isDoubted: isKeyDoubted };
}

export function toActivity(entries: readonly Entry[], prices: PricesOfDay) {
  return entries.map((each) => entry.json(withValue(each, prices)));
}

/** Adds the value of the amount that an entry pays to an operator, at the prices at the end of its day. */
function withValue(entry: Entry, prices: PricesOfDay): Valued {
  if (entry.type === 'ggpRewardsClaimed')
    return { ...entry, ...valueAt(entry.amount + entry.restaked, 'ggpInUSD', prices(entry.timestamp)) };
  if (entry.type === 'minipoolStatusChanged')
    return { ...entry, ...valueAt(entry.rewardAVAX, 'avaxInUSD', prices(entry.timestamp)) };
  return entry;
}
