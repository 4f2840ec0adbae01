/** Events, newest first. */

import { useState } from 'preact/hooks';
import type { Group } from '../../../../lib/ledger/events/entry-field.ts';
import { declarationOf, type EntryType, TYPES } from '../../../../lib/ledger/events/entry-types.ts';
import type { Activity, Entry } from './bodies.ts';
import { Card } from './card.tsx';
import { Choice } from './choice.tsx';
import { gapIn } from './coverage.ts';
import { short } from './format.ts';
import { amountIn, happenings, titleOf } from './happenings.ts';
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

/** The kinds of events that can be selected, by their names in the URL. */
const KINDS: Readonly<Record<Group, string>> = {
  ggAvax: 'ggAVAX',
  pool: 'AVAX at work',
  queue: 'Queue',
  minipools: 'Minipools',
  ggp: 'GGP',
  rules: 'Rules',
};

function listTypes(kind: Group): EntryType[] {
  return TYPES.filter((type) => declarationOf(type).groups.includes(kind));
}

/** The path for the first events of a timeline: of some types, by default of all. */
export function firstEvents(
  path: Path<Activity>,
  limit = FIRST_EVENTS,
  types: readonly EntryType[] = [],
): Path<Activity> {
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
  const ofKind = kind && listTypes(kind);
  const shownTypes = ofKind ?? (omit.length > 0 ? TYPES.filter((type) => !omit.includes(type)) : []);
  const answer = useAnswer(firstEvents(path, limit, shownTypes), path);
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
      csv={coverage?.complete === false ? undefined : firstEvents(path, MOST_ROWS, ofKind)}
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
            ['Event', titleOf],
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
          <a href={withQuery(firstEvents(path, MOST_ROWS, ofKind), { cursor: nextCursor, format: 'csv' })} download>
            {`Download the ${THOUSAND} before them (CSV)`}
          </a>
        </p>
      )}
    </Card>
  );
}

function EntryAmount(entry: Entry) {
  const told = amountIn(entry);
  return told && <Amount of={told.amount} unit={told.token} />;
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
