/** Events, newest first. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldUnit, Group } from '../../../../lib/ledger/events/entry-field.ts';
import { declarationOf, ENTRY_TYPES, type EntryType, TYPES } from '../../../../lib/ledger/events/entry-types.ts';
import type { Activity, Entry } from './bodies.ts';
import { Card } from './card.tsx';
import { Choice } from './choice.tsx';
import { gapIn } from './coverage.ts';
import { short } from './format.ts';
import { Identifier } from './identifier.tsx';
import { setParams, useParam } from './location.ts';
import { type Path, withQuery } from './paths.ts';
import { Ago, Amount } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

const FIRST_ROWS = 5;
/** More than rows, because several events may become one row. */
const FIRST_EVENTS = 16;
const MOST_ROWS = 1_000;
const THOUSAND = short(MOST_ROWS);
const FILE_PART = `The CSV has at most the newest ${THOUSAND} events.`;
const NEXT_CYCLE = 'next cycle';

/** The kinds of events that can be selected, by their names in the URL. */
const KINDS: Readonly<Record<Group, string>> = {
  ggAvax: 'ggAVAX',
  pool: 'AVAX at work',
  queue: 'Queue',
  minipools: 'Minipools',
  ggp: 'GGP',
  rules: 'Rules',
};

/** Smaller transfers, in ggAVAX, are bait for people who copy addresses, or rounding. */
const DUST = 0.01;

function typesOf(kind: Group): EntryType[] {
  return TYPES.filter((type) => declarationOf(type).groups.includes(kind));
}

/** The path for the first events of a timeline: of some types, by default of all. */
export function firstOf(path: Path<Activity>, limit = FIRST_EVENTS, types: readonly EntryType[] = []): Path<Activity> {
  return withQuery(path, { limit, ...(types.length > 0 && { type: types.join() }) });
}

interface TimelineProps {
  /** Also the name of the URL's parameter for the kind of events. */
  id: string;
  title: string;
  path: Path<Activity>;
  /** The kinds of events that can be selected. */
  kinds?: readonly Group[];
  /** Types that are shown only if their kind is selected. */
  omit?: readonly EntryType[];
  /** The node, if these are the events of a single one. */
  node?: string;
  span?: 5 | 6 | 7 | 12;
}

/** A list of events with a button for showing more. */
export function Timeline({ id, title, path, kinds = [], omit = [], node, span = 12 }: TimelineProps) {
  const [limit, setLimit] = useState(FIRST_EVENTS);
  const [isLong, setLong] = useState(false);
  const asked = useParam(id);
  const kind = kinds.find((known) => known === asked);
  const ofKind = kind && typesOf(kind);
  const shownTypes = ofKind ?? (omit.length > 0 ? TYPES.filter((type) => !omit.includes(type)) : []);
  const answer = useAnswer(firstOf(path, limit, shownTypes), path);
  const { activity = [], nextCursor, coverage } = answer.body ?? {};
  const choose = (chosen: Group | 'all') => {
    setLimit(FIRST_EVENTS);
    setLong(false);
    setParams({ [id]: chosen === 'all' ? undefined : chosen });
  };
  const rows = happenings(activity, kind === undefined);
  const shown = isLong ? rows : rows.slice(0, FIRST_ROWS);
  const isMore = nextCursor !== undefined || shown.length < rows.length;
  const showMore = () => {
    setLong(true);
    if (nextCursor !== undefined) setLimit(Math.min(limit * 4, MOST_ROWS));
  };
  const isCut = nextCursor !== undefined && activity.length >= MOST_ROWS;
  return (
    <Card
      id={id}
      title={title}
      span={span}
      about={(coverage && gapIn(coverage)) ?? (nextCursor !== undefined && FILE_PART)}
      tools={
        kinds.length > 0 && (
          <Choice
            label="Kind of event"
            of={[['all', 'All'], ...kinds.map((name) => [name, KINDS[name]] as const)]}
            chosen={kind ?? 'all'}
            onChoose={choose}
          />
        )
      }
      from={[answer]}
      lines={15}
      // The API makes no files of incomplete data.
      csv={coverage?.complete === false ? undefined : firstOf(path, MOST_ROWS, ofKind)}
    >
      {activity.length === 0 ? (
        <p class="empty">No activity{kind && ' of this kind'} was found.</p>
      ) : (
        <Table
          caption={title}
          of={shown}
          keyOf={({ blockNumber, logIndex }) => `${blockNumber}-${logIndex}`}
          columns={[
            ['When', ({ timestamp }) => <Ago at={timestamp} />],
            ['Event', What],
            ['Amount', EntryAmount, 'number'],
            ['Who', (entry) => <Who {...entry} nodeID={entry.nodeID === node ? undefined : entry.nodeID} />],
            ['Transaction', ({ txHash }) => <Identifier id={txHash} kind="tx" />],
          ]}
        />
      )}
      {isMore && !isCut && (
        <button type="button" class="plain" onClick={showMore}>
          Show more
        </button>
      )}
      {isCut && (
        <p class="quiet">
          {`These are the newest ${THOUSAND} events. `}
          <a href={withQuery(firstOf(path, MOST_ROWS, ofKind), { cursor: nextCursor, format: 'csv' })} download>
            {`Download the ${THOUSAND} before them (CSV)`}
          </a>
        </p>
      )}
    </Card>
  );
}

