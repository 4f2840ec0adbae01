import '../shared/style.css';
import '../shared/copy.ts';
import { h, render } from 'preact';
import { Dashboard } from './dashboard.tsx';
import { follow } from './location.ts';

const place = document.querySelector('#dashboard') as HTMLElement;
// Removes the text for browsers that do not run this script.
place.replaceChildren();
render(h(Dashboard, {}), place);

// Components have no handlers for links and copy buttons, so that they are the same on pages without scripts.
document.addEventListener('click', (event) => {
  const href = (event.target as Element).closest('a')?.getAttribute('href');
  if (!href?.startsWith('?') || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  follow(href);
});
