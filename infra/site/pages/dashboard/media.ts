import { useLayoutEffect, useState } from 'preact/hooks';

/** True if a media query matches, kept up to date. */
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
