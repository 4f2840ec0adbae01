import { useEffect, useState } from 'preact/hooks';

/** Whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  const [isTrue, setTrue] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const tell = () => setTrue(list.matches);
    list.addEventListener('change', tell);
    return () => list.removeEventListener('change', tell);
  }, [query]);
  return isTrue;
}
