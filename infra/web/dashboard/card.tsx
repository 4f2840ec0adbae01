import type { ComponentChildren } from 'preact';
import { duration } from './format.ts';
import type { Loaded } from './sources.ts';

interface CardProps {
  id: string;
  title: string;
  /** Columns of twelve that it takes where there is room. */
  span?: 4 | 5 | 6 | 7 | 8 | 12;
  /** Said under the title. */
  about?: ComponentChildren;
  /** Choices of what is shown, under the title. */
  tools?: ComponentChildren;
  /** The path of the same for spreadsheets; of its pieces, the newest first, where it is more than the API answers at once. */
  csv?: string | readonly string[];
  /** Whether that has not all of the past yet. */
  isPartial?: boolean;
  /** Where its numbers are from, for the state line: what failed or is old is said by the card itself. */
  from?: readonly Loaded<unknown>[];
  /** Lines to keep room for while nothing is known yet; 0 if the children do that. */
  lines?: number;
  children: ComponentChildren;
}

/** A part of the page, and what is to be said of its sources: while it waits, when one fails, and when what it shows is old. */
export function Card({
  id,
  title,
  span = 12,
  about,
  tools,
  csv,
  isPartial,
  from = [],
  lines = 6,
  children,
}: CardProps) {
  const isReady = from.every(({ body }) => body !== undefined);
  const failed = from.find(({ failure }) => failure);
  const old = from
    .filter(({ stale, failure, body }) => (stale || failure) && body)
    .toSorted((a, b) => a.madeAt - b.madeAt)[0];
  const state = failed && !isReady ? 'error' : old ? 'stale' : isReady ? 'fresh' : 'waiting';
  const isBusy = state === 'waiting' || from.some(({ isPrevious }) => isPrevious);
  return (
    <section id={id} class={`card span-${span}`} aria-labelledby={`${id}-title`} aria-busy={isBusy} data-state={state}>
      <header>
        <div>
          <h3 id={`${id}-title`}>{title}</h3>
          {about && <p class="about quiet">{about}</p>}
        </div>
        {csv && <CsvLinks title={title} of={[csv].flat()} isPartial={isPartial} />}
      </header>
      {tools && <div class="tools">{tools}</div>}
      {isReady || (lines === 0 && state !== 'error') ? (
        children
      ) : state === 'error' ? (
        <p class="empty">Not available at the moment.</p>
      ) : (
        <Placeholder lines={lines} />
      )}
      <p class="note" role="status">
        {failed && `${failed.failure?.message} `}
        {old && `${failed ? 'The data shown' : 'The data source cannot be reached: this'} is ${ageOf(old)} old.`}
      </p>
    </section>
  );
}

/** Room for what is still awaited. */
export function Placeholder({ lines }: { lines: number }) {
  return <div class="placeholder" style={{ '--lines': lines }} />;
}

function ageOf({ body, madeAt }: Loaded<unknown>): string {
  const { block } = body as { block?: { number: number } };
  const age = duration(Math.max(1, (Date.now() - madeAt) / 1_000));
  return block ? `from block ${block.number}, ${age}` : age;
}

interface CsvLinksProps {
  title: string;
  of: readonly string[];
  isPartial: boolean | undefined;
}

/** They are numbered as their rows go on: the oldest first. Read aloud, each says of what it is. */
function CsvLinks({ title, of: paths, isPartial }: CsvLinksProps) {
  const file = isPartial ? 'Partial CSV' : 'CSV';
  return (
    <div>
      {paths.toReversed().map((path, index) => {
        const name = paths.length > 1 ? `${file} ${index + 1}` : file;
        const href = `${path}${path.includes('?') ? '&' : '?'}format=csv`;
        return (
          <a key={path} class="csv" href={href} aria-label={`${name}: ${title}`} download>
            {name}
          </a>
        );
      })}
    </div>
  );
}
