import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Placeholder } from './card.tsx';
import { Identifier, LookUpLink } from './identifier.tsx';
import { isFollowed, type Subject } from './location.ts';
import type { Loaded } from './sources.ts';

/** As long as the parts of a view that are known are held back for those that are not. */
const PATIENCE_MS = 2_500;

interface YoursProps {
  subject: Subject;
  /** What the API says of it. */
  from: readonly Loaded<unknown>[];
  /** How it is, what can be done now, or that nothing was found of it, in a sentence. */
  summary?: ComponentChildren;
  /** What was looked for and not found; it comes after what was. */
  notFound?: string | undefined;
  children: ComponentChildren;
}

/** All there is of an address or a node: its heading, and its parts, or why there are none. */
export function Yours({ subject, from, summary, notFound, children }: YoursProps) {
  const isReady = useIsReady(from);
  const refusal = from.find(({ failure }) => failure?.isRefusal)?.failure;
  return (
    <div class="group" id="yours">
      <SubjectHeading of={subject} />
      {refusal ? (
        <p class="card problem" role="alert">
          {`A character of this ${subject.address ? 'address' : 'node ID'} is wrong or missing. Copy it again in full. `}
          {`Details: ${refusal.message}`}
        </p>
      ) : (
        <>
          <p id="summary" role="status">
            {isReady ? summary : 'Looking up…'}
          </p>
          {isReady ? children : <Placeholder lines={40} />}
          {isReady && notFound && (
            <p id="not-found" class="quiet">
              {notFound}
            </p>
          )}
        </>
      )}
    </div>
  );
}

/**
 * Whether all has been answered, or the rest been waited for long enough: parts that come one after the other push each other about.
 * Before the first answer there is nothing to show: which parts there are is in the answers.
 */
function useIsReady(from: readonly Loaded<unknown>[]): boolean {
  const [isOver, setOver] = useState(false);
  const answered = from.filter(({ body, failure }) => body !== undefined || failure !== undefined).length;
  const isBegun = answered > 0;
  useEffect(() => {
    if (!isBegun) return undefined;
    const timer = setTimeout(() => setOver(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isBegun]);
  return isOver || answered === from.length;
}

/** The heading of all there is of an address or a node, with the way back. */
function SubjectHeading({ of }: { of: Subject }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Whoever follows a link far down, or types, reads on from here.
  useEffect(() => {
    if (isFollowed()) heading.current?.focus();
  }, []);
  return (
    <div class="subject">
      <h2 ref={heading} tabIndex={-1}>
        {of.address ? 'Address' : 'Node'}
      </h2>
      <LookUpLink>Close</LookUpLink>
      <Identifier id={of.address ?? of.node} kind={of.address ? 'address' : 'node'} whole />
    </div>
  );
}
