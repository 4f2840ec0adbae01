import type { ComponentChildren } from 'preact';
import { useFreshKey } from './data.tsx';
import { duration } from './format.ts';
import { type Path, withQuery } from './paths.ts';
import type { Loaded } from './sources.ts';

interface CardProps {
  id: string;
  title: string;
  /** Width in columns, of twelve, on large screens. */
  span?: 5 | 6 | 7 | 12;
  /** A subtitle. */
  about?: ComponentChildren;
  /** Controls below the title. */
  tools?: ComponentChildren;
  /** The path of the same data as CSV; several paths, newest first, if it is more than the API returns at once. */
  csv?: Path<unknown> | readonly Path<unknown>[];
  /** A file that the page itself creates. */
  file?: { name: string; text: string };
  /** The sources of the card's numbers. The card shows if a source fails or is stale. */
  from?: readonly Loaded<unknown>[];
  /** Number of lines to reserve while loading; 0 if the children do that. */
  lines?: number;
  children: ComponentChildren;
}

/** A part of the page. Shows if its sources are loading, have failed or are stale. */
export function Card({ id, title, span = 12, about, tools, csv, file, from = [], lines = 6, children }: CardProps) {
  const isReady = from.every(({ body }) => body !== undefined);
  const failed = from.find(({ failure }) => failure);
  const old = from
    .filter(({ stale, failure, body }) => (stale || failure) && body)
    .toSorted((a, b) => a.madeAt - b.madeAt)[0];
  const state = failed && !isReady ? 'error' : old ? 'stale' : isReady ? 'fresh' : 'waiting';
  const isBusy = state === 'waiting' || from.some(({ isPrevious }) => isPrevious);
  return (
    <section
      key={useFreshKey()}
      id={id}
      class={`card span-${span}`}
      aria-labelledby={`${id}-title`}
      aria-busy={isBusy}
      data-state={state}
    >
      <header>
        <div>
          <h3 id={`${id}-title`}>{title}</h3>
          {about && <p class="about quiet">{about}</p>}
        </div>
        {csv && <CsvLinks title={title} of={[csv].flat()} />}
        {file && (
          <CsvLink
            title={title}
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(file.text)}`}
            download={file.name}
          />
        )}
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

/** Reserves room for content that is loading. */
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
  of: readonly Path<unknown>[];
}

/** Several links are numbered from the oldest. */
function CsvLinks({ title, of: paths }: CsvLinksProps) {
  return (
    <div>
      {paths.toReversed().map((path, index) => {
        const name = paths.length > 1 ? `CSV ${index + 1}` : 'CSV';
        return <CsvLink key={path} name={name} title={title} href={withQuery(path, { format: 'csv' })} />;
      })}
    </div>
  );
}

interface CsvLinkProps {
  name?: string;
  title: string;
  href: string;
  /** The file's name, if the server gives none. */
  download?: string | true;
}

/** For screen readers, it names its card. */
function CsvLink({ name = 'CSV', title, href, download = true }: CsvLinkProps) {
  return (
    <a class="csv" href={href} aria-label={`${name}: ${title}`} download={download}>
      {name}
    </a>
  );
}
