import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Sets the problem of the link that was followed last: no other has one. */
let setShown: ((problem: string) => void) | undefined;

/** A link to a file, `about` for screen readers. Browsers do not show why one is refused: the reason appears beside it. */
export function Download({ href, about, children }: { href: string; about?: string; children: ComponentChildren }) {
  const [problem, setProblem] = useState('');
  const check = async () => {
    setShown?.('');
    setShown = setProblem;
    const response = await fetch(href).catch(() => undefined);
    if (response?.ok) return;
    const { detail } = (await response?.json().catch(() => undefined)) ?? {};
    if (setShown === setProblem) setProblem(detail ?? 'The service cannot be reached. Please try again shortly.');
  };
  return (
    <>
      <a href={href} aria-label={about} onClick={check} onAuxClick={({ button }) => button === 1 && check()} download>
        {children}
      </a>
      {problem && (
        <span class="problem block" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