/** Merges events about the same change; entries are ordered newest first. */
export function happenings(activity: readonly Entry[], isOfAllKinds: boolean): Entry[] {
  const least = isOfAllKinds ? DUST : Number.MIN_VALUE;
  return mergeChanges(
    mergeMoves(activity.filter(({ type, shares }) => type !== 'ggAvaxTransferred' || Number(shares) >= least)),
  );
}

/** Changes of withdrawals, and the end at which a transfer that is part of them has the requester. */
const MOVES: Partial<Record<Entry['type'], 'from' | 'to'>> = {
  unstakeRequested: 'from',
  unstakeCancelled: 'to',
  unstakeReturned: 'to',
};

/** A request transfers ggAVAX to the queue, its cancellation or return transfers it back: an event of its own. */
function mergeMoves(activity: readonly Entry[]): Entry[] {
  const keyOf = (entry: Entry, end: string, address: unknown) => [entry.txHash, end, address, entry.shares].join();
  const moves = activity.flatMap((entry) => {
    const end = MOVES[entry.type];
    return end === undefined ? [] : keyOf(entry, end, entry.requester);
  });
  const isPart = (entry: Entry) => {
    const keys = (['from', 'to'] as const).map((end) => keyOf(entry, end, entry[end]));
    const move = moves.findIndex((key) => keys.includes(key));
    if (move >= 0) moves.splice(move, 1);
    return move >= 0;
  };
  return activity.filter((entry) => entry.type !== 'ggAvaxTransferred' || !isPart(entry));
}

/** Events about a minipool's status. */
const CHANGES: readonly Entry['type'][] = ['minipoolStatusChanged', 'minipoolLaunched'];

/**
 * A launch emits an event of its own in addition to the change of status, and a new cycle begins with three changes at
 * once. Of the events of one minipool in one transaction, only the last is kept.
 */
function mergeChanges(activity: readonly Entry[]): Entry[] {
  const told = new Map<string, Entry>();
  return activity.flatMap((entry) => {
    if (!CHANGES.includes(entry.type)) return entry;
    const key = `${entry.txHash} ${entry.nodeID}`;
    const last = told.get(key);
    // Only a further cycle goes back to prelaunch: a new minipool is created in that status.
    if (last && entry.status === 'prelaunch') last.status = NEXT_CYCLE;
    if (last) return [];
    const made = { ...entry };
    told.set(key, made);
    return made;
  });
}

function What({ type, status }: Entry): ComponentChildren {
  // A page that was loaded before an upgrade does not know the types that are new.
  return `${ENTRY_TYPES[type]?.label ?? type}${typeof status === 'string' ? `: ${status}` : ''}`;
}

/** Fields with amounts, the most relevant first. */
const AMOUNTS = ['assets', 'baseAmt', 'expectedAssets', 'rewardsAmt', 'price', 'totalAmt', 'amount', 'shares'] as const;
const TOKENS: Partial<Record<FieldUnit, string>> = { avax: 'AVAX', ggp: 'GGP', ggAvax: 'ggAVAX' };

function EntryAmount(entry: Entry) {
  // For a transfer, the amount of ggAVAX, as in wallets, not its value.
  const told = entry.type === 'ggAvaxTransferred' ? { shares: entry.shares } : entry;
  const field = AMOUNTS.find((name) => name in told);
  const unit = field && ENTRY_TYPES[entry.type] && declarationOf(entry.type).fields[field]?.unit;
  return unit && <Amount of={entry[field] as string} unit={TOKENS[unit]} />;
}

/** Fields with addresses, the most relevant first. */
const CONCERNED = ['staker', 'requester', 'owner', 'donor'] as const;

function Who(entry: Entry) {
  const id = (name: keyof Entry) => entry[name] as string;
  if (entry.nodeID !== undefined) return <Identifier id={id('nodeID')} kind="node" />;
  if (entry.type === 'ggAvaxTransferred') {
    return (
      <>
        <Identifier id={id('from')} kind="address" /> to <Identifier id={id('to')} kind="address" />
      </>
    );
  }
  const name = CONCERNED.find((field) => entry[field] !== undefined);
  return name === undefined ? null : <Identifier id={id(name)} kind="address" />;
}
