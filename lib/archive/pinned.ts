import { createServices, type Services } from '../api/services.ts';
import { Cache } from '../cache/cache.ts';
import { HistoryStore } from '../history/history-store.ts';
import { DOUBTS, type LedgerState, STATE } from '../ledger/ledger-state.ts';
import { LedgerStore } from '../ledger/ledger-store.ts';
import type { Doubts } from '../ledger/mismatch.ts';
import { keyOf } from '../ledger/rows.ts';
import { durableTable } from '../tables/dynamo-table.ts';
import type { Position, RangeOptions, Row, SeriesTable } from '../tables/series-table.ts';
import { HISTORY, LEDGER } from '../tables/table-schemas.ts';
import type { BlockRef } from '../values/block.ts';

/** The block of an export, and the ledger's state at it, as JSON holds it. An interrupted export goes on from both. */
export interface Pin {
  block: BlockRef;
  state: LedgerState;
  doubts: Doubts;
}

/** The newest block whose events are all indexed. Throws UPSTREAM_UNAVAILABLE if the table does not answer, or has none. */
export async function readPin({ ledger }: Services): Promise<Pin> {
  const { coverage, ...state } = await ledger.progress.latest();
  const block = { number: coverage.toBlock, timestamp: coverage.toTimestamp };
  return { block, state, doubts: await ledger.progress.doubts(state.generation) };
}

/** Services whose latest block is that of `pin`. Covered rows of the tables never change, even while recorders add to them. */
export function pinnedServices(services: Services, { block, state, doubts }: Pin): Services {
  const { config, telemetry, clock, limits } = services;
  const ledger = pinned(durableTable(config.ledgerTable, LEDGER, services), {
    [keyOf(config, STATE)]: { position: 'current', state: JSON.stringify(state) },
    [keyOf(config, DOUBTS, state.generation)]: { position: 'all', doubts: JSON.stringify(doubts) },
  });
  const history = pinned(durableTable(config.historyTable, HISTORY, services), {}, block);
  return createServices(config, telemetry, {
    ...{ clock, limits, pinned: block, cache: new Cache(config.network.name, undefined, telemetry, clock) },
    history: new HistoryStore(history, config.network.name, telemetry.warn),
    ledger: new LedgerStore({ rows: ledger, network: config.network, clock, warn: telemetry.warn }),
  });
}

/** A table of which some series have one row, as it was, and all others have no row that was recorded after a block. */
function pinned(table: SeriesTable, kept: Readonly<Record<string, Row>>, last?: BlockRef): SeriesTable {
  async function range(series: string, from: Position, to: Position, options?: RangeOptions): Promise<Row[]> {
    const row = kept[series];
    if (row) return [row].filter(({ position = '' }) => from <= position && position <= to);
    if (!last) return table.range(series, from, to, options);
    // The position of a point is its time. A rewards cycle has the time of its start, and is recorded after its end.
    const rows = await table.range(series, from, Math.min(Number(to), last.timestamp), options);
    return rows.filter(({ block = 0 }) => Number(block) <= last.number);
  }
  const refuse = () => Promise.reject(new Error('an export only reads'));
  return {
    range,
    get: async (series, position) => (await range(series, position, position))[0],
    ...{ putIfAbsent: refuse, putAll: refuse, update: refuse },
  };
}
