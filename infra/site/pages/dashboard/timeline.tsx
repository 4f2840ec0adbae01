import { useState } from 'preact/hooks';
import type { Bodies } from '../../../../functions/index.ts';
import type { Coverage } from '../account/bodies.ts';
import { EventTable } from '../account/events.tsx';
import { useAnswer } from './answers.ts';
import { Card } from './card.tsx';
import { type Path, withQuery } from './paths.ts';

const FIRST_ROWS = 5;
const MOST_ROWS = 50;
const FILE_ROWS = 1_000;

interface TimelineProps {
  id: string;
  title: string;
  path: Path<Bodies['/activity']>;
  node?: string;
}

/** The newest events, with a button for more. */
export function Timeline({ id, title, path, node }: TimelineProps) {
  const [isLong, setLong] = useState(false);
  const answer = useAnswer(withQuery(path, { limit: MOST_ROWS }));
  const { activity = [], nextCursor, coverage } = answer.body ?? {};
  const entries = isLong ? activity : activity.slice(0, FIRST_ROWS);
  return (
    <Card
      id={id}
      title={title}
      about={coverage && gapIn(coverage)}
      answers={[answer]}
      // The API makes no files of incomplete data.
      csv={coverage?.complete ? withQuery(path, { limit: FILE_ROWS }) : undefined}
    >
      <EventTable caption={title} entries={entries} {...(node && { node })} />
      {entries.length < activity.length && (
        <button type="button" class="plain" onClick={() => setLong(true)}>
          Show more
        </button>
      )}
      {isLong && nextCursor && (
        <p class="quiet">{`The CSV has the newest ${FILE_ROWS.toLocaleString('en')} events.`}</p>
      )}
    </Card>
  );
}

/** The reason why history is incomplete, as a sentence; undefined if it is complete. */
export function gapIn({ fromBlock, toBlock, complete }: Coverage): string | undefined {
  return complete ? undefined : `History is still loading. Indexed so far: blocks ${fromBlock} to ${toBlock}.`;
}
