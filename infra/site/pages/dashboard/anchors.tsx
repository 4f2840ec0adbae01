import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Links to the cards beside them. The cards depend on the loaded data. On a phone, the links stay at the top. */
export function Anchors({ label }: { label: string }) {
  const nav = useRef<HTMLElement>(null);
  const [cards, setCards] = useState<readonly { id: string; title: string }[]>([]);
  // After each rendering of the parent, too.
  useLayoutEffect(() => {
    const sections = [...(nav.current?.parentElement?.querySelectorAll(':scope > .card[id]') ?? [])];
    const found = sections.map((card) => ({ id: card.id, title: card.querySelector('h3')?.textContent ?? '' }));
    if (found.map(({ id }) => id).join() !== cards.map(({ id }) => id).join()) setCards(found);
  });
  return (
    <nav ref={nav} class="anchors" aria-label={label}>
      {cards.map(({ id, title }) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The ID of the card that the page's URL names, empty if there is none. */
export function namedByHash(): string {
  return location.hash.slice(1);
}

/**
 * Keeps the card that the URL names in view while cards above it load and change their height, until the visitor
 * scrolls, types or taps.
 */
export function followHash(main: HTMLElement): void {
  const show = () => document.getElementById(namedByHash())?.scrollIntoView();
  const observer = new ResizeObserver(show);
  const follow = () => observer.observe(main);
  for (const event of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(event, () => observer.disconnect(), { passive: true });
  addEventListener('hashchange', follow);
  if (namedByHash()) follow();
}
