import '../shared/style.css';
import { h, render } from 'preact';
import { Dashboard } from './dashboard.tsx';
import { follow } from './location.ts';

const place = document.querySelector('#dashboard') as HTMLElement;
// What is there for browsers that do not run this script.
place.replaceChildren();
render(h(Dashboard, {}), place);

const status = document.querySelector('#announcement') as HTMLElement;
let timer: ReturnType<typeof setTimeout>;

/** Announces a text to screen readers, and shows it for a moment. */
function announce(text: string): void {
  status.textContent = text;
  status.dataset.shown = 'true';
  clearTimeout(timer);
  timer = setTimeout(() => delete status.dataset.shown, 1_500);
}

/** Copies a text, which only pages served over HTTPS or from localhost can do. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${text}`);
  } catch {
    announce(`Could not copy ${text}: the browser does not allow it`);
  }
}

// Components have no handlers for links and copy buttons, so that they are the same on pages without scripts.
document.addEventListener('click', (event) => {
  const target = event.target as Element;
  const text = target.closest<HTMLElement>('[data-copy]')?.dataset.copy;
  if (text !== undefined) void copy(text);
  const href = target.closest('a')?.getAttribute('href');
  if (!href?.startsWith('?') || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  follow(href);
});
