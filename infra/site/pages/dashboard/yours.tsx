import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Anchors } from './anchors.tsx';
import { Placeholder } from './card.tsx';
import { useFreshKey } from './data.tsx';
import { counted } from './format.ts';
import { Identifier, LookUpLink } from './identifier.tsx';
import { isFollowed } from './location.ts';
import type { Loaded } from './sources.ts';
import type { Subject } from './subject.ts';

/** Maximum wait of loaded cards for the others, milliseconds. */
const PATIENCE_MS = 2_500;

interface YoursProps {
  subject: Subject;
  /** The sources of its cards. */
  from: readonly Loaded<unknown>[];
  /** A sentence: its state, what can be done now, or that nothing was found. */
  summary?: ComponentChildren;
  /** A note below the cards. */
  notFound?: string | undefined;
  children: ComponentChildren;
}

/** The view of an address, of several, or of a node: a heading, a summary and cards. */
export function Yours({ subject, from, summary, notFound, children }: YoursProps) {
  const hasAllAnswers = from.every(isAnswered);
  const isReady = useIsOverdue(from) || hasAllAnswers;
  const key = useFreshKey();
  const refusal = from.find(({ failure }) => failure?.isRefusal)?.failure;
  return (
    <div class="group" id="yours">
      <SubjectHeading of={subject} />
      {refusal ? (
        <p class="card problem" role="alert">
          {`A character of ${describeSubject(subject)} is wrong or missing. Copy it again in full. `}
          {`Details: ${refusal.message}`}
        </p>
      ) : (
        <>
          <p key={key} id="summary" role="status">
            {/* It needs all responses; its line must not appear above cards that are there already. */}
            {hasAllAnswers ? summary : 'Looking up…'}
          </p>
          {isReady && <Anchors label="Parts of this view" />}
          {isReady ? children : <Placeholder lines={40} />}
          {isReady && notFound && (
            <p key={`not-found ${key}`} id="not-found" class="quiet">
              {notFound}
            </p>
          )}
        </>
      )}
    </div>
  );
}

function describeSubject({ address, addresses }: Subject): string {
  return addresses ? 'one of these addresses' : address ? 'this address' : 'this node ID';
}

function isAnswered({ body, failure }: Loaded<unknown>): boolean {
  return body !== undefined || failure !== undefined;
}

/**
 * True if the wait for the other responses, after the first one, is over. The cards depend on the responses. Cards that
 * appear one after another would shift the layout.
 */
function useIsOverdue(from: readonly Loaded<unknown>[]): boolean {
  const [isOver, setOver] = useState(false);
  const isBegun = from.some(isAnswered);
  useEffect(() => {
    if (!isBegun) return undefined;
    const timer = setTimeout(() => setOver(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isBegun]);
  return isOver;
}

/** The heading of the view, with a link that closes it. */
function SubjectHeading({ of }: { of: Subject }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves the focus here after following a link further down or a look-up, for keyboards and screen readers.
  useEffect(() => {
    if (isFollowed()) heading.current?.focus();
  }, []);
  return (
    <div class="subject">
      <h2 ref={heading} tabIndex={-1}>
        {of.addresses ? counted(of.addresses.valid.length, 'address', 'addresses') : of.address ? 'Address' : 'Node'}
      </h2>
      <LookUpLink>Close</LookUpLink>
      {!of.addresses && <Identifier id={of.address ?? of.node} kind={of.address ? 'address' : 'node'} whole />}
    </div>
  );
}
