import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  const [isTrue, setTrue] = useState(() => matchMedia(query).matches);
  // Not useEffect, which runs a frame later and would miss a change until then.
  useLayoutEffect(() => {
    const list = matchMedia(query);
    const tell = () => setTrue(list.matches);
    list.addEventListener('change', tell);
    return () => list.removeEventListener('change', tell);
  }, [query]);
  return isTrue;
}

/** Whether the element with this `mark` has been on the screen. */
export function useSeen<E extends Element>(): { mark: RefObject<E | null>; isSeen: boolean } {
  const mark = useRef<E>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!mark.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return { mark, isSeen };
}
