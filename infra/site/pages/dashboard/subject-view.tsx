import type { ComponentChildren } from 'preact';
import { Copy } from '../account/quantity.tsx';
import type { Answer } from './answers.ts';

interface SubjectViewProps {
  title: string;
  /** The address or node, in full. */
  id?: string;
  /** The answer that says whether there is anything to show. */
  answer: Answer<unknown>;
  summary?: ComponentChildren;
  children: ComponentChildren;
}

/** The view of an address, of several, or of a node: a heading, a summary and cards. */
export function SubjectView({ title, id, answer: { body, failure }, summary, children }: SubjectViewProps) {
  const isRefused = failure?.status === 400;
  return (
    <div class="group" id="yours">
      <div class="subject">
        <h2 id="subject" tabIndex={-1}>
          {title}
        </h2>
        <a href="?">Close</a>
        {id && (
          <code translate={false}>
            {id} <Copy text={id} />
          </code>
        )}
      </div>
      {isRefused ? (
        <p class="card problem" role="alert">
          A character is wrong or missing. Copy it again in full.
        </p>
      ) : (
        <>
          <p id="summary" role="status">
            {body || failure ? summary : 'Looking up…'}
          </p>
          {children}
        </>
      )}
    </div>
  );
}
