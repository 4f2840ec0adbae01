/** Tables of an export that are derived from its events alone. The events are read from the export's own files. */

import { flowsOf, promiseIn } from '../history/holder-flows.ts';
import { addTo, type Balances, holdersIn } from '../history/holders-dataset.ts';
import { boundaryFrom } from '../history/series.ts';
import { BALANCE_EVENTS } from '../ledger/balance-changes.ts';
import { declarationOf, type EntryType, TYPES } from '../ledger/events/entry-types.ts';
import { type Entry, listHolders } from '../ledger/ledger-entry.ts';
import type { Row } from './column.ts';
import { HOLDERS, HOLDERS_DAILY, holderDayRow, holderRow } from './kinds/holders.ts';
import type { Manifest } from './manifest.ts';
import type { TableSource } from './table-sources.ts';

interface Source {
  head: Omit<Manifest, 'files'>;
  /** The events of the archive, in order, with the columns that events of these types fill. */
  events: (types: readonly EntryType[]) => AsyncGenerator<Entry>;
  /** Address of the withdrawal queue. */
  withdrawQueue: string;
}

/** The types that concern a holder of ggAVAX. */
const OF_HOLDERS = TYPES.filter((type) => declarationOf(type).participants.holder);

/** The derived tables. None if the events do not go back to the protocol's first block: sums would be wrong. */
export function derivedSources({ head, events, withdrawQueue }: Source): TableSource[] {
  const { first, from } = head.ledger;
  if (first === undefined || from > first) return [];
  return [holdersSource(events), holdersDailySource(events, head.ledger, withdrawQueue)];
}

function holdersSource(events: Source['events']): TableSource {
  return {
    name: HOLDERS.name,
    kinds: [HOLDERS],
    total: 1,
    async *read() {
      const balances: Balances = new Map();
      for await (const entry of events(BALANCE_EVENTS)) addTo(balances, entry);
      yield { rows: holdersIn(balances).map(holderRow), done: 1 };
    },
  };
}

function holdersDailySource(
  events: Source['events'],
  { from, to }: Manifest['ledger'],
  withdrawQueue: string,
): TableSource {
  const total = to - from + 1;
  return {
    name: HOLDERS_DAILY.name,
    kinds: [HOLDERS_DAILY],
    total,
    async *read() {
      const balances: Balances = new Map();
      const promised = new Map<number, bigint>();
      for await (const { day, entries } of daysOf(events(OF_HOLDERS))) {
        for (const entry of entries) {
          addTo(balances, entry);
          for (const [requestId, assets] of promiseIn(entry)) promised.set(requestId, assets);
        }
        const rows = byHolder(entries)
          .sort(byAddress)
          .flatMap<Row>(([holder, own]) => {
            const flows = flowsOf(holder, own, withdrawQueue, promised);
            return flows.length > 0 ? holderDayRow(day, holder, balances.get(holder)?.shares ?? 0n, flows) : [];
          });
        yield { rows, done: (entries.at(-1)?.block ?? to) - from + 1 };
      }
      yield { rows: [], done: total };
    },
  };
}

interface Day {
  /** End of the day, unix seconds. */
  day: number;
  entries: Entry[];
}

/** Groups entries by UTC day. The entries have to be in order. */
async function* daysOf(all: AsyncIterable<Entry>): AsyncGenerator<Day> {
  let [day, entries]: [number, Entry[]] = [0, []];
  for await (const entry of all) {
    // An entry of a boundary's own second belongs to the day that ends there, as in holder-yield.ts.
    const itsDay = boundaryFrom(entry.timestamp, '1d');
    if (itsDay !== day && entries.length > 0) {
      yield { day, entries };
      entries = [];
    }
    day = itsDay;
    entries.push(entry);
  }
  if (entries.length > 0) yield { day, entries };
}

/** Groups entries by their participating holders. */
function byHolder(entries: readonly Entry[]): [holder: string, own: Entry[]][] {
  const pairs = entries.flatMap((entry) => listHolders(entry).map((holder) => ({ holder, entry })));
  const groups = Map.groupBy(pairs, ({ holder }) => holder);
  return [...groups].map(([holder, group]) => [holder, group.map(({ entry }) => entry)]);
}

function byAddress([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
