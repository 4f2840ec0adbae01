/** Addresses, nodes and transactions, with links to their details. */

import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { ContractNames } from './contracts.ts';
import { Explorer } from './explorer.ts';
import { hrefWith, setParams } from './location.ts';
import { copy } from './quantity.tsx';
import { type Subject, toParams } from './subject.ts';

type Kind = 'address' | 'node' | 'tx' | 'pTx';

/**
 * An address, a node or a transaction: shortened, or a known contract's name, with a link to its view, a copy button and
 * an explorer link.
 */
export function Identifier({ id, kind, whole }: { id: string; kind: Kind; whole?: boolean }) {
  const explorer = useContext(Explorer);
  const name = useContext(ContractNames).get(id);
  const shown = whole ? id : <abbr title={id}>{name ?? shortened(id)}</abbr>;
  const linked =
    kind === 'address' || kind === 'node' ? <LookUpLink subject={subjectFor(kind, id)}>{shown}</LookUpLink> : shown;
  return (
    <span class="identifier" translate={false}>
      {name !== undefined && !whole ? linked : <code>{linked}</code>}
      <CopyButton id={id} />
      {explorer && (
        <a
          class="icon"
          href={explorer(kind, id)}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open ${id} in the explorer`}
          title="Open in the explorer"
        >
          <Icon path="M6 2H2v12h12v-4M9 1.5h5.5V7M14.5 1.5 7.5 8.5" />
        </a>
      )}
    </span>
  );
}

/** Bytes in hex that have no view of their own: shortened, with a copy button. */
export function Hex({ id }: { id: string }) {
  return (
    <span class="identifier" translate={false}>
      <code>
        <abbr title={id}>{shortened(id)}</abbr>
      </code>
      <CopyButton id={id} />
    </span>
  );
}

export function CopyButton({ id }: { id: string }) {
  return (
    <button type="button" class="icon" aria-label={`Copy ${id}`} title="Copy" onClick={() => copy(id)}>
      <Icon path="M5 5V1.5h9.5V11H11M1.5 5H11v9.5H1.5z" />
    </button>
  );
}

/** `0xBcd4…54096`, `NodeID-L5iZG…oetTU`. */
export function shortened(id: string): string {
  return `${id.slice(0, id.startsWith('NodeID') ? 12 : 6)}…${id.slice(-5)}`;
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function subjectFor(kind: 'address' | 'node', id: string): Subject {
  return kind === 'address' ? { address: id } : { node: id };
}

/** A link to the view of an address or a node on this page; without one, a link that closes the view. */
export function LookUpLink({ subject, children }: { subject?: Subject; children: ComponentChildren }) {
  const params = toParams(subject);
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setParams(params, 'push');
  };
  return (
    <a href={hrefWith(params)} onClick={follow}>
      {children}
    </a>
  );
}
