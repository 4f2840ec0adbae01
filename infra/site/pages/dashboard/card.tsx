import type { ComponentChildren } from 'preact';
import type { Loaded } from './answers.ts';
import { duration } from './format.ts';
import { type Path, withQuery } from './paths.ts';

interface CardProps {
  id: string;
  title: string;
  /** Takes half of a large screen. */
  half?: boolean;
  about?: ComponentChildren;
  /** The path of the same data as CSV. */
  csv?: Path<unknown> | undefined;
  /** The sources of the card's content. The card shows if a source is loading, fails or is stale. */
  sources: readonly Loaded<unknown>[];
  /** Number of lines to reserve while loading. */
  lines?: number;
  children: ComponentChildren;
}

/** A part of the page. */
export function Card({ id, title, half, about, csv, sources, lines = 8, children }: CardProps) {
  const isReady = sources.every(({ body }) => body !== undefined);
  const failure = sources.find((source) => source.failure)?.failure;
  const old = sources.find((source) => (source.stale || source.failure) && source.body);
  return (
    <section
      id={id}
      class={half ? 'card half' : 'card'}
      aria-labelledby={`${id}-title`}
      aria-busy={!isReady && !failure}
      style={{ '--lines': isReady ? 0 : lines }}
    >
      <header>
        <h3 id={`${id}-title`}>{title}</h3>
        {csv && (
          <a href={withQuery(csv, { format: 'csv' })} aria-label={`CSV: ${title}`} download>
            CSV
          </a>
        )}
      </header>
      {about && <p class="quiet">{about}</p>}
      {isReady && children}
      <p class={old ? 'note' : 'note problem'} role="status">
        {failure && `${failure.message} `}
        {old && `The data shown is ${ageOf(old)} old.`}
      </p>
    </section>
  );
}

function ageOf({ body, madeAt }: Loaded<unknown>): string {
  const { block } = body as { block?: { number: number } };
  const age = duration(Math.max(1, (Date.now() - madeAt) / 1_000));
  return block ? `from block ${block.number}, ${age}` : age;
}
