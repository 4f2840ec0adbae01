import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface DownloadProps {
  href: string;
  /** For screen readers, unless the text says it. */
  about?: string;
  children: ComponentChildren;
}

/** A link to a file. Browsers do not show why one is refused: the reason appears beside it. */
export function Download({ href, about, children }: DownloadProps) {
  const [problem, setProblem] = useState('');
  const check = async () => {
    setProblem('');
    const response = await fetch(href).catch(() => undefined);
    if (response?.ok) return;
    const { detail } = (await response?.json().catch(() => undefined)) ?? {};
    setProblem(detail ?? 'The service cannot be reached. Please try again shortly.');
  };
  return (
    <>
      <a href={href} aria-label={about} onClick={() => void check()} download>
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
