import type { ComponentChildren } from 'preact';
import { Download } from '../account/download.tsx';
import type { Answer } from './answers.ts';
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
  /** The card shows if one of them is loading, fails or is stale. */
  answers: readonly Answer<unknown>[];
  /** Number of lines to reserve while loading. */
  lines?: number;
  children: ComponentChildren;
}

/** A part of the page. */
export function Card({ id, title, half, about, csv, answers, lines = 8, children }: CardProps) {
  const isReady = answers.every(({ body }) => body !== undefined);
  const failure = answers.find((answer) => answer.failure)?.failure;
  const old = answers.find((answer) => (answer.stale || answer.failure) && answer.body);
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
          <Download href={withQuery(csv, { format: 'csv' })} about={`CSV: ${title}`}>
            CSV
          </Download>
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

function ageOf({ body, madeAt }: Answer<unknown>): string {
  const { block } = body as { block?: { number: number } };
  const age = duration(Math.max(1, (Date.now() - madeAt) / 1_000));
  return block ? `from block ${block.number}, ${age}` : age;
}
